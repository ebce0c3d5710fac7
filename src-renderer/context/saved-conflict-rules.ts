import type { AppContext } from './context'
import type { ConflictRule } from './settings.svelte'

/** Conflict rules of the account. */
export const rulesOf = ({ settings, account }: AppContext): readonly ConflictRule[] =>
  settings.values.conflictRules[account.id] ?? []

export function setRules({ settings, account }: AppContext, rules: readonly ConflictRule[]): void {
  settings.set({ conflictRules: { ...settings.values.conflictRules, [account.id]: [...rules] } })
}
