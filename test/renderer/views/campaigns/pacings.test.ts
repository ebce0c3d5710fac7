import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { DeliveredDays } from '#shared/pacing/delivered-days'
import { dayNumber } from '#shared/pacing/pacing'
import type { Replica, Row, TableRows, Topic } from '../../../../src-renderer/replica/api'
import { Pacings } from '../../../../src-renderer/views/campaigns/pacings.svelte'

const from = dayNumber('2026-03-01')!
const file = {
  days: new DeliveredDays({
    ...{ ids: ['1'], names: ['One'], starts: Uint32Array.of(0, 10) },
    ...{ days: Int32Array.from({ length: 10 }, (_unused, at) => from + at), activities: {}, left: 0 },
    metrics: { impressions: new Float64Array(10).fill(40) },
  }),
  ...{ from, asOf: from + 9, narrowed: false },
}
const key = recordKey('placements', '7', '1')
const booked = (units: number): JsonObject => ({
  id: '1',
  pricingSchedule: {
    pricingType: 'PRICING_TYPE_CPM',
    pricingPeriods: [{ startDate: '2026-03-01', endDate: '2026-03-20', units: String(units) }],
  },
})

let units: number
let mark: Row['mark']
let fails: boolean
let reads: number
let listeners: Set<(topics: ReadonlySet<Topic>) => void>
let pacings: Pacings

/** Holds one placement, which is only on disk. An own edit doesn't raise its number. */
const replica = {
  peek: () => undefined,
  remoteSeq: () => 1,
  table: async () => ({ length: 1, key: () => key }) as unknown as TableRows,
  readAll: async () => {
    reads++
    if (fails) throw new Error('The disk cannot be read')
    const row = { key, collection: 'placements', parent: '7', id: '1', value: booked(units), mark, remoteSeq: 1 }
    return new Map([[key, row as Row]])
  },
  subscribe: (listener: (topics: ReadonlySet<Topic>) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
} as unknown as Replica
const changed = (...topics: Topic[]): void => listeners.forEach((listener) => listener(new Set(topics)))
const percent = (): number | undefined => pacings.known?.get('1')?.percent
const wanted = { query: { parent: '7' }, file }

beforeEach(() => {
  vi.useFakeTimers()
  units = 1_000
  mark = 'synced'
  fails = false
  reads = 0
  listeners = new Set()
  pacings = new Pacings(
    replica,
    () => wanted,
    () => (mark === 'synced' ? [] : [key]),
  )
})
afterEach(() => {
  vi.useRealTimers()
})

it('a column that is shown again has the bookings that were confirmed in between', async () => {
  const end = pacings.start(wanted)
  await vi.advanceTimersByTimeAsync(0)
  expect(percent()).toBe(80)
  end()
  expect(listeners.size).toBe(0)
  units = 2_000
  const endAgain = pacings.start(wanted)
  await vi.advanceTimersByTimeAsync(0)
  expect(percent()).toBe(40)
  endAgain()
})

it('follows an own edit while it’s pending and once it’s confirmed, and reads nothing twice', async () => {
  const end = pacings.start(wanted)
  await vi.advanceTimersByTimeAsync(0)
  changed('placements')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(1)
  ;[units, mark] = [2_000, 'local']
  changed('placements', 'outbox')
  ;[units, mark] = [4_000, 'synced']
  changed('placements', 'outbox')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([percent(), reads]).toEqual([20, 2])
  end()
})

it('tries again after a failed reading, until it ends', async () => {
  fails = true
  const end = pacings.start(wanted)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([reads, percent()]).toEqual([1, undefined])
  fails = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reads, percent()]).toEqual([2, 80])
  changed('placements')
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toBe(2)
})
