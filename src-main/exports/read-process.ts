import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { answerOnce } from '../ipc/child-process'
import { readCalendarFile } from './read-file'

// Reads one calendar file in a process of its own, so that no file can hold up the app: it answers once and is ended by
// whoever started it.

// Enough for 64 MB of text; what needs more ends this process, and not the computer's memory.
setFlagsFromString('--max-old-space-size=1024')

const orderSchema = z.object({ path: z.string(), zone: z.string() })

answerOnce(async (order) => {
  const { path, zone } = orderSchema.parse(order)
  return readCalendarFile(path, zone)
})
