import { z } from 'zod'

/** Start of the next pull: a sync token, a server time, or none (snapshot). The renderer stores it with the rows. */
export const cursorSchema = z.object({
  kind: z.enum(['syncToken', 'updatedMin', 'minChangeTime', 'etag']),
  value: z.string(),
})
export type Cursor = z.infer<typeof cursorSchema>
