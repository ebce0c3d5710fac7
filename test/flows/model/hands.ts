import type { Device } from './device'
import type { Made } from './campaigns'
import type { notYetSteps } from './not-yet'

/** What a user's work needs from its run. */
export interface Hands {
  random: () => number
  /** True if the engine can handle a step, or if the run should show that it can't. */
  takes: (step: keyof typeof notYetSteps) => boolean
  /** Returns a new word of an author. */
  mark: (author: string) => string
  /** Makes an edit with a new word. @returns the records' keys, or undefined if it wasn't acknowledged */
  edit: (
    device: Device,
    make: (marker: string) => Made | undefined | Promise<Made | undefined>,
  ) => Promise<string[] | undefined>
  undo: (device: Device) => Promise<void>
  pass: (ms: number) => Promise<void>
  trace: (what: string, detail?: string) => void
}

export const pickFrom = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)]!
