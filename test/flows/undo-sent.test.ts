import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { modelForEach } from './model/for-each'

const key = recordKey('events', 'me', 'e1')
const at = (hour: string): JsonObject => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' })
const guest = (email: string, comment?: string): JsonObject => ({ email, ...(comment && { comment }) })

const { clock, service, device, replica } = modelForEach(0, () => {
  const event = { id: 'e1', summary: 'Before', start: at('09'), end: at('10'), attendees: [guest('a@x'), guest('b@x')] }
  service.callAs('mina', 'calendar.events.insert', { calendarId: 'me' }, event)
})
beforeEach(() => synced())

async function synced(): Promise<void> {
  replica.syncNow()
  await clock.pass(70_000)
}
const mine = (patch: JsonObject): Promise<unknown> => replica.edit([{ kind: 'change', key, patch }], { label: 'Edit' })
const theirs = (patch: JsonObject): unknown =>
  service.callAs('mina', 'calendar.events.patch', { calendarId: 'me', eventId: 'e1' }, patch)
const shown = (): JsonObject => replica.peek(key)!.value!
const stored = (): JsonObject => service.callAs('mina', 'calendar.events.get', { calendarId: 'me', eventId: 'e1' })!
const notices = (): string[] => replica.notices().map(({ title }) => title)

describe('undo and redo of a sent change', () => {
  it('restore the old value if no one else changed it since', async () => {
    await mine({ summary: 'Mine' })
    await synced()
    await replica.undo()
    await synced()
    expect([stored()['summary'], notices()]).toEqual(['Before', []])
    await replica.redo()
    await synced()
    expect([stored()['summary'], notices()]).toEqual(['Mine', []])
  })

  it('undo an event far from today that is not read yet after a restart', async () => {
    const made = {
      summary: 'Later',
      start: { dateTime: '2026-12-01T09:00:00Z' },
      end: { dateTime: '2026-12-01T10:00:00Z' },
    }
    await replica.edit([{ kind: 'create', collection: 'events', parent: 'me', value: made }], { label: 'New' })
    await synced()
    device.crash()
    await device.start()
    expect(await replica.undo()).toBe('New')
    await synced()
    expect(service.living('events me').map(({ summary }) => summary)).toEqual(['Before'])
  })

  it("keep others' later changes, revert the rest, and say so", async () => {
    await mine({ summary: 'Mine', location: 'Here' })
    await synced()
    theirs({ summary: 'Theirs' })
    await synced()
    await replica.undo()
    expect([shown()['summary'], shown()['location']]).toEqual(['Theirs', undefined])
    await synced()
    expect([stored()['summary'], stored()['location']]).toEqual(['Theirs', undefined])
    expect(notices()).toEqual(['Someone else’s changes were kept'])
  })

  it("redo an unsent change that gave way to others' when it was undone", async () => {
    const now = async (): Promise<unknown> => {
      const { value } = (await replica.read(key))!
      return [value!['summary'], value!['location']]
    }
    replica.pause(true)
    await mine({ summary: 'Mine', location: 'Here' })
    theirs({ summary: 'Theirs' })
    await synced()
    expect(await now()).toEqual(['Mine', 'Here'])
    // Typing the old value discards one's own, too.
    await mine({ summary: 'Before' })
    expect(await now()).toEqual(['Theirs', 'Here'])
    await replica.undo()
    expect(await now()).toEqual(['Mine', 'Here'])
    await replica.redo()
    expect(await now()).toEqual(['Theirs', 'Here'])
    expect(replica.outbox()).toMatchObject([{ patch: { location: 'Here' } }])
    await replica.undo()
    await replica.undo()
    expect(await now()).toEqual(['Theirs', undefined])
    expect(replica.outbox()).toEqual([])
    await replica.redo()
    expect(await now()).toEqual(['Mine', 'Here'])
    expect(notices()).toEqual([])
    replica.pause(false)
    await synced()
    expect(stored()['summary']).toBe('Theirs')
    expect(replica.outbox()[0]?.conflict).toMatchObject({ fields: ['summary'] })
  })

  it("keep others' changes after the undo", async () => {
    await mine({ summary: 'Mine' })
    await synced()
    await replica.undo()
    await synced()
    theirs({ summary: 'Theirs' })
    await synced()
    await replica.redo()
    await synced()
    expect([stored()['summary'], notices()]).toEqual(['Theirs', ['Someone else’s changes were kept']])
  })

  it("revert your own list entry and keep others'", async () => {
    await mine({ attendees: [guest('a@x'), guest('b@x'), guest('mine@x')] })
    await synced()
    theirs({ attendees: [...(stored()['attendees'] as JsonObject[]), guest('theirs@x')] })
    await synced()
    await replica.undo()
    await synced()
    const emails = (stored()['attendees'] as JsonObject[]).map(({ email }) => email)
    expect([emails, notices()]).toEqual([['a@x', 'b@x', 'theirs@x'], []])
  })
})

