import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../../../src-renderer/replica/api'
import { differsFromSeries, scopesFor, type Loaded } from '../../../../src-renderer/views/calendar/scope'

const zone = 'Europe/Berlin'
const at = (time: string): JsonObject => ({ dateTime: `2026-06-${time}:00+02:00`, timeZone: zone })
const series: JsonObject = {
  summary: 'Yoga',
  start: at('04T18:00'),
  end: at('04T19:00'),
  recurrence: ['RRULE:FREQ=WEEKLY'],
  attendees: [{ email: 'alex@example.com', self: true, responseStatus: 'needsAction' }],
}
const occurrence = (changed: JsonObject = {}): Loaded => ({
  row: {} as Row,
  event: { ...series, originalStartTime: at('11T18:00'), start: at('11T18:00'), end: at('11T19:00'), ...changed },
  master: { value: series } as unknown as Row,
})
const move: JsonObject = { start: at('12T18:00'), end: at('12T19:00') }

describe('an occurrence', () => {
  it('follows its series while it starts and lasts as the rule says, even if it was moved and moved back', () => {
    expect(differsFromSeries(occurrence(), move)).toBe(false)
    expect(differsFromSeries(occurrence({ summary: 'Yoga outside' }), move)).toBe(false)
  })
  it('differs once it starts at another time or lasts longer', () => {
    expect(differsFromSeries(occurrence({ start: at('12T18:00'), end: at('12T19:00') }), move)).toBe(true)
    expect(differsFromSeries(occurrence({ end: at('11T19:30') }), move)).toBe(true)
  })
  it('differs in other fields only if those are changed', () => {
    const answered = occurrence({ attendees: [{ email: 'alex@example.com', self: true, responseStatus: 'accepted' }] })
    expect(differsFromSeries(answered, { attendees: [] })).toBe(true)
    expect(differsFromSeries(answered, move)).toBe(false)
  })
  it('of no series differs from none', () => {
    const { row, event } = occurrence()
    expect(differsFromSeries({ row, event }, move)).toBe(false)
  })
})

describe('the scope of an edit', () => {
  const inSeries = (changed: JsonObject): Loaded => ({
    ...occurrence(),
    master: { value: { ...series, ...changed } } as unknown as Row,
  })
  const mine = inSeries({ organizer: { email: 'alex@example.com', self: true } })
  const others = inSeries({ organizer: { email: 'mina@example.com' } })

  it('can be following occurrences only if all series can be split', () => {
    expect(scopesFor([mine])).toEqual(['this', 'following', 'all'])
    expect(scopesFor([others])).toEqual(['this', 'all'])
    expect(scopesFor([mine, others])).toEqual(['this', 'all'])
    expect(scopesFor([inSeries({ locked: true })])).toEqual(['this', 'all'])
    expect(scopesFor([inSeries({ organizer: { email: 'mina@example.com' }, guestsCanModify: true })])).toHaveLength(3)
  })
  it('is the rest or all of a series for its rule, and all of it for its calendar', () => {
    expect(scopesFor([mine], { recurrence: [] })).toEqual(['following', 'all'])
    expect(scopesFor([mine], { recurrence: [] }, true)).toEqual(['all'])
  })
  it('is only the occurrence if it’s moved to another day and the days of the rule can’t be', () => {
    const lastWeekday = 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'
    for (const [rule, scopes] of [
      [lastWeekday, 1],
      ['RRULE:FREQ=YEARLY;BYYEARDAY=162', 1],
      ['RRULE:FREQ=MONTHLY;BYDAY=TH', 1],
      ['RRULE:FREQ=MONTHLY;BYDAY=TH;BYSETPOS=2', 3],
      ['RRULE:FREQ=MONTHLY;BYDAY=2TH', 3],
      ['RRULE:FREQ=MONTHLY;BYMONTHDAY=11', 3],
      ['RRULE:FREQ=WEEKLY;BYDAY=MO,TH', 3],
    ] as const) {
      const one = { ...mine, master: { value: { ...mine.master!.value, recurrence: [rule] } } as unknown as Row }
      expect([rule, scopesFor([one], move).length]).toEqual([rule, scopes])
      const later = { start: at('11T20:00'), end: at('11T21:00') }
      expect(scopesFor([one], later)).toHaveLength(3)
    }
  })
  it('is of no use for a single event', () => {
    const { row, event } = occurrence()
    expect(scopesFor([{ row, event }])).toEqual([])
  })
})
