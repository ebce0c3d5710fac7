import { z } from 'zod'

/** The ID of a run, which names its folder: a single file name on every system, without dots or separators. */
export const runIdSchema = z.string().regex(/^[\w-]{1,80}$/)
