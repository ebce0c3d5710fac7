import { z } from 'zod'

/** ID of a run. It names the run's folder, so it's a valid file name on every system, without dots or separators. */
export const runIdSchema = z.string().regex(/^[\w-]{1,80}$/)
