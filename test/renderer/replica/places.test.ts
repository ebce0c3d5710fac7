import { beforeEach, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#shared/json'
import type { Edited, Row, Upon } from '../../../src-renderer/replica/api'
import { seeded, VirtualClock } from '../../flows/model/clock'
import { Device } from '../../flows/model/device'
import { ModelService } from '../../flows/model/service'

let clock: VirtualClock
let mine: Device
let hers: Device
let key: string

const label = 'Type'
const row = (): Row => mine.replica.peek(key)!
const write = (device: Device, patch: JsonObject): Promise<Edited> =>
  device.replica.edit([{ kind: 'change', key, patch }], { label: 'Change' })
const type = (path: string, value: Json, upon: Upon): Promise<Edited> =>
  mine.replica.edit([{ kind: 'places', key, edits: [{ path, value }], upon }], { label })
/** What a form shows, and what a grid shows. */
const asForm = (): Upon => ({ seq: row().remoteSeq, record: row().value! })
const asCells = (...paths: string[]): Upon => ({
  seq: mine.replica.remoteSeq(key),
  values: Object.fromEntries(paths.map((path) => [path, row().value![path] ?? null])),
})
/** She changes the task, and this computer reads it. */
async function elsewhere(patch: JsonObject): Promise<void> {
  await hers.quiesce()
  await write(hers, patch)
  await hers.quiesce()
  mine.replica.syncNow()
  await clock.pass(2_000)
}

beforeEach(async () => {
  clock = new VirtualClock()
  const service = new ModelService(() => clock.time)
  mine = new Device('mine', service, clock, seeded(1))
  hers = new Device('hers', service, clock, seeded(2))
  await mine.start()
  await clock.pass(1_000)
  const { keys } = await mine.replica.edit(
    [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Call', notes: 'one two three' } }],
    { label: 'New' },
  )
  await mine.quiesce()
  key = mine.replica.realKey(keys[0]!)
  await hers.start()
  await clock.pass(1_000)
})

describe('the sequence of a row', () => {
  it('stays the same for your own edits, until they are confirmed and after', async () => {
    const { remoteSeq } = row()
    await write(mine, { title: 'Call Mina' })
    expect(row().remoteSeq).toBe(remoteSeq)
    await mine.quiesce()
    expect([row().mark, row().remoteSeq]).toEqual(['synced', remoteSeq])
    await mine.replica.undo()
    expect([row().value!.title, row().remoteSeq]).toEqual(['Call', remoteSeq])
  })

  it('follows a new record to its key', async () => {
    const { keys } = await mine.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'New', status: 'needsAction' } }],
      { label: 'New' },
    )
    const before = mine.replica.remoteSeq(keys[0]!)
    await mine.quiesce()
    expect(mine.replica.realKey(keys[0]!)).not.toBe(keys[0])
    expect(mine.replica.firstKey(mine.replica.realKey(keys[0]!))).toBe(keys[0])
    expect(mine.replica.remoteSeq(keys[0]!)).toBe(before)
  })

  it('grows when someone else changes what the row shows', async () => {
    const { remoteSeq } = row()
    await elsewhere({ title: 'Write' })
    expect(row().value!.title).toBe('Write')
    expect(row().remoteSeq).toBeGreaterThan(remoteSeq)
    expect(mine.replica.remoteSeq(key)).toBe(row().remoteSeq)
  })

  it('grows when a change arrives below a pending edit, since undo would reveal it', async () => {
    mine.replica.pause(true)
    await write(mine, { title: 'Mine' })
    const { remoteSeq } = row()
    mine.replica.pause(false)
    await mine.replica.setOffline(true)
    await write(hers, { title: 'Hers' })
    await hers.quiesce()
    await mine.replica.setOffline(false)
    await clock.pass(2_000)
    expect(row().value!.title).toBe('Mine')
    expect(row().remoteSeq).toBeGreaterThan(remoteSeq)
  })
})

