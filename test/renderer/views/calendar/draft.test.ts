import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../../../src-renderer/replica/api'
import { cases } from '../../../helpers/ring'
import { DraftStore, errorsOf, EventDraft } from '../../../../src-renderer/views/calendar/editor/draft.svelte'
import { someItem } from '../../../helpers/some-item'

const start = { dateTime: '2026-07-14T09:00:00+02:00', timeZone: 'Europe/Berlin' }
const end = { dateTime: '2026-07-14T10:00:00+02:00', timeZone: 'Europe/Berlin' }
const item = someItem()
const loaded = (event: JsonObject) => {
  const row: Row = {
    key: 'k',
    collection: 'events',
    parent: 'team',
    id: 'e',
    value: event,
    base: event,
    complete: true,
    mark: 'synced',
    remoteSeq: 0,
  }
  return { row, event }
}
const event = (more: JsonObject = {}): JsonObject => ({ summary: 'Stand-up', location: 'Room 1', start, end, ...more })

describe('a draft', () => {
  it('saves only changed fields, and none that were reverted', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Stand-up late')
    draft.set('location', 'Room 2')
    draft.set('location', 'Room 1')
    expect(draft.patch).toEqual({ summary: 'Stand-up late' })
    expect(draft.dirty).toBe(true)
    draft.set('summary', 'Stand-up')
    expect(draft.dirty).toBe(false)
  })
  it('keeps your input while the base changes, and updates the rest', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Mine')
    draft.rebase(loaded(event({ summary: 'Theirs', location: 'Room 9' })))
    expect(draft.value).toMatchObject({ summary: 'Mine', location: 'Room 9' })
    expect(draft.patch).toEqual({ summary: 'Mine' })
  })
  it('says which of its fields someone else has changed, and can take their value', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Mine')
    expect(draft.changedMeanwhile).toEqual([])
    // What the server makes of an own edit raises no number.
    draft.rebase(loaded(event({ summary: 'Mine, trimmed' })))
    expect(draft.changedMeanwhile).toEqual([])
    const { row, ...rest } = loaded(event({ summary: 'Theirs', location: 'Room 9' }))
    draft.rebase({ ...rest, row: { ...row, remoteSeq: 1 } })
    expect(draft.changedMeanwhile).toEqual([{ changed: ['summary'], typed: ['summary'], own: false }])
    const typed = draft.takeCurrent(draft.changedMeanwhile[0]!)
    expect(draft.changedMeanwhile).toEqual([])
    expect(draft.value.summary).toBe('Theirs')
    expect(draft.dirty).toBe(false)
    draft.set('summary', 'Theirs, typed since')
    const since = draft.putBack(typed)
    expect([draft.value.summary, draft.changedMeanwhile]).toEqual([
      'Mine',
      [{ changed: ['summary'], typed: ['summary'], own: false }],
    ])
    expect(draft.upon.event).toEqual({ seq: 0, values: { summary: 'Stand-up' } })
    draft.putBack(since)
    expect(draft.patch).toEqual({ summary: 'Theirs, typed since' })
  })
  it('says which of its fields the user has changed in another window', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Mine')
    const { row, ...rest } = loaded(event({ summary: 'Mine, too' }))
    draft.rebase({ ...rest, row: { ...row, base: event() } })
    const changed = [{ changed: ['summary'], typed: ['summary'], own: true }]
    expect(draft.changedMeanwhile).toEqual(changed)
    draft.rebase(loaded(event({ summary: 'Mine, too' })))
    expect(draft.changedMeanwhile).toEqual(changed)
    draft.takeCurrent(changed[0]!)
    draft.set('summary', 'Mine, last')
    expect(draft.changedMeanwhile).toEqual([])
  })
  it('takes start, end, and recurrence together, because they merge together', () => {
    const at = (hour: number) => ({ dateTime: `2026-07-14T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
    const draft = new EventDraft('team', event({ start: at(12), end: at(13) }), item, loaded(event()))
    draft.set('location', 'Room 2')
    draft.set('end', at(17))
    const { row, ...rest } = loaded(event({ start: at(14), end: at(15) }))
    draft.rebase({ ...rest, row: { ...row, remoteSeq: 1 } })
    draft.set('start', at(16))
    const [unit, ...more] = draft.changedMeanwhile
    expect(more).toEqual([])
    expect(unit?.changed).toEqual(['end', 'start'])
    expect(unit?.typed).toEqual(['end', 'start'])
    const typed = draft.takeCurrent(unit!)
    expect(draft.value).toMatchObject({ start: at(14), end: at(15), location: 'Room 2' })
    expect(draft.patch).toEqual({ location: 'Room 2' })
    draft.putBack(typed)
    expect(draft.value).toMatchObject({ start: at(16), end: at(17) })
    expect(draft.upon.event.values).toMatchObject({ start: at(12), end: at(13) })
  })
  it('says that the time was changed if only its other end was', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('end', { ...end, dateTime: '2026-07-14T11:00:00+02:00' })
    const { row, ...rest } = loaded(event({ start: { ...start, dateTime: '2026-07-14T08:00:00+02:00' } }))
    draft.rebase({ ...rest, row: { ...row, remoteSeq: 1 } })
    expect(draft.changedMeanwhile).toEqual([{ changed: ['start'], typed: ['end'], own: false }])
  })
  it('uses what its title describes only where nothing was edited', () => {
    const read = { summary: 'Tea', start, end, location: 'Room 2', guests: [] }
    const draft = new EventDraft('team', { start: end, end })
    draft.set('summary', 'Tea 9-10 at Room 2')
    expect(draft.canTake(read)).toBe(true)
    draft.set('description', 'With cake')
    expect(draft.canTake(read)).toBe(true)
    draft.set('location', 'Kitchen')
    expect(draft.canTake(read)).toBe(false)
    draft.set('location', null)
    draft.calendarId = 'own'
    expect([draft.canTake(read), draft.canTake({ ...read, calendarId: 'team' })]).toEqual([true, false])
  })
  it('has the guests and the location of a plain event only while it is one', () => {
    const draft = new EventDraft('team', { summary: 'Away', start, end })
    const guests = [{ email: 'mina@example.com' }]
    draft.set('attendees', guests)
    draft.set('location', 'Room 2')
    draft.set('recurrence', ['RRULE:FREQ=DAILY'])
    draft.set('eventType', 'outOfOffice')
    expect(draft.value).toEqual({
      summary: 'Away',
      start,
      end,
      eventType: 'outOfOffice',
      recurrence: ['RRULE:FREQ=DAILY'],
    })
    draft.set('eventType', 'default')
    expect(draft.value).toMatchObject({ attendees: guests, location: 'Room 2' })
  })
  it('is empty again when a new title is cleared', () => {
    const draft = new EventDraft('team', { start, end })
    draft.set('summary', 'T')
    expect(draft.dirty).toBe(true)
    draft.set('summary', '')
    expect(draft.dirty).toBe(false)
  })
  it('knows what was on the screen when a field was changed, also after a restart', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Mine')
    draft.rebase(loaded(event({ summary: 'Theirs', location: 'Room 9' })))
    draft.set('location', 'Room 3')
    const values = { summary: 'Stand-up', location: 'Room 9' }
    expect(draft.upon.event).toEqual({ seq: 0, values })
    const later = new EventDraft('team', event({ summary: 'Theirs' }), item, loaded(event({ summary: 'Theirs' })))
    later.set('summary', 'Mine')
    later.restoreSeen(draft.seen)
    expect(later.upon.event).toEqual({ seq: undefined, values })
    expect([draft.isStored, later.isStored]).toEqual([false, true])
  })
  it('keeps every character typed, whatever syncs come in between', () => {
    const field = fc.constantFrom('summary', 'location', 'description' as const)
    const step = fc.record({
      by: fc.constantFrom('me', 'sync'),
      field,
      text: fc.string({ minLength: 1, maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let theirs = event()
        const typed: JsonObject = {}
        const draft = new EventDraft('team', theirs, item, loaded(theirs))
        for (const { by, field, text } of steps) {
          if (by === 'me') draft.set(field, (typed[field] = `${(typed[field] as string) ?? 'me:'}${text}`))
          else draft.rebase(loaded((theirs = { ...theirs, [field]: `them:${text}` })))
        }
        expect(draft.patch).toEqual(typed)
        expect(draft.value).toEqual({ ...theirs, ...typed })
      }),
      { numRuns: cases(500, 5_000) },
    )
  })
  it('has nothing to save when the other side made the same change', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('summary', 'Same')
    draft.rebase(loaded(event({ summary: 'Same' })))
    expect(draft.dirty).toBe(false)
  })
  it('clears a field with null', () => {
    const draft = new EventDraft('team', event(), item, loaded(event()))
    draft.set('location', null)
    expect(draft.patch).toEqual({ location: null })
    expect('location' in draft.value).toBe(false)
  })
  it('of a new event is worth keeping once you typed something', () => {
    const draft = new EventDraft('team', { start, end })
    expect(draft.dirty).toBe(false)
    draft.set('start', { ...start, dateTime: '2026-07-14T08:00:00+02:00' })
    expect(draft.dirty).toBe(false)
    draft.set('summary', 'x')
    expect(draft.dirty).toBe(true)
  })
})

describe('an invalid field', () => {
  it("blocks saving until it's fixed", () => {
    const draft = new EventDraft('team', { start, end })
    draft.unread.set('Start date', 'Not a date')
    draft.unread.set('End time', 'Not a time')
    draft.unread.set('Start date', null)
    expect(draft.errors).toEqual({ 'End time': 'Not a time' })
    expect(draft.valid).toBe(false)
    draft.unread.set('End time', null)
    expect(draft.valid).toBe(true)
  })
})

describe('a reset draft', () => {
  it('has none of your input, and keeps its event or slot', () => {
    const made = new EventDraft('team', { start, end })
    made.set('summary', 'Typed')
    made.set('end', null)
    made.calendarId = 'other'
    expect(made.fresh()).toMatchObject({ isNew: true, calendarId: 'team', dirty: false, value: { start, end } })
    expect(made.fresh().value.summary).toBeUndefined()
    const edited = new EventDraft('team', event(), item, loaded(event()))
    edited.set('summary', 'Typed')
    expect(edited.fresh()).toMatchObject({ item, dirty: false, value: { summary: 'Stand-up' } })
  })
})

describe("input is checked against the service's limits", () => {
  const found = (more: JsonObject): string[] =>
    Object.entries(errorsOf({ start, end, ...more }, null)).map(([path, message]) => `${path}: ${message}`)

  it('a simple event is valid', () => {
    expect(found({ summary: 'x' })).toEqual([])
  })
  it.each<[string, JsonObject, RegExp]>([
    [
      'six reminders',
      {
        reminders: { useDefault: false, overrides: Array.from({ length: 6 }, () => ({ method: 'popup', minutes: 5 })) },
      },
      /^reminders\.overrides: .*at most 5/,
    ],
    [
      'a reminder more than four weeks before',
      { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 40_321 }] } },
      /^reminders\.overrides\[0\]\.minutes: .*at most 40320/,
    ],
    [
      '26 attachments',
      { attachments: Array.from({ length: 26 }, () => ({ fileUrl: 'https://a.example' })) },
      /^attachments: .*at most 25/,
    ],
    ['an attachment without a valid link', { attachments: [{ fileUrl: 'x' }] }, /^attachments\[0\]: Enter a link/],
    ['a guest without an address', { attendees: [{ email: 'mina' }] }, /^attendees\[0\]: Invalid email/],
    [
      'an end before the start',
      { end: { dateTime: '2026-07-14T08:00:00+02:00', timeZone: 'Europe/Berlin' } },
      /^end: The end is before/,
    ],
    ['a date mixed with a time', { end: { date: '2026-07-15' } }, /^end: Use dates for both/],
    ['an unknown time zone', { start: { ...start, timeZone: 'Mars/Base' } }, /^start\.timeZone: /],
    ['an invalid rule', { recurrence: ['RRULE:FREQ=SOMETIMES'] }, /^recurrence: Unknown frequency/],
    [
      'a rule that ends before it starts',
      { recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260713T215959Z'] },
      /^recurrence: The last date is before the start/,
    ],
    [
      'out of office all day',
      { eventType: 'outOfOffice', start: { date: '2026-07-14' }, end: { date: '2026-07-15' } },
      /^start: Set start and end times/,
    ],
  ])('%s', (_, more, expected) => {
    expect(
      found(more).some((line) => expected.test(line)),
      found(more).join('\n'),
    ).toBe(true)
  })
  it("old problems of an existing event don't count", () => {
    expect(
      errorsOf(
        { start, end, reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 99_999 }] } },
        { summary: 'x' },
      ),
    ).toEqual({})
  })
})

describe('a draft that was opened with a guest', () => {
  const attendees = [
    { email: 'me@example.com', self: true, organizer: true, responseStatus: 'accepted' },
    { email: 'mina@example.com', responseStatus: 'needsAction' },
  ]
  const opened = (): EventDraft => new EventDraft('team', { start, end, attendees })

  it('isn’t worth saving before anything was typed', () => {
    expect(opened().dirty).toBe(false)
  })
  it('in another calendar of the user has no guest but those invited', () => {
    const draft = new EventDraft('team', { start, end })
    draft.take({ summary: 'Lunch', start, end, guests: ['jonas@example.com'] }, 'me@example.com')
    expect(draft.value.attendees?.map(({ email }) => email)).toEqual(['jonas@example.com'])
    const own = new EventDraft('Me@example.com', { start, end })
    own.take({ summary: 'Lunch', start, end, guests: ['jonas@example.com'] }, 'me@example.com')
    expect(own.value.attendees?.map(({ email }) => email)).toEqual(['me@example.com', 'jonas@example.com'])
  })
  it('has the user among its guests only while it’s in their own calendar', () => {
    const draft = new EventDraft('me@example.com', { start, end })
    const guests = (): unknown => draft.value.attendees?.map(({ email }) => email)
    draft.pickCalendar('team', 'me@example.com')
    expect(draft.value.attendees).toBeUndefined()
    draft.pickCalendar('me@example.com', 'me@example.com')
    draft.take({ summary: 'Lunch', start, end, guests: ['jonas@example.com'] }, 'me@example.com')
    expect(guests()).toEqual(['me@example.com', 'jonas@example.com'])
    draft.take({ summary: 'Lunch', start, end, guests: [], calendarId: 'team' }, 'me@example.com')
    expect(guests()).toEqual(['jonas@example.com'])
    draft.pickCalendar('me@example.com', 'me@example.com')
    expect(guests()).toEqual(['me@example.com', 'jonas@example.com'])
  })
  it('keeps the guest when its title names another', () => {
    const draft = opened()
    draft.take({ summary: 'Lunch', start, end, guests: ['jonas@example.com'] }, 'me@example.com')
    expect(draft.value.attendees?.map(({ email }) => email)).toEqual([
      'me@example.com',
      'mina@example.com',
      'jonas@example.com',
    ])
  })
})

describe('closed drafts', () => {
  const memory = (start: string | null = null) => {
    let text = start
    return { getItem: () => text, setItem: (_: string, value: string) => void (text = value) }
  }
  it('return by key, newest first, at most twenty', () => {
    const storage = memory()
    const store = new DraftStore(storage, 'me')
    for (let index = 0; index < 25; index++)
      store.keep({ key: `k${index}`, title: '', calendarId: 'c', touched: { summary: `s${index}` }, at: index })
    const again = new DraftStore(storage, 'me')
    expect(again.all()).toHaveLength(20)
    expect(again.find('k24')?.touched).toEqual({ summary: 's24' })
    again.drop('k24')
    expect(again.find('k24')).toBeUndefined()
  })
  it('survive damaged ones in the store', () => {
    expect(new DraftStore(memory('{'), 'me').all()).toEqual([])
    const good = { key: 'k', title: '', calendarId: 'c', touched: {}, at: 1 }
    expect(new DraftStore(memory(JSON.stringify([{ key: 1 }, good])), 'me').all()).toEqual([good])
  })
})
