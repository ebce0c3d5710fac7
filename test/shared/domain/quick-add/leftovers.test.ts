import { describe, expect, it } from 'vitest'
import { readQuickAdd } from '#shared/domain/quick-add/event-line'
import { cases } from '../../../helpers/ring'
import { numbers } from '../../../helpers/numbers'

const context = {
  now: Date.parse('2026-11-21T11:00:00+01:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 30,
  calendars: [],
}

const titles =
  'Lunch Budget Mina report Yoga Zahnarzt printer Elbe workshop Anna plan Steuer call kitchen Ordner'.split(' ')
const times =
  'until every next first third starting times Monday Fri Dec March JST CST tomorrow yesterday bis jeden nächsten März übermorgen heute 5pm 17:30 9:15 9ish noon ago 14h Uhr weekly täglich Dienstag Freitagabend 3.12. 2026-12-01 10-11 31/12 PST last letzten this-week later bald ab 15th 2nd weekend Wochenende monthly mittwochs domani wendsday tommorrow 1430 before except Montags monthly 8am-9am eod quarter-to halb tonight'.split(
    ' ',
  )
const joints = 'on at in for of the to am um von mit with - , and und or'.split(' ')

/** A word about time, for someone who doesn't know the parser. */
const ofTime =
  /^(?:until|bis|every|jeden|next|nächsten|first|third|starting|times|last|letzten|later|bald|ago|eod|weekly|monthly|täglich|tomorrow|yesterday|übermorgen|heute|tonight|noon|uhr|wendsday|tommorrow|domani|weekend|wochenende|(?:mon|tues|diens|mittwoch|freitag)\p{L}*|fri|dec|march|märz|jst|cst|pst|\d{1,2}(?:am|pm|h|ish|st|nd|rd|th)|\d{1,2}[:./]\d\d?.*|\d{4}-\d\d-\d\d|1430)$/iu

describe('unknown words about time', () => {
  it('never end up in a title or place, in thousands of mixtures', () => {
    const pick = numbers(11)
    const from = (words: readonly string[]): string => words[pick(words.length)]!
    let made = 0
    for (let round = 0; round < cases(4_000, 20_000); round++) {
      const words = [from(titles)]
      for (let more = 2 + pick(5); more > 0; more--) words.push(from([titles, times, times, joints][pick(4)]!))
      const line = words.join(' ')
      const { event, parts } = readQuickAdd(line, context)
      for (const { from, to } of parts)
        expect([line, 0 <= from && from < to && to <= line.length]).toEqual([line, true])
      if (!event) continue
      made++
      const left = `${event.summary} ${event.location ?? ''}`.split(/[\s,]+/)
      expect([line, left.filter((word) => ofTime.test(word))]).toEqual([line, []])
    }
    expect(made).toBeGreaterThan(cases(200, 1_000))
  })

  it('stay if quoted', () => {
    const { event } = readQuickAdd('Read "Tomorrow never dies" Friday 20:00', context)
    expect(event?.summary).toBe('Read Tomorrow never dies')
    expect(readQuickAdd('„Jeden zweiten Tag“ hören Freitag 20:00', context).event?.summary).toBe(
      'Jeden zweiten Tag hören',
    )
  })

  it('are highlighted exactly', () => {
    const line = 'Call Mina tomorrow before 10:00'
    const { parts, problem } = readQuickAdd(line, context)
    expect(problem).toMatch(/“before 10:00”/)
    expect(parts.map(({ part, from, to }) => [part, line.slice(from, to)])).toEqual([
      ['date', 'tomorrow'],
      ['question', 'before 10:00'],
    ])
  })
})

describe('a number in a title', () => {
  it.each([
    '1:1 Mina tomorrow 10:00',
    'Read Chapter 5 tomorrow 10:00',
    'Room 12 cleaning tomorrow 10:00',
    'Q3 review tomorrow 10:00',
    'B2B call tomorrow 10:00',
    'iPhone 15 tomorrow 10:00',
    'Order 40 chairs tomorrow 10:00',
    'Sprint 14 planning tomorrow 10:00',
    '5 minute thing tomorrow 10:00',
    'Budget 2027 review tomorrow 10:00',
  ])('stays if it has a name or counts: %s', (line) => {
    expect(readQuickAdd(line, context).event?.summary).toBe(line.replace(' tomorrow 10:00', ''))
  })

  it.each([
    'Lunch 12',
    'Lunch 5 tomorrow',
    'Call 9 Mina tomorrow',
    'Dentist 27 10:00',
    'Class 9 tomorrow',
    'Yoga 18 Friday',
  ])('is asked about if it could be an hour or a date: %s', (line) => {
    const { event, problem } = readQuickAdd(line, context)
    expect([event, problem]).toEqual([null, expect.stringMatching(/Couldn’t understand “\d+”/)])
  })
})
