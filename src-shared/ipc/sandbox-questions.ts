import { z } from 'zod'
import type { JsonObject } from '#shared/json'

export const sandboxQuestions = {
  /** State of the sandbox for the simulator: stopped, running, and with which simulated problems. */
  'sandbox/state': z.object({}),
  'sandbox/run': z.object({ running: z.boolean() }),
  'sandbox/trouble': z.object({ trouble: z.record(z.string(), z.unknown()).nullable() }),
  /** Declares the sign-in, or every sync token, expired. */
  'sandbox/expire': z.object({ what: z.enum(['sign-in', 'sync-tokens']) }),
  /** Runs one operation as the second user, to simulate a conflict. */
  'sandbox/as': z.object({
    person: z.string(),
    operation: z.string(),
    params: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
} as const

export interface SandboxAnswers {
  'sandbox/state': { running: boolean; baseUrl: string }
  'sandbox/run': { running: boolean; baseUrl: string }
  'sandbox/trouble': null
  'sandbox/expire': null
  'sandbox/as': JsonObject
}