describe('a conflict about one list entry', () => {
  async function createConflict(): Promise<string> {
    replica.pause(true)
    await mine({ attendees: [guest('a@x', 'mine'), guest('b@x')] })
    theirs({ attendees: [guest('a@x', 'theirs'), guest('b@x', 'new'), guest('c@x')] })
    replica.pause(false)
    await synced()
    const [entry] = replica.outbox()
    expect(entry?.conflict?.fields).toEqual(['attendees'])
    return entry!.id
  }
  const comments = (): unknown[] =>
    (stored()['attendees'] as JsonObject[]).map(({ email, comment }) => [email, comment])

  it('keeps other entries when you choose mine', async () => {
    await replica.resolve(await createConflict(), { fields: { attendees: 'mine' } })
    await synced()
    expect(comments()).toEqual([
      ['a@x', 'mine'],
      ['b@x', 'new'],
      ['c@x', undefined],
    ])
  })

  it('changes nothing when you choose theirs', async () => {
    await replica.resolve(await createConflict(), { fields: { attendees: 'theirs' } })
    await synced()
    expect([comments()[0], replica.outbox()]).toEqual([['a@x', 'theirs'], []])
  })
})

describe('undo after a conflict', () => {
  const others = (title: string): unknown =>
    service.callAs('mina', 'tasks.tasklists.patch', { tasklist: 'inbox' }, { title })
  const list = recordKey('tasklists', null, 'inbox')
  const titles = (): unknown[] => [
    replica.peek(list)!.value!['title'],
    service.callAs('mina', 'tasks.tasklists.get', { tasklist: 'inbox' })!['title'],
  ]

  it('goes back to the value that yours was chosen over, unless it was sent', async () => {
    await replica.setOffline(true)
    await replica.edit([{ kind: 'change', key: list, patch: { title: 'Mine' } }], { label: 'Rename' })
    others('Theirs')
    await replica.setOffline(false)
    await synced()
    const [entry] = replica.outbox()
    expect(entry!.conflict!.fields).toEqual(['title'])
    await replica.setOffline(true)
    await replica.resolve(entry!.id, { fields: { title: 'mine' } })
    expect(titles()).toEqual(['Mine', 'Theirs'])
    expect([await replica.undo(), await replica.undo()]).toEqual(['Resolve conflict', 'Rename'])
    expect(titles()).toEqual(['Theirs', 'Theirs'])
    expect([await replica.redo(), await replica.redo()]).toEqual(['Rename', 'Resolve conflict'])
    await replica.setOffline(false)
    await synced()
    expect([titles(), replica.outbox()]).toEqual([['Mine', 'Mine'], []])
  })
})

describe('undo of an edit in conflict', () => {
  it('takes theirs and leaves no question, and redo changes theirs', async () => {
    await replica.setOffline(true)
    const key = recordKey('tasklists', null, 'inbox')
    await replica.edit([{ kind: 'change', key, patch: { title: 'Mine' } }], { label: 'Rename' })
    service.callAs('mina', 'tasks.tasklists.patch', { tasklist: 'inbox' }, { title: 'Theirs' })
    await replica.setOffline(false)
    await synced()
    expect(replica.outbox()[0]!.conflict!.fields).toEqual(['title'])
    await replica.undo()
    expect([replica.peek(key)!.value!['title'], replica.outbox()]).toEqual(['Theirs', []])
    await replica.redo()
    await synced()
    expect(service.callAs('mina', 'tasks.tasklists.get', { tasklist: 'inbox' })!['title']).toBe('Mine')
  })
})

describe('an edit of a record in conflict', () => {
  async function inConflict(here: JsonObject, there: JsonObject): Promise<void> {
    await replica.setOffline(true)
    await mine(here)
    theirs(there)
    await replica.setOffline(false)
    await synced()
    expect(replica.outbox()[0]!.conflict!.fields).toEqual(Object.keys(there))
  }

  it('leaves the question about what was removed inside a value, also once it is undone', async () => {
    theirs({ attendees: [guest('a@x', 'Before'), guest('b@x')] })
    await synced()
    await inConflict({ attendees: [guest('a@x'), guest('b@x')] }, { attendees: [guest('a@x', 'Theirs'), guest('b@x')] })
    await mine({ location: 'Room' })
    await replica.undo()
    expect(replica.outbox()).toMatchObject([{ conflict: { fields: ['attendees'] } }])
  })

  it('may choose the original value, which is sent if it wins', async () => {
    await inConflict({ summary: 'Mine' }, { summary: 'Theirs' })
    await mine({ summary: 'Before' })
    expect([shown()['summary'], replica.outbox()[0]!.conflict!.fields]).toEqual(['Before', ['summary']])
    const seen = replica.outbox()[0]!
    theirs({ summary: 'Theirs again' })
    await synced()
    await replica.resolveAll([{ entry: seen, choice: { keep: 'theirs' } }], { label: 'Resolve' })
    expect([shown()['summary'], replica.outbox()]).toMatchObject(['Before', [{ conflict: { fields: ['summary'] } }]])
    await replica.resolve(seen.id, { keep: 'mine' })
    await synced()
    expect(stored()['summary']).toBe('Before')
  })
})

