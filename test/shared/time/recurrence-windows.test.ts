import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextOccurrences, occurrences, type Series } from '#shared/time/recurrence'
import { dateOfWall, instantOfWall, rfc3339, textOfWall, wallOfInstant } from '#shared/time/zones'
import { plainStarts } from './plain-expansion'
import { cases } from '../../helpers/ring'

const dayMs = 86_400_000
const years = 3

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const several = <T>(one: fc.Arbitrary<T>, most: number): fc.Arbitrary<string> =>
  fc.uniqueArray(one, { minLength: 1, maxLength: most }).map((items) => items.join(','))
const numbers = (last: number, most = 3, first = 1): fc.Arbitrary<string> =>
  several(fc.integer({ min: first, max: last }), most)
const fromBothEnds = (last: number, most = 3): fc.Arbitrary<string> =>
  several(
    fc.integer({ min: 1, max: last }).chain((place) => fc.constantFrom(place, -place)),
    most,
  )
const plainDays = several(fc.constantFrom(...weekdays), 4)
const numberedDays = (last: number): fc.Arbitrary<string> =>
  several(
    fc
      .tuple(fc.integer({ min: -last, max: last }), fc.constantFrom(...weekdays))
      .map(([nth, day]) => `${nth === 0 ? '' : nth}${day}`),
    3,
  )
const half = { freq: 2, nil: undefined }
const third = { freq: 3, nil: undefined }

function ruleOf(parts: Readonly<Record<string, string | undefined>>): string {
  const kept = Object.entries(parts).filter(([, value]) => value !== undefined)
  const lists = kept.filter(([name]) => name.startsWith('BY') && name !== 'BYSETPOS')
  return kept
    .filter(([name]) => name !== 'BYSETPOS' || lists.length > 0)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}

const ofDays = fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY').chain((frequency) => {
  const yearly = frequency === 'YEARLY'
  const maybe = (arbitrary: fc.Arbitrary<string>, allowed = true): fc.Arbitrary<string | undefined> =>
    allowed ? fc.option(arbitrary, half) : fc.constant(undefined)
  // Numbered weekdays apply to months and years, and not together with week numbers.
  const days = fc.oneof(plainDays, ...(yearly ? [numberedDays(53), numberedDays(5)] : []))
  return fc
    .record({
      FREQ: fc.constant(frequency),
      INTERVAL: maybe(fc.constantFrom('2', '3', '4')),
      WKST: maybe(fc.constantFrom(...weekdays)),
      BYMONTH: maybe(numbers(12)),
      BYWEEKNO: maybe(fromBothEnds(53), yearly),
      BYYEARDAY: yearly ? fc.option(fromBothEnds(366, 8), { freq: 2, nil: undefined }) : fc.constant(undefined),
      BYMONTHDAY: maybe(fromBothEnds(31, 6), frequency !== 'WEEKLY'),
      BYDAY: maybe(frequency === 'MONTHLY' ? numberedDays(5) : days),
      BYHOUR: fc.option(numbers(23, 3, 0), third),
      BYMINUTE: fc.option(numbers(59, 2, 0), third),
      BYSETPOS: fc.option(fromBothEnds(5, 2), third),
      end: fc.option(
        fc.oneof(
          fc.integer({ min: 1, max: 40 }).map((count) => `COUNT=${count}`),
          fc.integer({ min: 0, max: years * 366 }).map((day) => `UNTIL+${day}`),
        ),
        half,
      ),
    })
    .map(({ end, ...parts }) => {
      if (parts.BYWEEKNO && parts.BYDAY) parts.BYDAY = [...new Set(parts.BYDAY.replace(/[-\d]/g, '').split(','))].join()
      return { rule: ruleOf(parts), end }
    })
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'all-day']
const firstMinute = fc.oneof(
  fc.integer({ min: Date.UTC(2015, 0, 1) / 60_000, max: Date.UTC(2027, 0, 1) / 60_000 }),
  // Around the turn of the year, and at skipped and repeated hours.
  fc
    .tuple(fc.integer({ min: 2015, max: 2027 }), fc.integer({ min: -4 * 24 * 60, max: 4 * 24 * 60 }))
    .map(([year, minutes]) => Date.UTC(year, 0, 1) / 60_000 + minutes),
  fc
    .constantFrom(Date.UTC(2020, 1, 29, 9), Date.UTC(2024, 11, 31, 1, 30), Date.UTC(2016, 2, 31, 1, 30))
    .map((at) => at / 60_000),
)
const windows = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: years * 366 }),
    fc.integer({ min: 0, max: 1_440 }),
    fc.integer({ min: 1, max: 500 }),
  ),
  { minLength: 2, maxLength: 4 },
)

