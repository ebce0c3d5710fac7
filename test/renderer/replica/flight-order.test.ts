import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { post } from '../../../src-renderer/replica/post'
import type { Tx } from '../../../src-renderer/replica/tx'
import { flightOrder } from '../../../src-renderer/replica/flight-order'
import { orderPosts } from '../../../src-renderer/replica/posting-order'

const facts = factsOf()
const campaign = { id: '1', startDate: '2026-06-01', endDate: '2026-06-30' }
const flight = (startDate: string, endDate: string): JsonObject => ({ pricingSchedule: { startDate, endDate } })
const entry = (id: string, collection: 'campaigns' | 'placements', base: JsonObject | null, patch: JsonObject) =>
  ({
    ...{ id, collection, parent: '7', recordId: String(base?.['id'] ?? `local:${id}`), base, patch },
    kind: base ? 'change' : 'create',
  }) as unknown as OutboxEntry
const order = (...entries: OutboxEntry[]) =>
  flightOrder(facts, entries, (key) => (key === recordKey('campaigns', '7', '1') ? campaign : null))
/** Pending entries, as a transaction sees them. */
function outboxOf(...entries: OutboxEntry[]): { tx: Tx; waits: () => (readonly string[])[] } {
  const outbox = new Map(entries.map((one) => [one.id, one]))
  const memory = {
    ...{ facts, row: () => ({ base: campaign }) },
    outbox: { list: () => [...outbox.values()], get: (id: string) => outbox.get(id) },
  }
  const tx = { memory, putEntry: (one: OutboxEntry) => outbox.set(one.id, one) } as unknown as Tx
  return { tx, waits: () => [...outbox.values()].map(({ dependsOn }) => dependsOn) }
}
const placement = { id: '2', campaignId: '1', ...flight('2026-06-01', '2026-06-30') }

const shorter = entry('a', 'campaigns', campaign, { endDate: '2026-06-15' })
const cut = entry('b', 'placements', placement, flight('2026-06-01', '2026-06-10'))

describe('flights', () => {
  it('that outgrow their campaign go after the change that extends it, whichever was made first', () => {
    const longer = entry('b', 'campaigns', campaign, { endDate: '2026-07-31' })
    const outgrown = entry('a', 'placements', placement, flight('2026-06-01', '2026-07-15'))
    expect(order(outgrown, longer)).toEqual([{ id: 'a', after: 'b' }])
    expect(order(longer, outgrown)).toEqual([{ id: 'a', after: 'b' }])
  })
  it('of new placements do so, too', () => {
    const longer = entry('b', 'campaigns', campaign, { startDate: '2026-05-01' })
    const made = entry('a', 'placements', null, { campaignId: '1', ...flight('2026-05-15', '2026-06-15') })
    expect(order(made, longer)).toEqual([{ id: 'a', after: 'b' }])
  })
  it('that get shorter go before a campaign that would leave them out', () => {
    expect(order(shorter, cut)).toEqual([{ id: 'a', after: 'b' }])
  })
  it('turn around if they were extended and are shortened instead', () => {
    const outbox = outboxOf({ ...shorter, dependsOn: ['other'] }, { ...cut, dependsOn: ['a'] })
    orderPosts(outbox.tx)
    expect(outbox.waits()).toEqual([['other', 'b'], []])
  })
  it('that were posted wait for no draft until it is posted, too', () => {
    const outbox = outboxOf({ ...shorter, dependsOn: [] }, { ...cut, dependsOn: [], held: true })
    post(outbox.tx, ['another'])
    expect(outbox.waits()).toEqual([[], []])
    expect(post(outbox.tx, ['b'])).toBe(1)
    expect(outbox.waits()).toEqual([['b'], []])
  })
  it('that fit both before and after wait for nothing', () => {
    const longer = entry('a', 'campaigns', campaign, { endDate: '2026-07-31' })
    expect(order(longer, entry('b', 'placements', placement, { name: 'New' }))).toEqual([])
    expect(order(longer, entry('b', 'placements', placement, flight('2026-06-02', '2026-06-30')))).toEqual([])
  })
})
