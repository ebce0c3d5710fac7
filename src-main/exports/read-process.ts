import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { faultOf } from '#shared/fault'
import { readCalendarFile } from './read-file'

/**
 * Reads one calendar file in a process of its own, so that no file can hold up the app: it answers once and is ended by
 * whoever started it. Electron and Node give it different doors.
 */
interface Door {
  on(name: 'message', listener: (message: unknown) => void): unknown
  postMessage?(message: unknown): void
  send?(message: unknown): unknown
}

// Enough for 64 MB of text; what needs more ends this process, and not the computer's memory.
setFlagsFromString('--max-old-space-size=1024')

const orderSchema = z.object({ path: z.string(), zone: z.string() })
const door = ((process as { parentPort?: Door }).parentPort ?? process) as Door

function answer(message: unknown): void {
  if (door.postMessage) door.postMessage(message)
  else door.send?.(message)
}

door.on('message', (message) => {
  // Electron wraps what was posted.
  const order = orderSchema.parse((message as { data?: unknown }).data ?? message)
  void readCalendarFile(order.path, order.zone).then(
    (read) => answer({ ok: true, read }),
    (error: unknown) => answer({ ok: false, fault: faultOf(error) }),
  )
})
