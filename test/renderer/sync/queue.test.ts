import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { QuotaUsage } from '../../../src-renderer/sync/quota-usage'
import { backOff } from '../../../src-renderer/replica/environment'
import { Outbox } from '../../../src-renderer/replica/outbox'
import { orphaned, pick, type Picked, type Waits } from '../../../src-renderer/sync/queue'
import { entryOf } from '../replica/store.conformance'

type Entry = ReturnType<typeof entryOf>
const queue = (entries: Entry[]): Outbox => {
  const outbox = new Outbox()
  for (const entry of entries) outbox.put(entry)
  return outbox
}
const picked = (entries: Entry[], service: 'calendar' | 'tasks', waits: Waits = new Map(), elapsed = 0): Picked =>
  pick(queue(entries), service, waits, elapsed)
const ids = (entries: Entry[], service: 'calendar' | 'tasks' = 'calendar'): string[] =>
  picked(entries, service).ready.map((entry) => entry.id)
const task = (id: string, more = {}): Entry =>
  entryOf(id, { collection: 'tasks', parent: 'l', recordId: `t${id}`, ...more })
const event = (id: string, more = {}): Entry => entryOf(id, { recordId: `e${id}`, ...more })

describe('entries to send', () => {
  it('are one per record, the oldest', () => {
    expect(ids([event('1', { recordId: 'e' }), event('2', { recordId: 'e' })])).toEqual(['1'])
  })

  it('are up to four for the calendar and one task at a time', () => {
    expect(ids([...'123456'].map((id) => event(id)))).toEqual(['1', '2', '3', '4'])
    expect(ids([task('1'), task('2'), event('3')], 'tasks')).toEqual(['1'])
    expect(ids([task('1', { state: 'sending' }), task('2')], 'tasks')).toEqual([])
  })

  it('belong to the requested service', () => {
    const mixed = [task('1', { state: 'sending' }), event('2'), task('3'), event('4')]
    expect(ids(mixed, 'calendar')).toEqual(['2', '4'])
    expect(ids(mixed, 'tasks')).toEqual([])
  })

  it('wait for dependencies in another service', () => {
    const first = event('1')
    const second = task('2', { dependsOn: ['1'] })
    expect(ids([first, second], 'tasks')).toEqual([])
    expect(ids([second], 'tasks')).toEqual(['2'])
  })

  it("don't wait for themselves", () => {
    expect(ids([event('1', { dependsOn: ['1'] }), event('2')])).toEqual(['1', '2'])
  })

  it('skip delayed ones and take later ones', () => {
    const may = ({ id }: Entry): boolean => id !== '1'
    const { ready } = pick(queue([task('1'), task('2')]), 'tasks', new Map(), 0, may)
    expect(ready.map(({ id }) => id)).toEqual(['2'])
  })

  it('wait for their dependencies', () => {
    expect(
      ids([event('1', { state: 'needsYou' }), event('2', { dependsOn: ['1'] }), event('3', { dependsOn: ['gone'] })]),
    ).toEqual(['3'])
  })

  it('never block on a record that needs attention or is delayed', () => {
    const parked = task('1', { state: 'needsYou' })
    const later = task('2', { notBefore: 1 })
    const waits = new Map([['2', 50]])
    expect(picked([parked, later, task('3')], 'tasks', waits).ready.map(({ id }) => id)).toEqual(['3'])
    expect(picked([parked, later], 'tasks', waits).nextAt).toBe(50)
    expect(picked([parked, later], 'tasks', waits, 50).ready.map(({ id }) => id)).toEqual(['2'])
  })

  it('exclude the contents of something never sent', () => {
    expect(orphaned(factsOf(), task('1', { parent: 'local:x' }))).toBe('local:x')
    expect(
      orphaned(factsOf(), task('1', { kind: 'create', recordId: 'local:x', place: { parent: 'real' } })),
    ).toBeUndefined()
  })
})

describe('backoff', () => {
  it('doubles with jitter, up to 64 seconds', () => {
    expect([0, 1, 2, 5].map((n) => backOff(n, () => 0.5))).toEqual([1_500, 2_500, 4_500, 32_500])
    expect(backOff(6, () => 0.5)).toBe(64_000)
    expect(backOff(60, () => 0)).toBe(64_000)
  })

  it('counts the quota units of the last minute', () => {
    let now = 0
    const spent = new QuotaUsage(() => now)
    spent.add(6)
    now = 10_000
    spent.add(4)
    expect(spent.lastMinute).toBe(10)
    now = 60_000
    expect(spent.lastMinute).toBe(4)
  })
})
