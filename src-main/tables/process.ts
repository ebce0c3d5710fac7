import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { faultOf } from '#shared/fault'
import { onParentMessage, tellParent } from '../ipc/child-process'
import { memoryCeiling } from './memory'
import type { OrderName, FigureOrders, Said } from './orders'
import { Tables } from './tables'

// Holds report results in its own process, so that no table blocks the window. Answers orders until it gets the order to exit
// or is killed.

// Heap limit for texts, because numbers live outside the heap. Exceeding it ends this process, not the app.
setFlagsFromString('--max-old-space-size=3072')

/** Main has already validated the arguments. */
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

/** Exits once no file is being written. */
async function end(): Promise<void> {
  tables.end()
  while (tables.busy) await new Promise((done) => setTimeout(done, 5))
  process.exit(0)
}
