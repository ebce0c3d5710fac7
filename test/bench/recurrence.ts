import 'temporal-polyfill/global'
import ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { occurrences, type Series } from '#shared/time/recurrence'
import { comparison, median, time, type Bench, type Comparison } from './measure'

const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE,FR', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH']
const from = Date.parse('2026-06-01T00:00:00Z')
const to = Date.parse('2026-07-01T00:00:00Z')

/** Expanding a month of 400 series that started half a year before, without a cache. */
export async function* recurrence({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const rounds = long ? 15 : 7
  const minute = (n: number): string => String(n % 60).padStart(2, '0')
  const series = Array.from({ length: 400 }, (_unused, n): Series => ({
    start: { dateTime: `2026-01-05T09:${minute(n)}:00+01:00`, timeZone: 'Europe/Berlin' },
    end: { dateTime: `2026-01-05T10:${minute(n)}:00+01:00`, timeZone: 'Europe/Berlin' },
    recurrence: [`RRULE:${rules[n % rules.length]}`],
  }))
  let found = 0
  const ours: number[] = []
  const library: number[] = []
  const ical: number[] = []
  for (let round = 0; round < rounds; round++) {
    step(`round ${round + 1} of ${rounds}`)
    // A different second each round, so that nothing is cached.
    const fresh = series.map((one) => ({
      ...one,
      start: { ...one.start, dateTime: one.start.dateTime!.replace(':00+', `:${String(round + 1).padStart(2, '0')}+`) },
    }))
    ours.push(await time(() => (found = fresh.reduce((sum, one) => sum + occurrences(one, from, to).length, 0))))
    library.push(
      await time(() => {
        for (const one of fresh) {
          const dtstart = Temporal.Instant.from(one.start.dateTime!).toZonedDateTimeISO('Europe/Berlin')
          new RRuleTemporal({ rruleString: one.recurrence[0]!, dtstart }).between(new Date(from), new Date(to), true)
        }
      }),
    )
    ical.push(
      await time(() => {
        for (const one of fresh) {
          const start = ICAL.Time.fromDateTimeString(one.start.dateTime!.slice(0, 19))
          const iterator = ICAL.Recur.fromString(one.recurrence[0]!.slice(6)).iterator(start)
          for (let next = iterator.next(); next && next.year === 2026 && next.month < 7; next = iterator.next())
            continue
        }
      }),
    )
  }
  const detail = { series: series.length, occurrences: found }
  yield comparison(
    'recurrence expansion, against rrule-temporal alone',
    'the same rules through rrule-temporal',
    median(ours),
    median(library),
    { detail },
  )
  yield comparison(
    'recurrence expansion, against ical.js',
    'the same rules through ical.js, without zones',
    median(ours),
    median(ical),
    { detail },
  )
}
