import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { recreatedEventId } from '#shared/mutation/ids'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'
import { withoutRecords } from '../helpers/forgotten'
import { primary, times } from '../helpers/some-event'

/** One side deletes, the other edits. After the choice, whatever lost can be brought back. */
describe('a deletion against an edit, after the choice', () => {
  const service = serviceForEach()
  let here: Device
  let key: string
  let eventId: string
  const forgotten = new Set<string>()

  beforeEach(async () => {
    forgotten.clear()
    here = await deviceOf(service, { fetch: withoutRecords(forgotten) })
    await here.settled()
    const value = { summary: 'Launch', ...times }
    const edited = await here.replica.edit([{ kind: 'create', collection: 'events', parent: primary, value }], {
      label: 'New',
    })
    key = edited.keys[0]!
    await here.settled()
    eventId = (await here.replica.read(key))!.id
    await here.replica.setOffline(true)
  })
  afterEach(() => here?.close())

  const params = (): { calendarId: string; eventId: string } => ({ calendarId: primary, eventId })
  const renameHere = (): Promise<unknown> =>
    here.replica.edit([{ kind: 'change', key, patch: { summary: 'Launch, mine' } }], { label: 'Rename' })
  const deleteThere = (): Promise<unknown> => service.client.call('calendar.events.delete', params())
  const renameThere = (): Promise<unknown> =>
    service.client.call('calendar.events.patch', params(), { body: { summary: 'Launch, theirs' } })
  const deleteHere = (): Promise<unknown> => here.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })

  const titles = async (): Promise<unknown[]> => {
    const { body } = await service.client.call('calendar.events.list', { calendarId: primary })
    return (body.items ?? []).map(({ summary }) => summary).filter((title) => title?.startsWith('Launch'))
  }
  async function resolved(keep: 'mine' | 'theirs'): Promise<void> {
    await here.replica.setOffline(false)
    await here.asks()
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep })
    await here.settled()
  }

  it('my edit that lost to their deletion stays in the history with its values', async () => {
    await renameHere()
    await deleteThere()
    await resolved('theirs')
    expect(await titles()).toEqual([])
    const [item] = await here.replica.history()
    expect(item).toMatchObject({ entry: { patch: { summary: 'Launch, mine' }, base: { summary: 'Launch' } } })
  })

  it('a record whose deletion I accepted is listed as deleted, and comes back with my edit', async () => {
    await renameHere()
    await deleteThere()
    await resolved('theirs')
    await here.restart()
    const [deleted, ...others] = here.replica.deleted()
    expect([deleted, others]).toMatchObject([
      { key, elsewhere: true, items: [{ value: { summary: 'Launch, mine' } }] },
      [],
    ])
    await here.replica.edit([{ kind: 'restore', key: deleted!.key }], { label: 'Restore' })
    await here.settled()
    expect([await titles(), here.replica.outbox(), here.replica.deleted()]).toEqual([['Launch, mine'], [], []])
  })

  it('a deletion that I accepted is a step: undo brings back the record with my edit, and redo deletes it', async () => {
    await renameHere()
    await deleteThere()
    await resolved('theirs')
    await here.restart()
    expect(await here.replica.undo()).toBe('Resolve conflict')
    await here.settled()
    expect([await titles(), here.replica.deleted()]).toEqual([['Launch, mine'], []])
    expect(await here.replica.redo()).toBe('Resolve conflict')
    await here.settled()
    expect([await titles(), here.replica.outbox()]).toEqual([[], []])
    expect(await here.replica.undo()).toBe('Resolve conflict')
    await here.settled()
    expect([await titles(), here.replica.undoable.undo]).toEqual([['Launch, mine'], 'Rename'])
  })

  it('a choice between two edits is a step, too', async () => {
    await renameHere()
    await renameThere()
    await resolved('theirs')
    expect(await titles()).toEqual(['Launch, theirs'])
    expect(await here.replica.undo()).toBe('Resolve conflict')
    expect(here.replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { fields: ['summary'] } }])
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
    await here.settled()
    expect(await titles()).toEqual(['Launch, mine'])
  })

  it('their deletion that lost to my edit can be made again', async () => {
    await renameHere()
    await deleteThere()
    await resolved('mine')
    expect(await titles()).toEqual(['Launch, mine'])
    await here.replica.edit(
      [{ kind: 'delete', key: here.replica.peek(key)?.key ?? (await here.replica.read(key))!.key }],
      { label: 'Delete' },
    )
    await here.settled()
    expect(await titles()).toEqual([])
  })

  it('my deletion that lost to their edit can be made again', async () => {
    await deleteHere()
    await renameThere()
    await resolved('theirs')
    expect(await titles()).toEqual(['Launch, theirs'])
    // Nothing was deleted, so that is no step.
    expect(here.replica.undoable).toEqual({ undo: 'New', redo: null })
    await deleteHere()
    await here.settled()
    expect(await titles()).toEqual([])
  })

  it.each(['restore', 'undo', 'restart and restore'])(
    'their edit that lost to my deletion comes back with the record: %s',
    async (how) => {
      await deleteHere()
      await renameThere()
      await resolved('mine')
      expect(await titles()).toEqual([])
      if (how === 'restart and restore') await here.restart()
      const [gone] = here.replica.deleted()
      if (how === 'undo') expect(await here.replica.undo()).toBe('Delete')
      else await here.replica.edit([{ kind: 'restore', key: gone!.key }], { label: 'Restore' })
      await here.settled()
      expect(await titles()).toEqual(['Launch, theirs'])
    },
  )

  it.each([
    ['another field', { location: 'Their room' }],
    ['the same field', { summary: 'Launch, theirs', location: 'Their room' }],
  ])('my edit before my deletion comes back with the record and their edit of %s', async (_which, theirs) => {
    await here.replica.edit(
      [{ kind: 'change', key, patch: { summary: 'Launch, mine', description: 'Typed before' } }],
      { label: 'Describe' },
    )
    await deleteHere()
    await service.client.call('calendar.events.patch', params(), { body: theirs })
    await resolved('mine')
    await here.replica.edit([{ kind: 'restore', key: here.replica.deleted()[0]!.key }], { label: 'Restore' })
    await here.settled()
    const { body } = await service.client.call('calendar.events.get', params())
    expect(body).toMatchObject({
      status: 'confirmed',
      summary: 'Launch, mine',
      description: 'Typed before',
      ...theirs,
    })
  })

  it('a record that I kept and that they restored as well is one, with the edits of both', async () => {
    await renameHere()
    await deleteThere()
    await here.replica.setOffline(false)
    await here.asks()
    await here.replica.setOffline(true)
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
    await service.client.call('calendar.events.patch', params(), {
      body: { status: 'confirmed', location: 'Their room' },
    })
    await here.replica.setOffline(false)
    await here.settled()
    expect([here.replica.outbox(), await titles()]).toEqual([[], ['Launch, mine']])
    expect((await here.replica.read(key))?.value).toMatchObject({ summary: 'Launch, mine', location: 'Their room' })
    expect(await here.replica.undo()).toBe('Rename')
    await here.settled()
    expect(await titles()).toEqual(['Launch'])
  })

  it('an event whose next ID someone used and deleted, too, is created again without another question', async () => {
    await renameHere()
    await deleteThere()
    forgotten.add(eventId)
    const again = { calendarId: primary, eventId: recreatedEventId(eventId) }
    const body = { id: again.eventId, summary: 'Launch, theirs', ...times }
    await service.client.call('calendar.events.insert', { calendarId: primary }, { body })
    await service.client.call('calendar.events.delete', again)
    await resolved('mine')
    expect([here.replica.outbox(), await titles()]).toEqual([[], ['Launch, mine']])
    await here.replica.undo()
    await here.settled()
    expect([here.replica.outbox(), await titles()]).toEqual([[], ['Launch']])
  })

  it('a record that I had to create again and that is back as well are two, each with its own edits', async () => {
    await renameHere()
    await deleteThere()
    forgotten.add(eventId)
    await resolved('mine')
    forgotten.clear()
    await service.client.call('calendar.events.patch', params(), {
      body: { status: 'confirmed', summary: 'Launch, back' },
    })
    await here.settled()
    expect((await titles()).sort()).toEqual(['Launch, back', 'Launch, mine'])
    expect((await here.replica.read(key))?.value).toMatchObject({ summary: 'Launch, back' })
    // A view that shows both distinguishes them.
    const again = recordKey('events', primary, recreatedEventId(eventId))
    expect(here.replica.firstKey(again)).not.toBe(here.replica.firstKey(key))
    await here.replica.edit([{ kind: 'change', key, patch: { summary: 'Launch, edited' } }], { label: 'Rename' })
    await here.settled()
    expect((await titles()).sort()).toEqual(['Launch, edited', 'Launch, mine'])
  })
})
