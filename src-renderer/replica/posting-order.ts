import type { Facts } from '#shared/facts/facts'
import type { OutboxEntry } from '#shared/mutation/entry'
import { flightOrder, type BaseOf, type InOrder } from './flight-order'
import { nameOrder } from './name-order'
import { closesCircle } from './pending'
import { referenceOrder } from './reference-order'
import type { Tx } from './tx'

/** Pairs of entries that the service would reject in another order. */
export const postingOrder = (facts: Pick<Facts, 'of'>, entries: readonly OutboxEntry[], baseOf: BaseOf): InOrder[] =>
  [flightOrder, nameOrder, referenceOrder].flatMap((orderOf) => orderOf(facts, entries, baseOf))

/** Makes pending entries wait for each other in their posting order. A posted entry never waits for a draft. */
export function orderPosts(tx: Tx): void {
  const { memory } = tx
  const { outbox, facts } = memory
  const orders = postingOrder(facts, outbox.list(), (key) => memory.row(key)?.base)
  const needed = new Set(orders.map(({ id, after }) => `${id} ${after}`))
  for (const { id, after } of orders) {
    const entry = outbox.get(id)!
    const other = outbox.get(after)!
    // An earlier edit may have needed the opposite order, the only reason for changes of two records to depend on each other.
    const isTurned = other.dependsOn.includes(id) && !needed.has(`${after} ${id}`)
    if (isTurned && entry.kind === 'change' && other.state !== 'sending')
      tx.putEntry({ ...other, dependsOn: other.dependsOn.filter((one) => one !== id) })
    if (other.held && !entry.held) continue
    if (entry.state === 'sending' || entry.dependsOn.includes(after) || closesCircle(memory, id, [after])) continue
    tx.putEntry({ ...outbox.get(id)!, dependsOn: [...entry.dependsOn, after] })
  }
}
