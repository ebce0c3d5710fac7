import { z } from 'zod'

/** Questions about pending changes as the journal has them, which don't need the database. */
export const pendingQuestions = {
  'pending/list': z.object({}),
  /** Writes all pending changes to a file that the user chooses. */
  'pending/export': z.object({}),
  'app/quit': z.object({}),
} as const

export interface PendingChange {
  /** As in the queue. Empty if this version can't read it. */
  label: string
  /** Epoch milliseconds. 0 if unknown. */
  madeAt: number
}

export interface PendingList {
  version: string
  /** The version that opened the profile last, if it's newer. Then the profile is read-only. */
  newerVersion?: string
  changes: PendingChange[]
  /** Damaged lines, which may have been changes. */
  damaged: number
}

export interface PendingAnswers {
  'pending/list': PendingList
  /** Null if the user closed the dialog without choosing. */
  'pending/export': { path: string; bytes: number; changes: number } | null
  'app/quit': null
}
