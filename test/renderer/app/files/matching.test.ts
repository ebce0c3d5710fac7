import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { readIcs } from '../../../../src-main/exports/ics-read'
import { icsChunks } from '../../../../src-main/exports/ics-write'
import { importChanges } from '../../../../src-renderer/app/files/import-changes'
import { propose } from '../../../../src-renderer/app/files/matching'

const zone = 'Europe/Berlin'
const at = (text: string): JsonObject => ({ dateTime: `${text}:00+02:00`, timeZone: zone })
const single: JsonObject = {
  id: 'one',
  iCalUID: 'one@x',
  summary: 'Dentist',
  start: at('2026-07-14T09:00'),
  end: at('2026-07-14T10:00'),
  sequence: 2,
  status: 'confirmed',
  reminders: { useDefault: true },
  attendees: [{ email: 'Mina@x.org', responseStatus: 'accepted' }],
}
const allDay: JsonObject = {
  id: 'day',
  iCalUID: 'day@x',
  summary: 'Fair',
  start: { date: '2026-07-20' },
  end: { date: '2026-07-23' },
  transparency: 'transparent',
  colorId: '5',
}
const series: JsonObject = {
  id: 'series',
  iCalUID: 'series@x',
  summary: 'Stand-up',
  start: at('2026-07-13T09:00'),
  end: at('2026-07-13T09:15'),
  recurrence: ['RRULE:FREQ=DAILY;COUNT=10', 'EXDATE;TZID=Europe/Berlin:20260716T090000'],
  description: '<b>Bring</b> numbers',
}
const moved: JsonObject = {
  id: 'series_20260715T070000Z',
  recurringEventId: 'series',
  iCalUID: 'series@x',
  originalStartTime: at('2026-07-15T09:00'),
  summary: 'Stand-up, late',
  start: at('2026-07-15T11:00'),
  end: at('2026-07-15T11:15'),
}
const cancelled: JsonObject = {
  id: 'series_20260717T070000Z',
  recurringEventId: 'series',
  status: 'cancelled',
  originalStartTime: { dateTime: '2026-07-17T07:00:00Z' },
}
const everything = [single, allDay, series, moved, cancelled]

const file = (events: readonly JsonObject[]): JsonObject[] => {
  const read = readIcs(
    [...icsChunks({ calendarName: 'Test', timeZone: zone, events: [...events] }, Date.UTC(2026, 6, 1))].join(''),
  )
  expect(read.notes).toEqual([])
  return read.events
}
const uponOf = ({ id: _id, ...record }: JsonObject) => ({ record })
const kinds = (events: readonly JsonObject[], here: readonly JsonObject[]): string[] =>
  propose(events, here, zone).map(({ kind }) => kind)