describe('an edit of places', () => {
  it.each([
    ['a form', asForm],
    ['a grid', () => asCells('title')],
  ])('typed into %s replaces your own later edit, but not an unseen change', async (_where, seen) => {
    const upon = seen()
    await write(mine, { title: 'Mine' })
    expect((await type('title', 'Typed', upon)).left).toEqual([])
    expect(row().value!.title).toBe('Typed')
    await mine.quiesce()
    await elsewhere({ title: 'Hers' })
    expect((await type('title', 'Typed again', upon)).left).toEqual([{ key, path: 'title', now: 'Hers' }])
    expect(row().value!.title).toBe('Hers')
  })

  it('without a sequence keeps your own later edit, too', async () => {
    const { values } = asCells('title')
    await write(mine, { title: 'Mine' })
    expect((await type('title', 'Typed', { values: values! })).left).toEqual([{ key, path: 'title', now: 'Mine' }])
  })

  it('applies the other places, and merges by the rules of the collection', async () => {
    const upon = asCells('title', 'notes', 'due')
    await elsewhere({ title: 'Hers', notes: 'zero one two three' })
    const edits = [
      { path: 'title', value: 'Mine' },
      { path: 'notes', value: 'one two three four' },
      { path: 'due', value: '2026-03-09T00:00:00.000Z' },
    ]
    const { left } = await mine.replica.edit([{ kind: 'places', key, edits, upon }], { label })
    expect(left).toEqual([{ key, path: 'title', now: 'Hers' }])
    expect(row().value).toMatchObject({ title: 'Hers', notes: 'zero one two three four', due: edits[2]!.value })
  })

  it('replaces a change once its author has seen it', async () => {
    await elsewhere({ title: 'Hers' })
    expect((await type('title', 'Mine', asForm())).left).toEqual([])
    await mine.quiesce()
    expect(row().value!.title).toBe('Mine')
  })

  it('says that the record is gone', async () => {
    const upon = asForm()
    await hers.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await hers.quiesce()
    mine.replica.syncNow()
    await clock.pass(2_000)
    expect((await type('title', 'Mine', upon)).left).toEqual([{ key, path: 'title', now: undefined, gone: true }])
  })

  it("that changes nothing adds no step, and doesn't end redo", async () => {
    await write(mine, { title: 'Mine' })
    await mine.replica.undo()
    await type('title', 'Call', asForm())
    expect(mine.replica.undoable).toMatchObject({ redo: 'Change' })
    expect(mine.replica.outbox()).toEqual([])
  })

  it('reaches a record by the key it had when typing began', async () => {
    const { keys } = await mine.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'New' } }],
      { label: 'New' },
    )
    key = keys[0]!
    const upon = asForm()
    await mine.quiesce()
    expect((await type('title', 'Named', upon)).left).toEqual([])
    expect(row().value!.title).toBe('Named')
  })
})

describe('a turn', () => {
  it('keeps its place among edits and undo, however long its work takes', async () => {
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    const title = (): unknown => row().value!.title
    const late = mine.replica.inTurn(async (turn) => {
      await opened
      const upon = asForm()
      return mine.replica.edit([{ kind: 'places', key, edits: [{ path: 'title', value: 'First' }], upon }], {
        label,
        turn,
      })
    })
    const next = write(mine, { title: 'Second' })
    const undone = mine.replica.undo()
    await clock.settle()
    expect(title()).toBe('Call')
    open()
    await Promise.all([late, next, undone])
    expect(title()).toBe('First')
  })

  it('ends with its work, also when that fails', async () => {
    const works: (() => Promise<void>)[] = [
      () => Promise.reject(new Error('Nothing to plan')),
      () => {
        throw new Error('Nothing to plan')
      },
    ]
    const failed = works.map((work) => mine.replica.inTurn(work))
    const next = write(mine, { title: 'Next' })
    for (const one of failed) await expect(one).rejects.toThrow('Nothing to plan')
    await next
    expect(row().value!.title).toBe('Next')
  })

  it('shows an edit at once if nothing is before it', () => {
    void write(mine, { title: 'Now' })
    expect(row().value!.title).toBe('Now')
    void write(mine, { title: 'And now' })
    expect(row().value!.title).toBe('And now')
  })
})

describe('a list of which others change another part while an edit waits', () => {
  const people = (...names: string[]): JsonObject[] => names.map((name) => ({ email: `${name}@example.com` }))
  const guests = (one: JsonObject | null | undefined): string[] =>
    ((one?.attendees ?? []) as JsonObject[]).map(({ email }) => String(email).charAt(0)).sort()
  beforeEach(async () => {
    const times = { start: { dateTime: '2026-03-10T09:00:00Z' }, end: { dateTime: '2026-03-10T10:00:00Z' } }
    const { keys } = await mine.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'me', value: { ...times, attendees: people('ada') } }],
      { label: 'New' },
    )
    await mine.quiesce()
    key = mine.replica.realKey(keys[0]!)
    await hers.quiesce()
    mine.replica.pause(true)
    await write(mine, { attendees: people('ada', 'ben'), location: 'Here' })
    await elsewhere({ attendees: people('ada', 'cleo') })
  })

  it('shows both, and what is set back shows theirs', async () => {
    expect(guests(row().value)).toEqual(['a', 'b', 'c'])
    await write(mine, { attendees: people('ada', 'cleo') })
    expect(guests(row().value)).toEqual(['a', 'c'])
    expect(mine.replica.outbox().map(({ patch }) => patch)).toEqual([{ location: 'Here' }])
    await mine.replica.undo()
    expect(guests(row().value)).toEqual(['a', 'b', 'c'])
    mine.replica.pause(false)
    await mine.quiesce()
    expect(guests((await mine.replica.read(key))?.base)).toEqual(['a', 'b', 'c'])
  })

  it('keeps theirs out of the pending change when it is edited again', async () => {
    await write(mine, { attendees: people('ada', 'ben', 'cleo', 'dora') })
    expect(guests(row().value)).toEqual(['a', 'b', 'c', 'd'])
    expect(mine.replica.outbox().map(({ patch }) => guests(patch))).toEqual([['a', 'b', 'd']])
    await mine.replica.undo()
    await mine.replica.undo()
    expect([guests((await mine.replica.read(key))?.value), mine.replica.outbox()]).toEqual([['a', 'c'], []])
  })
})