interface Case {
  series: Series
  rule: string
  first: number
  zone: string
}

function caseOf(rule: string, minute: number, where: string): Case {
  const allDay = where === 'all-day'
  const zone = allDay ? 'UTC' : where
  const first = allDay ? Math.floor(minute / 1_440) * dayMs : wallOfInstant(instantOfWall(minute * 60_000, zone), zone)
  const start = allDay
    ? { date: dateOfWall(first) }
    : { dateTime: rfc3339(instantOfWall(first, zone), zone), timeZone: zone }
  const end = allDay ? { date: dateOfWall(first + dayMs) } : start
  return { series: { start, end, recurrence: [`RRULE:${rule}`] }, rule, first, zone }
}

const startsIn = ({ series, zone }: Case, low: number, high: number): string[] => {
  const [from, to] = [instantOfWall(low, zone), instantOfWall(high, zone)]
  return occurrences(series, from, to, 100_000)
    .filter(({ start }) => start >= from)
    .map(({ start }) => textOfWall(wallOfInstant(start, zone)))
}

describe('occurrences in any window match the full series', () => {
  it('for random daily to yearly rules, as in a slow reference implementation', { timeout: 240_000 }, () => {
    let [rules, looked, refused, dates] = [0, 0, 0, 0]
    fc.assert(
      fc.property(ofDays, firstMinute, fc.constantFrom(...zones), windows, (parts, minute, where, spans) => {
        if (where === 'all-day' && /BYHOUR|BYMINUTE/.test(parts.rule)) where = 'UTC'
        const { first } = caseOf(parts.rule, minute, where)
        const until = parts.end?.startsWith('UNTIL+') ? first + Number(parts.end.slice(6)) * dayMs : undefined
        const end =
          until === undefined
            ? parts.end
            : `UNTIL=${where === 'all-day' ? dateOfWall(until).replace(/-/g, '') : textOfWall(until).replace(/[-:]/g, '')}`
        const one = caseOf(end ? `${parts.rule};${end}` : parts.rule, minute, where)
        const horizon = first + years * 366 * dayMs
        const whole = plainStarts(one.rule, first, Math.min(until ?? Infinity, horizon), one.zone).map(textOfWall)
        rules++
        dates += whole.length
        // A rule with almost no dates in centuries is rejected with a message, never truncated.
        let found: string[]
        try {
          found = startsIn(one, first, horizon)
        } catch (error) {
          refused++
          expect([error instanceof RangeError, whole.length < 30], one.rule).toEqual([true, true])
          return
        }
        expect(found, one.rule).toEqual(whole.filter((text) => text < textOfWall(horizon)))
        for (const [day, minutes, length] of spans) {
          const low = first + day * dayMs + (minutes - 720) * 60_000
          const high = Math.min(low + length * dayMs, horizon)
          looked++
          expect(startsIn(one, low, high), `${one.rule} from ${textOfWall(low)}`).toEqual(
            whole.filter((text) => text >= textOfWall(low) && text < textOfWall(high)),
          )
        }
      }),
      { numRuns: cases(50, 500), seed: 20260610 },
    )
    expect(rules).toBe(cases(50, 500))
    expect(looked).toBeGreaterThan(2 * rules)
    expect(dates).toBeGreaterThan(20 * rules)
    expect(refused).toBeLessThan(rules / 10)
  })

  const ofHours = fc
    .record({
      FREQ: fc.constantFrom('HOURLY', 'MINUTELY', 'SECONDLY'),
      BYMONTH: fc.option(numbers(12, 4), third),
      BYMONTHDAY: fc.option(fromBothEnds(31, 6), third),
      BYDAY: fc.option(plainDays, third),
      BYHOUR: fc.option(numbers(23, 4, 0), half),
      COUNT: fc.option(fc.integer({ min: 1, max: 300 }).map(String), third),
      step: fc.integer({ min: 1, max: 30 }),
    })
    .map(({ step, ...parts }) => {
      const base = { HOURLY: 1, MINUTELY: 60, SECONDLY: 3_600 }[parts.FREQ]!
      return ruleOf({ ...parts, INTERVAL: String(base * step) })
    })

  it('for hourly and faster rules', { timeout: 240_000 }, () => {
    let [looked, dates, refused] = [0, 0, 0]
    fc.assert(
      fc.property(
        ofHours,
        firstMinute,
        fc.constantFrom(...zones.slice(0, -1)),
        windows,
        (rule, minute, zone, spans) => {
          const one = caseOf(rule, minute, zone)
          const horizon = one.first + 400 * dayMs
          let all: number[]
          try {
            all = occurrences(one.series, instantOfWall(one.first, zone), instantOfWall(horizon, zone), 100_000).map(
              ({ start }) => start,
            )
          } catch (error) {
            refused++
            expect(error).toBeInstanceOf(RangeError)
            return
          }
          dates += all.length
          for (const [day, minutes, length] of spans) {
            const low = instantOfWall(one.first, zone) + Math.floor(day / 4) * dayMs + (minutes - 720) * 60_000
            const high = Math.min(low + Math.ceil(length / 10) * dayMs, instantOfWall(horizon, zone))
            looked++
            const found = occurrences(one.series, low, high, 100_000).map(({ start }) => start)
            expect(found, `${rule} in ${zone}`).toEqual(all.filter((start) => start >= low && start < high))
          }
        },
      ),
      { numRuns: cases(25, 200), seed: 20260610 },
    )
    expect(looked).toBeGreaterThan(2 * cases(25, 200))
    expect(refused).toBeLessThan(10)
    expect(dates).toBeGreaterThan(10 * cases(25, 200))
  })
})

