import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { answerParent } from '../ipc/child-process'
import type { ReadContract } from '../ipc/read-in-process'
import { readCalendarFile } from './read-file'

// Reads one calendar file in its own process, so that no file can block the app. Answers once. Then the parent ends the
// process.

// Enough for 64 MB of text. A file that needs more ends this process instead of using up the computer's memory.
setFlagsFromString('--max-old-space-size=1024')

const orderSchema = z.object({ path: z.string(), zone: z.string() })

answerParent<ReadContract<unknown, unknown>>({
  read: (order) => {
    const { path, zone } = orderSchema.parse(order)
    return readCalendarFile(path, zone)
  },
})
