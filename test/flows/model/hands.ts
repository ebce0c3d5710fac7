import type { Device } from './device'
import type { Made } from './campaigns'
import type { notYetSteps } from './not-yet'

/** What somebody's work needs of the run around it. */
export interface Hands {
  random: () => number
  /** Whether the engine stands a step, or shall be seen not to. */
  takes: (step: keyof typeof notYetSteps) => boolean
  /** A new word of someone. */
  mark: (author: string) => string
  /** Edits by the word it is given; the keys of the records, undefined where it was not acknowledged. */
  edit: (
    device: Device,
    make: (marker: string) => Made | undefined | Promise<Made | undefined>,
  ) => Promise<string[] | undefined>
  undo: (device: Device) => Promise<void>
  pass: (ms: number) => Promise<void>
  tell: (what: string, detail?: string) => void
}

export const pickFrom = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)]!