describe('yearly rules that the library gets wrong', () => {
  const allDay = (start: string, rule: string): Series => ({
    start: { date: start },
    end: { date: start },
    recurrence: [`RRULE:${rule}`],
  })
  it.each([
    [
      'a week keeps the weekday of the first start',
      'FREQ=YEARLY;BYWEEKNO=20',
      '2017-05-18',
      ['2017-05-18', '2018-05-17', '2019-05-16', '2020-05-14'],
    ],
    [
      "a week across the year's end",
      'FREQ=YEARLY;BYWEEKNO=1',
      '2018-01-01',
      ['2018-01-01', '2018-12-31', '2019-12-30', '2021-01-04'],
    ],
    [
      'a 53rd week comes when there is one',
      'FREQ=YEARLY;BYWEEKNO=53',
      '2015-12-31',
      ['2015-12-31', '2020-12-31', '2026-12-31', '2032-12-30'],
    ],
    [
      'the last week',
      'FREQ=YEARLY;BYWEEKNO=-1',
      '2015-12-31',
      ['2015-12-31', '2016-12-29', '2017-12-28', '2018-12-27'],
    ],
    [
      'weeks in every second year',
      'FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO',
      '2024-12-30',
      ['2024-12-30', '2027-01-04', '2029-01-01', '2030-12-30'],
    ],
    [
      'numbered and plain weekdays',
      'FREQ=YEARLY;BYDAY=-4SU,FR',
      '2017-12-01',
      ['2017-12-01', '2017-12-08', '2017-12-10', '2017-12-15'],
    ],
    [
      'a day of the year matching a day of the month',
      'FREQ=YEARLY;BYYEARDAY=60;BYMONTHDAY=29',
      '2020-02-29',
      ['2020-02-29', '2024-02-29', '2028-02-29', '2032-02-29'],
    ],
    [
      'a numbered weekday matching a day of the month',
      'FREQ=YEARLY;BYDAY=1MO;BYMONTHDAY=1',
      '2018-01-01',
      ['2018-01-01', '2024-01-01', '2029-01-01', '2035-01-01'],
    ],
  ])('%s: %s', (_name, rule, start, expected) => {
    const series = allDay(start, rule)
    expect(nextOccurrences(series, Date.parse(start), 4).map(({ originalStart }) => originalStart.date)).toEqual(
      expected,
    )
    // The same in one-year windows, from mid-year.
    const byYear = Array.from({ length: 20 }, (_, index) => index + Number(start.slice(0, 4))).flatMap((year) =>
      occurrences(series, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)).map(
        ({ originalStart }) => originalStart.date,
      ),
    )
    expect(byYear.slice(0, 4)).toEqual(expected)
  })

  it('a rule without a matching date has none, and stops', () => {
    const never = allDay('2020-01-01', 'FREQ=YEARLY;BYYEARDAY=1;BYMONTH=7')
    expect(occurrences(never, -8.64e15, 8.64e15, 1)).toEqual([])
  })
})
