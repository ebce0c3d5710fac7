import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { checkedSvg } from '../exports/svg'
import { answerParent } from '../ipc/child-process'
import type { ReadContract } from '../ipc/read-in-process'
import type { ReadOrder } from './untrusted-files'
import { readFileFacts } from './file-facts'
import { readRows } from './read-rows'

// Reads one untrusted file, or a picture of the window, in a separate process. It answers once, and the parent ends it.

// A file that needs more memory kills this process, not the app.
setFlagsFromString('--max-old-space-size=2048')

/** Maximum size of the columns of a run's file, in bytes, in addition to the heap. */
const ceiling = 2 * 1024 ** 3

const orderSchema = z.union([
  z.object({ svg: z.string() }),
  z.object({ rows: z.string() }),
  z.object({ facts: z.string(), reading: z.record(z.string(), z.unknown()) }),
])

answerParent<ReadContract<unknown, unknown>>({
  read: (message) => {
    // The parent created these options.
    const order = orderSchema.parse(message) as ReadOrder
    if ('svg' in order) return checkedSvg(order.svg)
    return 'rows' in order ? readRows(order.rows) : readFileFacts(order.facts, { ...order.reading, ceiling })
  },
})
