import { describe, expect, it } from 'vitest'
import { readQuickAdd, type QuickAddContext } from '#shared/domain/quick-add/event-line'
import { suggestLines } from '#shared/domain/quick-add/suggest'

const context = {
  now: Date.parse('2026-06-10T08:00:00+02:00'),
  zone: 'Europe/Berlin',
  defaultMinutes: 30,
  calendars: [],
}
/** `label: title start`, with the rule of a series. */
const suggested = (line: string, where: QuickAddContext = context): string[] =>
  suggestLines(line, where).map(({ label, event: { summary, start, recurrence } }) =>
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
    ['Report due by Friday', ['Leave out “due by”: Report 2026-06-12']],
    ['Dentist in 3 weeks at 3', ['15:00: Dentist 2026-07-01T15:00', '03:00: Dentist 2026-07-01T03:00']],
    [
      'Party Halloween 20:00',
      ['31 Oct: Party 2026-10-31T20:00', 'Keep “Halloween” in the title: Party Halloween 2026-06-10T20:00'],
    ],
    ['Move standup Thu to Fri', ['On Fri: Move standup 2026-06-12', 'Thu – Fri: Move standup 2026-06-11']],
    ['Shift call 10 to 11', ['At 11: Shift call 2026-06-10T11:00', '10 – 11: Shift call 2026-06-10T10:00']],
    ['Yoga room 5-6pm', ['From 5-6pm: Yoga room 2026-06-10T17:00']],
    ['Call April at 3pm', ['Keep “April” in the title: Call April 2026-06-10T15:00']],
  ])('“%s” offers what can be meant', (line, expected) => {
    expect(suggested(line)).toEqual(expected)
  })

  it('“in 3 months” offers the last day of a shorter month', () => {
    const where = { ...context, now: Date.parse('2026-11-29T11:00:00+01:00') }
    expect(readQuickAdd('Oil change in 3 months', where).problem).toBe(
      'That month ends on Sun 28 Feb 2027. Enter the date',
    )
    expect(suggested('Oil change in 3 months', where)).toEqual(['Sun 28 Feb 2027: Oil change 2027-02-28'])
  })

  it.each([
    ['Class MWF 9:00', 'Every Mon, Wed, Fri: Class 2026-06-10T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['Work every M-F 9-5pm', 'Every Mon-Fri: Work 2026-06-10T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Class T/Th 14:00', 'Every Tue, Thu: Class 2026-06-11T14:00 RRULE:FREQ=WEEKLY;BYDAY=TU,TH'],
  ])('“%s” first offers the weekdays of its letters', (line, expected) => {
    expect(suggested(line)[0]).toBe(expected)
  })

  it.each([
    [
      'Offsite Thu and Fri',
      'Thu 11 Jun 2026 – Fri 12 Jun 2026: Offsite 2026-06-11',
      'Every Thu, Fri: Offsite 2026-06-11 RRULE:FREQ=WEEKLY;BYDAY=TH,FR',
    ],
    [
      'Stand-up Mon-Fri 9:15',
      'Every Mon-Fri: Stand-up 2026-06-10T09:15 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      'Every day from Mon 15 Jun 2026 until Fri 19 Jun 2026: Stand-up 2026-06-15T09:15 RRULE:FREQ=DAILY;UNTIL=20260619T215959Z',
    ],
    [
      'Camp 6-10 July 9am-3pm',
      'Every day from Mon 6 Jul 2026 until Fri 10 Jul 2026: Camp 2026-07-06T09:00 RRULE:FREQ=DAILY;UNTIL=20260710T215959Z',
    ],
    [
      'Review a week on Thursday 10:00',
      'Thu 18 Jun 2026: Review 2026-06-18T10:00',
      'Thu 11 Jun 2026: Review 2026-06-11T10:00',
    ],
    ['Review Thursday after next', 'Thu 18 Jun 2026: Review 2026-06-18', 'Thu 25 Jun 2026: Review 2026-06-25'],
    ['Deadline by EOM', 'End of month: Deadline 2026-06-30'],
    ['Call half past four', '16:30: Call 2026-06-10T16:30', '04:30: Call 2026-06-11T04:30'],
    // The end counts from the start: not 19:00-08:00.
    ['Call 7-8', '7pm: Call 2026-06-10T19:00', '7am: Call 2026-06-11T07:00'],
    ['Release midnight Friday', '00:00: Release 2026-06-12T00:00', '24:00: Release 2026-06-13T00:00'],
    ['Launch 3/4', '3 Apr: Launch 2027-04-03', '4 Mar: Launch 2027-03-04'],
    ['Retro Tue 11 Jun 15:00', 'Thu 11 Jun 2026: Retro 2026-06-11T15:00', 'Tue 16 Jun 2026: Retro 2026-06-16T15:00'],
    ['Retro Fri 2 July 15:00', 'Thu 2 Jul 2026: Retro 2026-07-02T15:00', 'Fri 3 Jul 2026: Retro 2026-07-03T15:00'],
    ['Retro Tue 4 July', 'Sat 4 Jul 2026: Retro 2026-07-04', 'Tue 7 Jul 2026: Retro 2026-07-07'],
    ['Retro Thu 4 July', 'Sat 4 Jul 2026: Retro 2026-07-04', 'Thu 2 Jul 2026: Retro 2026-07-02'],
    [
      'School run 8.30am Monday to Thursday until 18 Dec',
      'Every Monday to Thursday: School run 2026-06-10T08:30 RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH;UNTIL=20261218T225959Z',
    ],
    ['Launch next month on the 10th', 'The 10th of next month: Launch 2026-07-10'],
    ['Report mon EOD', '17:00: Report 2026-06-15T17:00'],
    ['eod send invoice', '17:00: send invoice 2026-06-10T17:00'],
    ['Therapy weekly Wed 17:00 x 10', '10 times: Therapy 2026-06-10T17:00 RRULE:FREQ=WEEKLY;COUNT=10'],
    ['Breakfast tomorrow 8-ish', '08:00: Breakfast 2026-06-11T08:00', '20:00: Breakfast 2026-06-11T20:00'],
    ['Call tomorrow 8ish', '08:00: Call 2026-06-11T08:00', '20:00: Call 2026-06-11T20:00'],
    ['Doctor Monday in the morning', '9:00: Doctor 2026-06-15T09:00'],
    ['Gym every evening', '19:00: Gym 2026-06-10T19:00 RRULE:FREQ=DAILY'],
    ['Dentist 12th 10am', 'The 12th: Dentist 2026-06-12T10:00'],
    ['Gym mon/wed/fri 6am', 'Every mon, wed, fri: Gym 2026-06-12T06:00 RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    [
      'Board on the last Friday of the month at 3pm',
      'Fri 26 Jun 2026: Board 2026-06-26T15:00',
      'Last Friday of every month: Board 2026-06-26T15:00 RRULE:FREQ=MONTHLY;BYDAY=-1FR',
    ],
    [
      'Sync every 3rd Tuesday 10am',
      'Third Tuesday of every month: Sync 2026-06-16T10:00 RRULE:FREQ=MONTHLY;BYDAY=3TU',
      'Every 3 weeks on Tuesday: Sync 2026-06-16T10:00 RRULE:FREQ=WEEKLY;INTERVAL=3',
    ],
    [
      'Yoga tuesdays 18:00 until July',
      'Until end of July: Yoga 2026-06-16T18:00 RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260731T215959Z',
      'Until 1 July: Yoga 2026-06-16T18:00 RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260701T215959Z',
    ],
    [
      'Trip next weekend',
      'Sat 13 Jun 2026 – Sun 14 Jun 2026: Trip 2026-06-13',
      'Sat 20 Jun 2026 – Sun 21 Jun 2026: Trip 2026-06-20',
    ],
    [
      'Vacation next week',
      'Mon 15 Jun 2026 – Fri 19 Jun 2026: Vacation 2026-06-15',
      'Mon 15 Jun 2026 – Sun 21 Jun 2026: Vacation 2026-06-15',
    ],
  ])('“%s” offers the answers that its question names', (line, ...expected) => {
    expect(suggested(line).slice(0, expected.length)).toEqual(expected)
  })

  it.each([
    ['Report mon EOD', '5:00 pm: Report 2026-06-15T17:00'],
    ['Call half past four', '4:30 pm: Call 2026-06-10T16:30', '4:30 am: Call 2026-06-11T04:30'],
    ['call mom 5', '5:00 pm: call mom 2026-06-10T17:00', '5:00 am: call mom 2026-06-11T05:00'],
    ['Doctor Monday in the morning', '9:00 am: Doctor 2026-06-15T09:00'],
    ['lunch 12', '12:00 pm: lunch 2026-06-10T12:00'],
    ['Release midnight Friday', '00:00: Release 2026-06-12T00:00', '24:00: Release 2026-06-13T00:00'],
    ['Call 7-8', '7pm: Call 2026-06-10T19:00', '7am: Call 2026-06-11T07:00'],
  ])('“%s” offers times of a 12-hour clock', (line, ...expected) => {
    expect(suggested(line, { ...context, hour12: true }).slice(0, expected.length)).toEqual(expected)
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
    expect(suggested('call next fri 3')).toEqual([
      'Fri 12 Jun 2026, 15:00: call 2026-06-12T15:00',
      'Fri 19 Jun 2026, 15:00: call 2026-06-19T15:00',
      'Keep “next fri” in the title, 15:00: call next fri 2026-06-10T15:00',
    ])
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
