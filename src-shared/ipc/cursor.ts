import { z } from 'zod'

/** Where a pull goes on: a sync token, a server time, or nothing (snapshot). Kept by the renderer with the rows. */
export const cursorSchema = z.object({
  kind: z.enum(['syncToken', 'updatedMin', 'minChangeTime', 'etag']),
  value: z.string(),
})
export type Cursor = z.infer<typeof cursorSchema>