describe('undo of a creation', () => {
  it('asks before it deletes what others added to the record', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } }],
      { label: 'Create list' },
    )
    await synced()
    const { id } = replica.peek(keys[0]!)!
    service.callAs('mina', 'tasks.tasks.insert', { tasklist: id }, { title: 'Pack' })
    await synced()
    await replica.undo()
    await synced()
    const [asked] = replica.outbox()
    expect(asked!.conflict!.unseen!.map((key) => replica.peek(key)!.base!['title'])).toEqual(['Pack'])
    await replica.resolve(asked!.id, { keep: 'theirs' })
    await synced()
    expect(replica.rows('tasks', id).map(({ value }) => value!['title'])).toEqual(['Pack'])
    expect(service.callAs('mina', 'tasks.tasklists.get', { tasklist: id })!['title']).toBe('Trip')
  })
})

describe('undo of a deletion whose answer was lost', () => {
  const loseDeletion = (moment: 'before' | 'after', id: string): void => {
    const until = clock.time + 20_000
    service.trouble = (call, now) => (call.id === id && now === moment && clock.time < until ? 'answerLost' : undefined)
  }
  const living = (): JsonObject[] => service.living('events me')

  it("brings the record itself back with others' changes and what was typed since, if it didn't arrive", async () => {
    loseDeletion('before', 'calendar.events.delete')
    await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await clock.pass(3_000)
    await replica.undo()
    const back = recordKey('events', 'me', replica.outbox().at(-1)!.recordId)
    await replica.edit([{ kind: 'change', key: back, patch: { location: 'Typed since' } }], { label: 'Edit' })
    theirs({ summary: 'Theirs' })
    await synced()
    expect(living()).toMatchObject([{ id: 'e1', summary: 'Theirs', location: 'Typed since' }])
    expect(replica.outbox()).toEqual([])
    expect((await replica.read(back))!.value).toMatchObject({ summary: 'Theirs', location: 'Typed since' })
  })

  it('restores the record itself if it arrived, which discarding the deletion can’t lose', async () => {
    loseDeletion('after', 'calendar.events.delete')
    await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await clock.pass(3_000)
    await replica.undo()
    await expect(replica.withdraw(replica.outbox()[0]!.id)).rejects.toThrow('may have received this')
    await synced()
    expect(living()).toMatchObject([{ id: 'e1', summary: 'Before' }])
  })

  it("brings a list back with its tasks, none of them twice, if it didn't arrive", async () => {
    const list = service.callAs('mina', 'tasks.tasklists.insert', {}, { title: 'Trip' })!
    const tasklist = String(list['id'])
    const pack = service.callAs('mina', 'tasks.tasks.insert', { tasklist }, { title: 'Pack' })!
    service.callAs('mina', 'tasks.tasks.insert', { tasklist, parent: pack['id']! }, { title: 'Socks' })
    await synced()
    loseDeletion('before', 'tasks.tasklists.delete')
    await replica.edit([{ kind: 'delete', key: recordKey('tasklists', null, tasklist) }], { label: 'Delete' })
    await clock.pass(3_000)
    expect(replica.outbox()).toMatchObject([{ kind: 'delete', unknownOutcome: true }])
    await replica.undo()
    service.callAs('mina', 'tasks.tasklists.patch', { tasklist }, { title: 'Journey' })
    await synced()
    await synced()
    expect(service.living('tasklists').map(({ title }) => title)).toEqual(['Inbox', 'Journey'])
    expect(service.living(`tasks ${tasklist}`).map(({ title }) => title)).toEqual(['Pack', 'Socks'])
    expect([replica.outbox(), replica.rows('tasks', tasklist).length]).toEqual([[], 2])
  })

  it('asks before it deletes a calendar with events that others added', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Trip' } }],
      { label: 'Create calendar' },
    )
    await synced()
    const { id } = parseRecordKey(replica.realKey(keys[0]!))
    const event = {
      summary: 'Flight',
      start: { dateTime: '2026-03-03T10:00:00Z' },
      end: { dateTime: '2026-03-03T11:00:00Z' },
    }
    service.callAs('mina', 'calendar.events.insert', { calendarId: id }, event)
    await synced()
    await replica.undo()
    await synced()
    const [asked] = replica.outbox()
    const unseen = await replica.readAll(asked!.conflict!.unseen!)
    expect([...unseen.values()].map(({ base }) => base!['summary'])).toEqual(['Flight'])
    await replica.resolve(asked!.id, { keep: 'theirs' })
    await synced()
    expect(replica.outbox()).toEqual([])
    expect(service.living(`events ${id}`).map(({ summary }) => summary)).toEqual(['Flight'])
  })

  it('of an empty calendar deletes it without asking', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Trip' } }],
      { label: 'Create calendar' },
    )
    await synced()
    await replica.undo()
    await synced()
    expect([replica.outbox(), replica.peek(replica.realKey(keys[0]!))?.value ?? null]).toEqual([[], null])
  })
})
