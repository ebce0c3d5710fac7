import { z } from 'zod'

/** Questions about new versions of the app. */
export const updateQuestions = {
  'updates/state': z.object({}),
  /** Looks for an update now. The answer is the state at the end. */
  'updates/check': z.object({}),
  'updates/change': z.object({ automatic: z.boolean() }),
  /** Quits, installs the update that is ready, and starts again. */
  'updates/install': z.object({}),
} as const

/** Why this copy of the app can't update itself. */
export type NotUpdatable = 'source' | 'package'

export interface UpdateState {
  /** Absent if this build has no update server. Then nothing but the version is shown. */
  source?: 'feed' | NotUpdatable
  /** Looks for updates and downloads them without being asked. */
  automatic: boolean
  phase: 'idle' | 'checking' | 'downloading' | 'ready'
  /** The newer version, once it's known. */
  next?: { version: string; notes: string }
  /** Why the last check or download failed. */
  problem?: string
  /** Time of the last check that succeeded, in epoch milliseconds. */
  checkedAt?: number
}

export interface UpdateAnswers {
  'updates/state': UpdateState
  'updates/check': UpdateState
  'updates/change': UpdateState
  'updates/install': null
}

export interface UpdateAnnouncements {
  'updates/changed': { state: UpdateState }
}