describe('importing a calendar file', () => {
  it('proposes nothing for the calendar it was exported from', () => {
    const again = propose(file(everything), everything, zone)
    expect(again.map(({ kind, fields }) => [kind, fields])).toEqual(again.map(() => ['same', []]))
    expect(again).toHaveLength(4)
  })

  it('imports a series with changed and canceled occurrences into an empty calendar, and then adds nothing', () => {
    const events = file(everything)
    const proposals = propose(events, [], zone)
    expect(proposals.map(({ kind }) => kind)).toEqual(['new', 'new', 'new', 'new'])
    let count = 0
    const changes = importChanges(proposals, [], 'target', zone, () => `id${count++}`)
    const after: JsonObject[] = changes.flatMap((change): JsonObject[] => {
      if (change.kind === 'create') return [{ ...change.value, id: change.id }]
      if (change.kind !== 'change') return []
      const id = change.key.split('\n')[2]!
      const master = changes.find((other) => other.kind === 'create' && id.startsWith(`${other.id}_`))
      return [
        {
          ...change.patch,
          id,
          recurringEventId: master?.kind === 'create' ? master.id : undefined,
          originalStartTime: moved['originalStartTime'],
          iCalUID: 'series@x',
        },
      ]
    })
    expect(changes.at(-1)).toMatchObject({ kind: 'change', key: `events\ntarget\nid2_20260715T070000Z` })
    expect(kinds(events, after)).toEqual(['same', 'same', 'same', 'same'])
    expect(kinds(file(after), after)).toEqual(['same', 'same', 'same', 'same'])
  })

  it('applies newer versions by SEQUENCE and only offers other differences', () => {
    const here = [{ ...single, summary: 'Dentist, second visit' }]
    expect(propose(file([{ ...single, sequence: 3 }]), here, zone)).toMatchObject([
      { kind: 'changed', fields: ['summary'] },
    ])
    expect(propose(file([single]), here, zone)).toMatchObject([{ kind: 'differs', fields: ['summary'] }])
    expect(kinds(file([{ ...single, sequence: 9 }]), [single])).toEqual(['same'])
  })

  it('changes only differing fields and emails no organizer', () => {
    const proposals = propose(file([{ ...single, sequence: 3, location: 'Room 2' }]), [single], zone)
    expect(importChanges(proposals, [single], 'target', zone, () => 'x')).toEqual([
      { kind: 'change', key: 'events\ntarget\none', patch: { location: 'Room 2' }, upon: uponOf(single) },
    ])
  })

  describe('changes what was compared', () => {
    const inRoom = { ...series, location: 'Room 1' }
    const own = { ...moved, location: 'Roof' }
    const without = { ...file([inRoom, moved]).find((event) => event['originalStartTime'])!, summary: 'Later' }
    const changesOf = (events: readonly JsonObject[], here: readonly JsonObject[]): unknown =>
      importChanges(propose(events, here, zone), here, 'target', zone, () => 'new')
    const key = `events\ntarget\n${String(moved['id'])}`

    it('of a changed occurrence, and clears what the file doesn’t have', () => {
      const patch = { summary: 'Later', location: null }
      expect(changesOf([without], [inRoom, own])).toEqual([{ kind: 'change', key, patch, upon: uponOf(own) }])
    })

    it('of an occurrence that is as its series', () => {
      const seen = { start: at('2026-07-15T09:00'), location: 'Room 1', summary: 'Stand-up' }
      expect(changesOf([without], [inRoom])).toMatchObject([
        { kind: 'change', key, patch: { summary: 'Later', location: null }, upon: { record: seen } },
      ])
    })

    it('of an occurrence whose series the file has as well', () => {
      expect(changesOf(file([inRoom, moved]), [])).toMatchObject([
        { kind: 'create', id: 'new' },
        { kind: 'change', key: 'events\ntarget\nnew_20260715T070000Z', patch: { location: null } },
      ])
    })

    it('when it deletes', () => {
      const gone = { ...without, status: 'cancelled' }
      expect(changesOf([gone], [inRoom, own])).toEqual([{ kind: 'delete', key, upon: uponOf(own) }])
    })
  })

  it('imports an occurrence without a series as an event with a stable ID', () => {
    const [proposal] = propose(file([moved]), [], zone)
    expect(proposal).toMatchObject({
      kind: 'new',
      event: { iCalUID: '20260715T070000Z-series@x', summary: 'Stand-up, late' },
    })
    expect(proposal!.event['originalStartTime']).toBeUndefined()
    const [change] = importChanges([proposal!], [], 'target', zone, () => 'new')
    expect(change).toMatchObject({ kind: 'create', id: 'new', value: { iCalUID: '20260715T070000Z-series@x' } })
    const here = change?.kind === 'create' ? [{ ...change.value, id: 'new' }] : []
    expect(kinds(file([moved]), here)).toEqual(['same'])
  })

  it('skips a cancellation of an event that isn’t there', () => {
    const gone = { ...file([single])[0]!, status: 'cancelled' }
    expect(propose([gone], [], zone)).toMatchObject([{ kind: 'cannot', reason: 'Canceled, and not in this calendar.' }])
    expect(kinds([gone], [{ ...single, status: 'cancelled' }])).toEqual(['same'])
  })

  it('skips a cancellation of an occurrence without a series', () => {
    const gone = { ...file([moved])[0]!, status: 'cancelled' }
    expect(propose([gone], [], zone)).toMatchObject([{ kind: 'cannot' }])
  })

  it.each([
    ['by its day', { date: '2026-07-15' }],
    ['in UTC', { dateTime: '2026-07-15T07:00:00Z', timeZone: 'UTC' }],
    ['in another zone', { dateTime: '2026-07-15T03:00:00-04:00', timeZone: 'America/New_York' }],
  ])('finds the existing occurrence that a file names %s', (_how, original) => {
    const change = { ...file([moved])[0]!, originalStartTime: original, summary: 'Other' }
    expect(propose([change], everything, zone)).toMatchObject([
      { kind: 'differs', fields: ['summary'], local: { id: 'series_20260715T070000Z' } },
    ])
  })
})
