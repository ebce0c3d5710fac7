import { describe, expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import {
  differingParts,
  fieldChoices,
  isDeletion,
  leavesSeries,
  questionsOf,
  resultOf,
  settledFields,
} from '../../../../src-renderer/views/sync/conflict'
import { receiptWords } from '../../../../src-renderer/context/entry-words'
import { entryLines, ruleWords, titleOfEntry, valueLines } from '../../../../src-renderer/views/sync/entry-labels'
import { wordDiff } from '../../../../src-renderer/views/sync/word-diff'
import { foreignEdit, simulationTarget } from '../../../../src-renderer/views/sync/simulator'
import { someEntry } from '../../../helpers/some-entry'

const at = (hour: number): { dateTime: string; timeZone: string } => ({
  dateTime: `2026-07-14T${String(hour).padStart(2, '0')}:00:00+02:00`,
  timeZone: 'Europe/Berlin',
})
const entry = (more: Partial<OutboxEntry> = {}): OutboxEntry =>
  someEntry({
    patch: { summary: 'Mine', start: at(10), end: at(11), location: 'Room 1' },
    base: { summary: 'Base', start: at(8), end: at(9), description: 'Old' },
    label: 'Change *Base*',
    state: 'needsYou',
    attempts: 1,
    conflict: {
      remote: { summary: 'Theirs', start: at(14), end: at(15), description: 'New' },
      fields: ['summary', 'end', 'start'],
      merged: { location: 'Room 1' },
    },
    ...more,
  })

describe('a conflict', () => {
  it('asks once about fields that belong together', () => {
    expect(questionsOf(entry())).toEqual([
      { name: 'summary', fields: ['summary'] },
      { name: 'start', fields: ['start', 'end'] },
    ])
  })

  it('shows the result of your choices with automatic merges', () => {
    const choices = fieldChoices(questionsOf(entry()), { summary: 'mine', start: 'theirs' })
    expect(choices).toEqual({ summary: 'mine', start: 'theirs', end: 'theirs' })
    expect(resultOf(entry(), choices)).toEqual({
      summary: 'Mine',
      start: at(14),
      end: at(15),
      description: 'New',
      location: 'Room 1',
    })
    expect(settledFields(entry())).toEqual([{ field: 'location', from: 'mine' }])
  })

  it.each([
    ['of a series that includes it', '20260716T080000Z', ['RRULE:FREQ=DAILY;COUNT=4'], false],
    ['that its series no longer includes', '20260720T080000Z', ['RRULE:FREQ=DAILY;COUNT=4'], true],
    ['whose series no longer repeats', '20260716T080000Z', null, true],
    ['whose series was deleted', '20260716T080000Z', undefined, true],
  ] as const)('restores an occurrence %s as what it will be', (_which, suffix, recurrence, alone) => {
    const series =
      recurrence === undefined ? null : { start: at(10), end: at(11), recurrence: recurrence && [...recurrence] }
    const replica = { peek: () => ({ value: series }) } as never
    expect(leavesSeries(replica, entry({ recordId: `yoga_${suffix}` }))).toBe(alone)
    expect(leavesSeries(replica, entry())).toBe(false)
  })

  it('clears a field when you chose to clear it', () => {
    const cleared = entry({
      patch: { summary: null },
      conflict: { remote: { summary: 'Theirs' }, fields: ['summary'], merged: {} },
    })
    expect(resultOf(cleared, { summary: 'mine' })).toEqual({})
  })

  it('asks whether to keep the record when one side deleted it', () => {
    expect(isDeletion(entry({ conflict: { remote: null, fields: [], merged: {} } }))).toBe(true)
    expect(
      isDeletion(entry({ kind: 'delete', patch: {}, conflict: { remote: { summary: 'x' }, fields: [], merged: {} } })),
    ).toBe(true)
    expect(isDeletion(entry())).toBe(false)
  })
})

describe('queue text', () => {
  const words = { zone: 'Europe/Berlin', hour12: false, today: Date.UTC(2026, 6, 13) }
  it("shows times in your time zone and names an event's other zone", () => {
    expect(valueLines('start', at(14), words)).toEqual(['Tue 14 Jul 14:00'])
    expect(valueLines('start', { dateTime: '2026-07-14T12:00:00Z', timeZone: 'America/New_York' }, words)).toEqual([
      'Tue 14 Jul 14:00 (America/New York)',
    ])
  })
  it("shows an all-day event's last day, not the day after", () => {
    expect(valueLines('end', { date: '2026-07-15' }, words)).toEqual(['Tue 14 Jul'])
  })
  it('lists guests with their responses', () => {
    expect(
      valueLines(
        'attendees',
        [
          { email: 'a@x.org', responseStatus: 'accepted' },
          { email: 'b@x.org', optional: true },
        ],
        words,
      ),
    ).toEqual(['a@x.org (yes)', 'b@x.org, optional'])
  })
  it('names roles as Settings does, and a calendar without a name by its ID', () => {
    const context = { ...words, nameOf: () => undefined }
    expect(entryLines({ collection: 'acl' }, 'role', 'writer', context)).toEqual(['Change events'])
    expect(entryLines({ collection: 'calendarList' }, 'accessRole', 'freeBusyReader', context)).toEqual([
      'See only free/busy',
    ])
    const added = someEntry({ collection: 'calendarList', recordId: 'ben@example.com', base: null, patch: {} })
    expect(titleOfEntry(added)).toBe('ben@example.com')
  })
  it('describes recurrence rules in words', () => {
    expect(ruleWords('RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10')).toBe(
      'Every 2 weeks on Monday and Wednesday, 10 times',
    )
    expect(ruleWords('RRULE:FREQ=MONTHLY;BYSETPOS=2;BYDAY=TU')).toBe('Every month on the second Tuesday')
    expect(ruleWords('RRULE:FREQ=DAILY;COUNT=1')).toBe('Every day, once')
    expect(ruleWords('RRULE:FREQ=YEARLY;BYWEEKNO=20')).toBe('Custom recurrence')
    expect(ruleWords('EXDATE;TZID=Europe/Berlin:20260610T090000')).toBe('Except 1 date')
    expect(ruleWords('RDATE;VALUE=DATE:20260610,20260611')).toBe('Also on 2 other dates')
  })
  it('describes whose access was removed', () => {
    expect(receiptWords({ mine: ['summary'], theirs: ['start', 'end'], combined: ['attendees'] })).toBe(
      'time from the server · title from you · guests from both',
    )
  })
  it('shows text changes by word', () => {
    expect(wordDiff('Call the printer', 'Call a printer')).toEqual([
      { text: 'Call ', kind: 'same' },
      { text: 'the', kind: 'removed' },
      { text: 'a', kind: 'added' },
      { text: ' printer', kind: 'same' },
    ])
  })
  it('combines adjacent changes and shows pure additions separately', () => {
    expect(wordDiff('Mina looked at it', 'What I think')).toEqual([
      { text: 'Mina looked at it', kind: 'removed' },
      { text: 'What I think', kind: 'added' },
    ])
    expect(wordDiff('Mina looked at it', 'Mina was faster')).toEqual([
      { text: 'Mina ', kind: 'same' },
      { text: 'looked at it', kind: 'removed' },
      { text: 'was faster', kind: 'added' },
    ])
    const added = wordDiff('one two', 'one and two, not three')
    expect(added.filter(({ kind }) => kind === 'removed')).toEqual([])
    expect(added.map(({ text }) => text).join('')).toBe('one and two, not three')
  })
})

describe('a simulated edit by someone else', () => {
  const { conflict: _conflict, ...waiting } = entry({ state: 'waiting' })
  it('changes a field of the pending edit, or none of them', () => {
    expect(Object.keys(foreignEdit(waiting, 'same').body)).toEqual(['start', 'end'])
    const other = Object.keys(foreignEdit({ ...waiting, patch: { summary: 'x' } }, 'other').body)
    expect(other).toEqual(['location'])
  })
  it('changes a text or the flight of a campaign record', () => {
    const base = { name: 'Spring', comment: 'Old', pricingSchedule: { startDate: '2026-06-01', endDate: '2026-06-30' } }
    const placement = (patch: OutboxEntry['patch']): OutboxEntry => ({
      ...waiting,
      collection: 'placements',
      base,
      patch,
    })
    const renamed = placement({ name: 'Mine' })
    expect(simulationTarget([renamed])?.id).toBe('1')
    expect(foreignEdit(renamed, 'same')).toMatchObject({
      operation: 'trafficking.placements.patch',
      body: { name: 'Spring (Mina)' },
    })
    expect(foreignEdit(renamed, 'other').body).toEqual({ comment: 'Old (Mina)' })
    const moved = placement({ pricingSchedule: { ...base.pricingSchedule, endDate: '2026-06-20' } })
    expect(foreignEdit(moved, 'same').body).toEqual({
      pricingSchedule: { ...base.pricingSchedule, endDate: '2026-07-01' },
    })
  })
  it('needs a record that the service has', () => {
    expect(simulationTarget([{ ...waiting, recordId: 'local:1' }])).toBeUndefined()
    expect(simulationTarget([waiting])?.id).toBe('1')
  })
})

describe('the difference between values', () => {
  const price = (units: string, more: object = {}) => ({
    pricingType: 'PRICING_TYPE_CPM',
    pricingPeriods: [{ startDate: '2026-06-01', units }],
    ...more,
  })

  it('contains only the parts that differ, also in lists', () => {
    expect(differingParts([price('1'), price('2', { flighted: true }), price('3')])).toEqual([
      { pricingPeriods: [{ units: '1' }] },
      { pricingPeriods: [{ units: '2' }], flighted: true },
      { pricingPeriods: [{ units: '3' }] },
    ])
  })
  it("keeps an entry's key, and sizes whole", () => {
    const one = (allocation: number, width: number) => ({
      name: 'A',
      allocation,
      size: { width, height: 250 },
      id: '7',
    })
    expect(differingParts([one(1, 300), one(2, 320)])).toEqual([
      { name: 'A', allocation: 1, size: { width: 300, height: 250 } },
      { name: 'A', allocation: 2, size: { width: 320, height: 250 } },
    ])
  })
  it('is the whole value for lists of different lengths, texts, or a missing side', () => {
    for (const values of [
      [[{ units: '1' }], []],
      ['a', 'b'],
      [price('1'), undefined],
      [
        ['1', '2'],
        ['1', '3'],
      ],
    ])
      expect(differingParts(values)).toEqual(values)
  })
})
