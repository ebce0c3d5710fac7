import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { checkedSvg } from '../exports/svg'
import { answerOnce } from '../ipc/child-process'
import type { ReadOrder } from './untrusted-files'
import { readFileFacts } from './file-facts'
import { readRows } from './read-rows'

// Reads one file that someone else wrote, or a picture of the window, in a process of its own: it answers once and is ended by
// whoever started it.

// What needs more ends this process, and not the app.
setFlagsFromString('--max-old-space-size=2048')

/** Bytes that the columns of a run's file may take beside that. */
const ceiling = 2 * 1024 ** 3

const orderSchema = z.union([
  z.object({ svg: z.string() }),
  z.object({ rows: z.string() }),
  z.object({ facts: z.string(), reading: z.record(z.string(), z.unknown()) }),
])

answerOnce((message) => {
  // How a file is read was made by the parent.
  const order = orderSchema.parse(message) as ReadOrder
  if ('svg' in order) return Promise.resolve().then(() => checkedSvg(order.svg))
  return 'rows' in order ? readRows(order.rows) : readFileFacts(order.facts, { ...order.reading, ceiling })
})
