/** Describes recurrence rules. Complex ones are a "custom recurrence", never shown raw. */

import { listWords } from '../list-words'

export const customRepetition = 'custom recurrence'

const units: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const weekdays: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}
const months = 'January February March April May June July August September October November December'.split(' ')
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth']

const ordinal = (number: number): string | undefined => (number === -1 ? 'last' : ordinals[number])

/**
 * Describes a rule without `RRULE:` and without its end: `every 2 weeks on Monday and Friday`, `every month on the last
 * day`. Null if it's too complex.
 */
export function ruleInWords(rule: string): string | null {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .filter(Boolean)
      .map((part) => part.split('=') as [string, string]),
  )
  const frequency = parts.get('FREQ') ?? ''
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const [byDay, byMonthDay, byMonth] = ['BYDAY', 'BYMONTHDAY', 'BYMONTH'].map(
    (name) => parts.get(name)?.split(',') ?? [],
  )
  const position = parts.get('BYSETPOS')
  for (const name of ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'UNTIL', 'COUNT', 'WKST'])
    parts.delete(name)
  const unit = units[frequency]
  if (!unit || parts.size > 0) return null
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
  const days = daysInWords(byDay!, position, frequency)
  const dates = [...byMonthDay!].sort((a, b) => Number(a < '0') - Number(b < '0')).map(dateInWords)
  const names = byMonth!.map((month) => months[Number(month) - 1])
  if (days === null || dates.includes(null) || names.includes(undefined)) return null
  // With both, only days that match both count, such as Friday the 13th.
  if (days !== '' && dates.length > 0) return null
  if (frequency === 'WEEKLY' && dates.length > 0) return null
  if (frequency === 'YEARLY' && names.length === 0 && (days !== '' || dates.length > 0)) return null
  if (frequency === 'WEEKLY' && days === ` on ${weekdaysInWords}` && interval === 1 && names.length === 0)
    return 'every weekday'
  const on = dates.length > 0 ? ` on ${listWords(dates as string[])}` : days
  const inMonths =
    names.length === 0 ? '' : ` ${on === '' || frequency !== 'YEARLY' ? 'in' : 'of'} ${listWords(names as string[])}`
  return `${every}${on}${inMonths}`
}

/** `day 14`, `the last day`, `the second-to-last day`. */
function dateInWords(date: string): string | null {
  if (/^\d+$/.test(date)) return `day ${date}`
  if (date === '-1') return 'the last day'
  const fromEnd = ordinals[-Number(date)]
  return fromEnd ? `the ${fromEnd}-to-last day` : null
}

const weekdaysInWords = 'Monday, Tuesday, Wednesday, Thursday, and Friday'
const order = Object.keys(weekdays)

function daysInWords(byDay: readonly string[], position: string | undefined, frequency: string): string | null {
  if (position !== undefined) return positionsInWords(byDay, position.split(','), frequency)
  if (byDay.length === 0) return ''
  const read = byDay.map((code) => /^([+-]?\d+)?([A-Z]{2})$/.exec(code))
  if (read.some((match) => !match || !weekdays[match[2]!])) return null
  const numbered = read.filter((match) => match![1] !== undefined)
  if (numbered.length === 0) {
    const names = read.map((match) => match![2]!).sort((a, b) => order.indexOf(a) - order.indexOf(b))
    return ` on ${listWords(names.map((code) => weekdays[code]!))}`
  }
  const numbers = read.map((match) => (match![1] === undefined ? undefined : ordinal(Number(match![1]))))
  if (numbers.includes(undefined) || (frequency !== 'MONTHLY' && frequency !== 'YEARLY')) return null
  const names = read.map((match) => weekdays[match![2]!]!)
  return new Set(names).size === 1
    ? ` on the ${listWords(numbers as string[])} ${names[0]}`
    : ` on ${listWords(names.map((name, at) => `the ${numbers[at]} ${name}`))}`
}

/** `BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1`: the first and last weekday of a month. */
function positionsInWords(byDay: readonly string[], positions: readonly string[], frequency: string): string | null {
  const numbers = positions.map((position) => ordinal(Number(position)))
  if (numbers.includes(undefined) || (frequency !== 'MONTHLY' && frequency !== 'YEARLY')) return null
  const codes = [...byDay].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(' ')
  const kind = { 'MO TU WE TH FR': 'weekday', 'SA SU': 'weekend day', 'MO TU WE TH FR SA SU': 'day' }[codes]
  const name = kind ?? (byDay.length === 1 ? weekdays[byDay[0]!] : undefined)
  return name === undefined ? null : ` on the ${listWords(numbers as string[])} ${name}`
}
