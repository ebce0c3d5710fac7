import { join } from 'node:path'
import { z } from 'zod'
import { placeSchema } from '#shared/links/place'
import { KeptFile } from '../disk/kept-file'
import type { OpenChannel } from '../watch/channels'

/** Stores offline mode, because a restart must not turn it off. */
export const offlineFile = (userData: string): KeptFile<{ offline: boolean }> =>
  new KeptFile(join(userData, 'offline.json'), z.object({ offline: z.boolean() }), { missing: { offline: false } })

/** Open watch channels, stored so that the next start can stop those that a crash left open. */
export const channelsFile = (userData: string): KeptFile<OpenChannel[]> =>
  new KeptFile(
    join(userData, 'open-channels.json'),
    z.array(z.object({ accountId: z.string(), id: z.string(), resourceId: z.string() })),
    { missing: [] },
  )

const openedWindow = z.object({
  place: placeSchema,
  ...{ x: z.int32(), y: z.int32(), width: z.int32().min(400), height: z.int32().min(300), maximized: z.boolean() },
})
/** Another window than the first one, with its place and its position in pixels. */
export type OpenedWindow = z.infer<typeof openedWindow>

/** Other windows to reopen at the next start. */
export const windowsFile = (userData: string): KeptFile<OpenedWindow[]> =>
  new KeptFile(join(userData, 'windows.json'), z.array(openedWindow).max(20), { missing: [] })
