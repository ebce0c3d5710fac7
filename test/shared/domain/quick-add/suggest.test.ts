import { describe, expect, it } from 'vitest'
import { readQuickAdd } from '#shared/domain/quick-add/read'
import { suggestLines } from '#shared/domain/quick-add/suggest'

const context = {
  now: Date.parse('2026-06-10T08:00:00+02:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 30,
  calendars: [],
}
/** `label: title start`, with the rule of a series. */
const suggested = (line: string): string[] =>
  suggestLines(line, context).map(({ label, event: { summary, start, recurrence } }) =>
    [`${label}: ${summary} ${(start.dateTime ?? start.date)!.slice(0, 16)}`, ...(recurrence ?? [])].join(' '),
  )

describe('a line with a question', () => {
  it.each([
    ['lunch 12', ['12:00: lunch 2026-06-10T12:00']],
    ['call mom 5', ['17:00: call mom 2026-06-10T17:00', '05:00: call mom 2026-06-11T05:00']],
    [
      'Sync biweekly on Tuesdays 10:00',
      [
        'Every 2 weeks: Sync 2026-06-16T10:00 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
        'Keep “biweekly” in the title: Sync biweekly 2026-06-16T10:00 RRULE:FREQ=WEEKLY;BYDAY=TU',
      ],
    ],
    ['tonight movie', ['20:00: movie 2026-06-10T20:00']],
    ['Midnight mass fri 11:59pm', ['Keep “Midnight” in the title: Midnight mass 2026-06-12T23:59']],
    ['Call 555-1234 tomorrow 10:00', ['Keep “555-1234” in the title: Call 555-1234 2026-06-11T10:00']],
    ['Work 9a-5p tomorrow', ['9am-5pm: Work 2026-06-11T09:00']],
    ['Dinner for 4 fri 19:00', ['Keep “for 4” in the title: Dinner for 4 2026-06-12T19:00']],
    ['Call April at 3pm', ['Keep “April” in the title: Call April 2026-06-10T15:00']],
  ])('“%s” offers what can be meant', (line, expected) => {
    expect(suggested(line)).toEqual(expected)
  })

  it.each([
    ['Class MWF 9:00', 'Every Mon, Wed, Fri: Class 2026-06-10T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['Work every M-F 9-5pm', 'Every Mon-Fri: Work 2026-06-10T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Class T/Th 14:00', 'Every Tue, Thu: Class 2026-06-11T14:00 RRULE:FREQ=WEEKLY;BYDAY=TU,TH'],
  ])('“%s” first offers the weekdays of its letters', (line, expected) => {
    expect(suggested(line)[0]).toBe(expected)
  })

  it('offers both repetitions of a line with two', () => {
    expect(suggested('Weekly 1:1 with Jo fridays 11am')[0]).toBe(
      'Keep “Weekly” in the title: Weekly 1:1 with Jo 2026-06-12T11:00 RRULE:FREQ=WEEKLY;BYDAY=FR',
    )
  })

  it('offers a reminder in other words', () => {
    const [first] = suggestLines('Standup tomorrow 9:30 alert 10 min', context)
    expect(first?.event).toMatchObject({ summary: 'Standup', reminder: 10 })
  })

  it('answers two questions one after the other', () => {
    expect(suggested('next fri 3').every((line) => /2026-06-1[29]/.test(line))).toBe(true)
  })

  it('offers only lines that can be read as they are', () => {
    for (const line of ['gym 6-7', 'party sat 8', 'dentist 15 June 3', 'June planning tue 10'])
      for (const { text, event } of suggestLines(line, context))
        expect(readQuickAdd(text, context).event).toEqual(event)
  })

  it('has no suggestions without a question', () => {
    expect(suggestLines('lunch tomorrow 12:00', context)).toEqual([])
    expect(suggestLines('', context)).toEqual([])
  })
})

it('two weekdays after “every 2 weeks” are one repetition', () => {
  const { event } = readQuickAdd('Sprint every 2 weeks on Mon and Wed 10-11 until 1 Feb', context)
  expect(event?.recurrence).toEqual(['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20270201T225959Z'])
})
