import { Late } from '../ui/late.svelte'

// Components that the first frame doesn't need.
export const palette = new Late(() => import('./Palette.svelte'))
export const cheatSheet = new Late(() => import('./CheatSheet.svelte'))
export const help = new Late(() => import('./help/HelpDialog.svelte'))
export const diagnostics = new Late(() => import('./diagnostics/DiagnosticsDialog.svelte'))
export const addAccount = new Late(() => import('./accounts/AddAccount.svelte'))
export const firstRun = new Late(() => import('./first-run/FirstRun.svelte'))
export const exportDialog = new Late(() => import('./files/ExportDialog.svelte'))
export const subscribeDialog = new Late(() => import('./subscriptions/SubscribeDialog.svelte'))
export const textLinesDialog = new Late(() => import('./text-lines/TextLinesDialog.svelte'))
export const importDialog = new Late(() => import('./files/ImportDialog.svelte'))

/** All parts, in the order to load them. */
export const lateParts: readonly Late<unknown>[] = [
  palette,
  cheatSheet,
  exportDialog,
  importDialog,
  subscribeDialog,
  textLinesDialog,
  addAccount,
  help,
  diagnostics,
]
