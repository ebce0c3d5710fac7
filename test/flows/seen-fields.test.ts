import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { seenIn } from '../../src-renderer/context/seen-fields'
import { modelForEach } from './model/for-each'

const { clock, service, replica } = modelForEach(2_000)

const tasklist = 'inbox'
let id: string
const key = (): string => recordKey('tasks', tasklist, id)
const ada = (body: Record<string, string>): unknown =>
  service.callAs('ada', 'tasks.tasks.patch', { tasklist, task: id }, body)
const onService = () => service.living(`tasks ${tasklist}`).find((one) => one.id === id)
async function read(): Promise<void> {
  replica.syncNow()
  await clock.pass(60_000)
}
async function arrange(): Promise<void> {
  id = String(service.callAs('ada', 'tasks.tasks.insert', { tasklist }, { title: 'Call', notes: 'Number' })!.id)
  await read()
}

describe('an edit whose author began before someone else’s change was read', () => {
  it('asks if it’s about the same field', async () => {
    await arrange()
    const upon = seenIn(replica.peek(key())!, 'title')
    ada({ title: 'Call Jo' })
    await read()
    await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call Mina' }, upon }], { label: 'Rename' })
    await clock.pass(60_000)
    expect(onService()?.['title']).toBe('Call Jo')
    expect(replica.outbox()).toMatchObject([
      { state: 'needsYou', base: { title: 'Call' }, patch: { title: 'Call Mina' }, conflict: { fields: ['title'] } },
    ])
  })

  it('asks if the field was empty before, in an edit of its own or a pending one', async () => {
    for (const isPending of [false, true]) {
      await arrange()
      const upon = { values: { due: null } }
      ada({ due: '2026-04-01T00:00:00.000Z' })
      await read()
      await replica.setOffline(true)
      if (isPending)
        await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call me' } }], { label: 'Rename' })
      const patch = { due: '2026-05-01T00:00:00.000Z' }
      await replica.edit([{ kind: 'change', key: key(), patch, upon }], { label: 'Due' })
      await replica.setOffline(false)
      await clock.pass(60_000)
      expect(onService()?.['due']).toBe('2026-04-01T00:00:00.000Z')
      const open = replica.outbox().find(({ recordId }) => recordId === id)
      expect(open).toMatchObject({ state: 'needsYou', conflict: { fields: ['due'] } })
    }
  })

  it('asks as well if it goes into a pending edit', async () => {
    await arrange()
    const upon = seenIn(replica.peek(key())!, 'title')
    ada({ title: 'Call Jo' })
    await read()
    await replica.setOffline(true)
    await replica.edit([{ kind: 'change', key: key(), patch: { notes: 'No number' } }], { label: 'Notes' })
    await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call Mina' }, upon }], { label: 'Rename' })
    await replica.setOffline(false)
    await clock.pass(60_000)
    expect(onService()?.['title']).toBe('Call Jo')
    expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { fields: ['title'] } }])
  })

  it('is sent if someone else changed other fields', async () => {
    await arrange()
    const upon = seenIn(replica.peek(key())!, 'title')
    ada({ notes: 'No number' })
    await read()
    await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call Mina' }, upon }], { label: 'Rename' })
    await clock.pass(60_000)
    expect(onService()).toMatchObject({ title: 'Call Mina', notes: 'No number' })
    expect(replica.outbox()).toEqual([])
  })

  it('asks if they changed the other end of a time, which is one value', async () => {
    const at = (hour: number): JsonObject => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' })
    const event = { summary: 'Yoga', start: at(12), end: at(13) }
    const eventId = String(service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, event)!.id)
    await read()
    const yoga = recordKey('events', 'me', eventId)
    const upon = seenIn((await replica.read(yoga))!, 'start', 'end')
    service.callAs('ada', 'calendar.events.patch', { calendarId: 'me', eventId }, { start: at(11) })
    await read()
    await replica.edit([{ kind: 'change', key: yoga, patch: { end: at(17) }, upon }], { label: 'Longer' })
    await clock.pass(60_000)
    expect(service.living('events me')).toMatchObject([{ start: at(11), end: at(13) }])
    expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { fields: ['end', 'start'] } }])
  })

  it('asks if it deletes the record, unless they changed other fields', async () => {
    for (const [theirs, left] of [
      [{ title: 'Call Jo' }, 'Call Jo'],
      [{ notes: 'No number' }, undefined],
    ] as const) {
      await arrange()
      const upon = seenIn(replica.peek(key())!, 'title')
      ada(theirs)
      await read()
      await replica.edit([{ kind: 'delete', key: key(), upon }], { label: 'Delete' })
      await clock.pass(60_000)
      expect(onService()?.['title']).toBe(left)
      const asked = left && { state: 'needsYou', base: { title: 'Call' }, conflict: { remote: { title: left } } }
      expect(replica.outbox().filter(({ recordId }) => recordId === id)).toMatchObject(asked ? [asked] : [])
    }
  })

  it('is sent over its author’s own changes since', async () => {
    await arrange()
    const upon = seenIn(replica.peek(key())!, 'title')
    await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call Jo' } }], { label: 'Rename' })
    await read()
    await replica.edit([{ kind: 'change', key: key(), patch: { title: 'Call Mina' }, upon }], { label: 'Rename' })
    await clock.pass(60_000)
    expect(onService()?.['title']).toBe('Call Mina')
    expect(replica.outbox()).toEqual([])
  })
})
