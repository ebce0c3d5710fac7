import { describe, expect, it } from 'vitest'
import { Spent } from '../../../src-renderer/sync/spent'
import { backOff } from '../../../src-renderer/replica/environment'
import { Outbox } from '../../../src-renderer/replica/outbox'
import { orphaned, pick } from '../../../src-renderer/sync/queue'
import { entryOf } from '../replica/store.conformance'

const queue = (entries: ReturnType<typeof entryOf>[]): Outbox => {
  const outbox = new Outbox()
  for (const entry of entries) outbox.put(entry)
  return outbox
}
const ids = (entries: ReturnType<typeof entryOf>[]): string[] =>
  pick(queue(entries), new Map(), 0).ready.map((entry) => entry.id)
const task = (id: string, more = {}): ReturnType<typeof entryOf> =>
  entryOf(id, { collection: 'tasks', parent: 'l', recordId: `t${id}`, ...more })
const event = (id: string, more = {}): ReturnType<typeof entryOf> => entryOf(id, { recordId: `e${id}`, ...more })

describe('what may be sent', () => {
  it('is one entry of a record at a time, the oldest', () => {
    expect(ids([event('1', { recordId: 'e' }), event('2', { recordId: 'e' })])).toEqual(['1'])
  })

  it('is up to four calendar entries and one task at a time', () => {
    expect(ids([...'123456'].map((id) => event(id)))).toEqual(['1', '2', '3', '4'])
    expect(ids([task('1'), task('2'), event('3')])).toEqual(['1', '3'])
    expect(ids([task('1', { state: 'sending' }), task('2')])).toEqual([])
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
    expect(pick(queue([parked, later, task('3')]), waits, 0).ready.map(({ id }) => id)).toEqual(['3'])
    expect(pick(queue([parked, later]), waits, 0).nextAt).toBe(50)
    expect(pick(queue([parked, later]), waits, 50).ready.map(({ id }) => id)).toEqual(['2'])
  })

  it('leaves out what belongs to something that was never sent', () => {
    expect(orphaned(task('1', { parent: 'local:x' }))).toBe('local:x')
    expect(orphaned(task('1', { kind: 'create', recordId: 'local:x', place: { parent: 'real' } }))).toBeUndefined()
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
    const spent = new Spent(() => now)
    spent.add(6)
    now = 10_000
    spent.add(4)
    expect(spent.lastMinute).toBe(10)
    now = 60_000
    expect(spent.lastMinute).toBe(4)
  })
})
