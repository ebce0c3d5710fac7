import type { Bridge } from '#shared/ipc/contract'
import type { ExportPreset, ExportSubject, KeptExports, LastExport } from '#shared/reports/export-presets'
import { ask } from '../bridge'
import type { Toasts } from '../ui/toasts.svelte'
import { attempt } from './attempt'

/** Outcome of an export. `noFolder`: its folder doesn't exist, with a message. */
export type ExportEnd = { how: 'written' } | { how: 'none' } | { how: 'noFolder'; words: string }

/** Export presets and the last options, as stored by main. */
export class ExportPresets {
  readonly #bridge: Bridge
  readonly #toasts: Toasts
  #kept = $state.raw<KeptExports>({ presets: [], last: {} })

  constructor(bridge: Bridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  /** Presets of a subject, sorted by name. */
  of(subject: ExportSubject): readonly ExportPreset[] {
    return this.#kept.presets.filter((one) => one.of === subject)
  }
  last(subject: ExportSubject): LastExport | undefined {
    return this.#kept.last[subject]
  }

  /** @returns true if they could be read. Reports failures */
  read(): Promise<boolean> {
    return this.#take(ask(this.#bridge, 'presets/list', {}), '')
  }
  keep(preset: ExportPreset): Promise<boolean> {
    return this.#take(ask(this.#bridge, 'presets/keep', { preset }), 'Couldn’t save the preset.')
  }
  remove({ id }: ExportPreset): Promise<boolean> {
    return this.#take(ask(this.#bridge, 'presets/remove', { id }), 'Couldn’t delete the preset.')
  }
  /** Saves the next default. If that fails, the export continues. */
  async chosen(last: LastExport): Promise<void> {
    await this.#take(ask(this.#bridge, 'presets/chosen', { last }), 'Couldn’t save your choice for next time.')
  }
  /** Asks for a folder. Undefined if the user cancels. */
  async chooseFolder(): Promise<string | undefined> {
    return (await attempt(this.#toasts, ask(this.#bridge, 'export-folders/choose', {})))?.folder
  }

  async #take(answer: Promise<KeptExports>, failed: string): Promise<boolean> {
    const taken = await attempt(this.#toasts, answer, { failed })
    if (taken) this.#kept = taken
    return taken !== undefined
  }
}
