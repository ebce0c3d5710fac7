import type { Handlers } from '../ipc/handle'
import type { ExportPresets } from './export-presets'

type PresetHandlers = Pick<Handlers, Extract<keyof Handlers, `presets/${string}`>>

/** Handlers for export presets. */
export const exportPresetHandlers = ({ presets }: { presets: ExportPresets }): PresetHandlers => ({
  'presets/list': () => presets.list(),
  'presets/keep': ({ preset }) => presets.keep(preset),
  'presets/remove': ({ id }) => presets.remove(id),
  'presets/chosen': ({ last }) => presets.chosen(last),
})
