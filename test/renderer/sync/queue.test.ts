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

describe('what may be sent', () => {
  it('is one entry of a record at a time, the oldest', () => {
    expect(ids([event('1', { recordId: 'e' }), event('2', { recordId: 'e' })])).toEqual(['1'])
  })

  it('is up to four calendar entries and one task at a time', () => {
    expect(ids([...'123456'].map((id) => event(id)))).toEqual(['1', '2', '3', '4'])
    expect(ids([task('1'), task('2'), event('3')], 'tasks')).toEqual(['1'])
    expect(ids([task('1', { state: 'sending' }), task('2')], 'tasks')).toEqual([])
  })

  it('is what is of the service asked about', () => {
    const mixed = [task('1', { state: 'sending' }), event('2'), task('3'), event('4')]
    expect(ids(mixed, 'calendar')).toEqual(['2', '4'])
    expect(ids(mixed, 'tasks')).toEqual([])
  })

  it('is nothing before what it depends on in another service', () => {
    const first = event('1')
    const second = task('2', { dependsOn: ['1'] })
    expect(ids([first, second], 'tasks')).toEqual([])
    expect(ids([second], 'tasks')).toEqual(['2'])
  })

  it('is not kept back by an entry that names itself', () => {
    expect(ids([event('1', { dependsOn: ['1'] }), event('2')])).toEqual(['1', '2'])
  })

  it('leaves out what may not go yet, and takes what stands behind it', () => {
    const may = ({ id }: Entry): boolean => id !== '1'
    const { ready } = pick(queue([task('1'), task('2')]), 'tasks', new Map(), 0, may)
    expect(ready.map(({ id }) => id)).toEqual(['2'])
  })

  it('is nothing before what it depends on', () => {
    expect(
      ids([event('1', { state: 'needsYou' }), event('2', { dependsOn: ['1'] }), event('3', { dependsOn: ['gone'] })]),
    ).toEqual(['3'])
  })

  it('never waits for a record that needs the person or has to wait', () => {
    const parked = task('1', { state: 'needsYou' })
    const later = task('2', { notBefore: 1 })
    const waits = new Map([['2', 50]])
    expect(picked([parked, later, task('3')], 'tasks', waits).ready.map(({ id }) => id)).toEqual(['3'])
    expect(picked([parked, later], 'tasks', waits).nextAt).toBe(50)
    expect(picked([parked, later], 'tasks', waits, 50).ready.map(({ id }) => id)).toEqual(['2'])
  })

  it('leaves out what belongs to something that was never sent', () => {
    expect(orphaned(factsOf(), task('1', { parent: 'local:x' }))).toBe('local:x')
    expect(
      orphaned(factsOf(), task('1', { kind: 'create', recordId: 'local:x', place: { parent: 'real' } })),
    ).toBeUndefined()
  })
})

describe('waiting', () => {
  it('doubles, with jitter, up to 64 seconds', () => {
    expect([0, 1, 2, 5].map((n) => backOff(n, () => 0.5))).toEqual([1_500, 2_500, 4_500, 32_500])
    expect(backOff(6, () => 0.5)).toBe(64_000)
    expect(backOff(60, () => 0)).toBe(64_000)
  })

  it('counts the units of the last minute', () => {
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
