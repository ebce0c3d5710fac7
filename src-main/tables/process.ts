import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { faultOf } from '#shared/fault'
import { onParentMessage, tellParent } from '../ipc/child-process'
import { memoryCeiling } from './memory'
import type { OrderName, FigureOrders, Said } from './orders'
import { Tables } from './tables'

// Holds tables of figures in a process of its own, so that no table holds up the window. It answers orders until it is told
// to end, or is ended.

// Texts of tables; their numbers lie elsewhere. What needs more ends this process, and not the app.
setFlagsFromString('--max-old-space-size=3072')

/** Arguments were checked where they came in. */
const orderSchema = z.union([
  z.object({ end: z.literal(true) }),
  z.object({ id: z.number().int(), name: z.string(), args: z.unknown() }),
])

const say = (said: Said): void => tellParent(said)
const tables = new Tables({ ceiling: memoryCeiling(), onprogress: (progress) => say({ progress }) })

onParentMessage((message) => {
  const order = orderSchema.parse(message)
  if ('end' in order) return void end()
  const { id, name, args } = order
  tables.answer(id, name as OrderName, args as FigureOrders[OrderName]).then(
    (value) => say({ id, value }),
    (error: unknown) => say({ id, fault: faultOf(error) }),
  )
})

/** Once nothing is written any more that would be left behind. */
async function end(): Promise<void> {
  tables.end()
  while (tables.busy) await new Promise((done) => setTimeout(done, 5))
  process.exit(0)
}
