import { escaped } from './ics-lines'
import type { Say } from './ics-zone-book'

const texts = new Set(['SUMMARY', 'DESCRIPTION', 'LOCATION', 'COMMENT', 'X-ALT-DESC', 'CONTACT'])

/** Properties of events (RFC 5545, 7986, 9073, vCalendar 1.0). Other lines without X- are text that lost its fold. */
const known = new Set(
  `ACTION ATTACH ATTENDEE AALARM BEGIN CALENDAR-ADDRESS CATEGORIES CLASS COLOR COMMENT COMPLETED CONCEPT CONFERENCE CONTACT
  CREATED DALARM DCREATED DESCRIPTION DTEND DTSTAMP DTSTART DUE DURATION END ESTIMATED-DURATION EXDATE EXRULE GEO IMAGE
  LAST-MODIFIED LINK LOCATION LOCATION-TYPE MALARM NAME ORGANIZER PALARM PARTICIPANT-TYPE PERCENT-COMPLETE PRIORITY RDATE
  RECURRENCE-ID REFID RELATED-TO REPEAT REQUEST-STATUS RESOURCES RESOURCE-TYPE RNUM RRULE SEQUENCE SOURCE STATUS
  STRUCTURED-DATA STYLED-DESCRIPTION SUMMARY TRANSP TRIGGER UID URL TZID ACKNOWLEDGED PROXIMITY`.split(/\s+/),
)

const nameOf = (line: string): string | undefined => /^([A-Z0-9-]+)[;:]/i.exec(line)?.[1]?.toUpperCase()
const isProperty = (line: string): boolean => {
  const name = nameOf(line)
  return name !== undefined && (known.has(name) || name.startsWith('X-'))
}

const dates =
  /^\s*(DTSTART|DTEND|DUE|RECURRENCE-ID|RDATE|EXDATE|CREATED|DTSTAMP|LAST-MODIFIED)((?:;.*)?):\s*(\d{4}-?\d\d-?\d\d.*)$/i
const plainDates = /^[A-Z-]+(?:;TZID=[A-Za-z_/-]+)?:\d{8}T\d{6}Z?$/

/** A line with a standard name: no surrounding spaces and no group prefix (`item1.SUMMARY :`). */
export function plainName(line: string): string {
  const [whole, name, mark] = /^\s*(?:item\d+\.)?([A-Z-]+)\s*([;:])/i.exec(line) ?? []
  return name !== undefined && known.has(name.toUpperCase())
    ? `${name}${mark}${/\s.$/.test(whole!) ? line.slice(whole!.length).trimStart() : line.slice(whole!.length)}`
    : line
}

/** Properties that an event has at most once. */
const single = new Set('SUMMARY DESCRIPTION LOCATION UID DTSTART DTEND DURATION RECURRENCE-ID STATUS'.split(' '))

/** The lines of an event in a form that a strict parser accepts. Reports changes of the event's content. */
export function mendedLines(lines: readonly string[], say: Say): string[] {
  const kept: string[] = []
  const seen = new Map<string, string>()
  let depth = 0
  for (const raw of lines) {
    if (raw.trim() === '') continue
    let line = raw
    if (/^BEGIN:/i.test(line)) depth++
    if (/^END:/i.test(line)) depth--
    if (!isProperty(line)) {
      const last = kept.at(-1)
      const name = last && nameOf(last)
      if (last && name && texts.has(name) && !/^(?:BEGIN|END)/.test(name)) {
        kept[kept.length - 1] = `${last}\\n${escaped(line)}`
        say('has a line that wasn’t folded correctly, which was joined')
      } else say(`has an invalid line, which was skipped: ${line.slice(0, 60)}`)
      continue
    }
    if (/^(?:RRULE|EXRULE|RDATE|EXDATE|DURATION|DTEND)[^:]*:\s*$/i.test(line)) continue
    const name = nameOf(line)!
    const first = depth === 1 && single.has(name) ? seen.get(name) : undefined
    if (first !== undefined) {
      if (first !== line) say(`has ${name} more than once, so the first one was used`)
      continue
    }
    if (depth === 1) seen.set(name, line)
    if (name === 'DURATION' || name === 'TRIGGER') {
      const length = mendedLength(line)
      if (length === null) {
        if (depth === 1) say(`has an invalid duration, which was skipped: ${line.slice(0, 60)}`)
        continue
      }
      line = length
    }
    const mended = plainDates.test(line) ? line : mendedDates(line)
    if (dates.test(line) && impossible(mended))
      say(`has a date or time that doesn’t exist, which was moved forward: ${line.slice(0, 60)}`)
    kept.push(mended)
  }
  return kept
}

/** Normalizes a duration, of which the parser would read only the known start. Null if it's unreadable. */
function mendedLength(line: string): string | null {
  const at = line.lastIndexOf(':') + 1
  const value = line
    .slice(at)
    .trim()
    .toUpperCase()
    .replace(/(\d[WD])T$/, '$1')
  if (!/^[+-]?P/.test(value)) return line
  return /^[+-]?P(?=.)(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/.test(value)
    ? line.slice(0, at) + value
    : null
}

/** True for impossible times, such as 30 February or 25:61. */
function impossible(line: string): boolean {
  const text = line.slice(line.lastIndexOf(':') + 1)
  for (const [, year, month, date, hour, minute] of text.matchAll(
    /(?<!\d)(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?(?![\dT])/gi,
  )) {
    const day = new Date(Date.UTC(2000, 0, 1))
    day.setUTCFullYear(Number(year), Number(month) - 1, Number(date))
    if (day.getUTCMonth() !== Number(month) - 1 || Number(date) < 1) return true
    if (hour !== undefined && (Number(hour) > 24 || Number(minute) > 59)) return true
  }
  return false
}

/** Normalizes dates to the standard's form: no separators, with seconds, offsets as UTC, and VALUE=DATE for days. */
export function mendedDates(line: string): string {
  const match = dates.exec(line)
  if (!match) return line
  const parameters = splitParameters(match[2]!)
  const day = parameters.some((text) => /^VALUE=DATE$/i.test(text))
  const values = match[3]!.split(/[,;]/).map((text) => mendedDate(text, day))
  const allDays = values.every((text) => /^\d{8}$/.test(text))
  const kept = parameters.flatMap((text) => {
    if (/^VALUE=(?:DATE|DATE-TIME)$/i.test(text)) return []
    const zone = /^TZID=(.*)$/i.exec(text)?.[1]
    if (zone === undefined) return [text]
    const plain = zone.replace(/"/g, '').trim()
    return allDays || plain === '' ? [] : [`TZID="${plain}"`]
  })
  if (allDays) kept.push('VALUE=DATE')
  return `${match[1]!.toUpperCase()}${kept.map((text) => `;${text}`).join('')}:${values.join(',')}`
}

/** Splits parameters. A value may have colons and, in quotes, semicolons: `;TZID=(UTC-05:00) Eastern Time (US & Canada)`. */
const splitParameters = (text: string): string[] =>
  text.match(/[^;"]*(?:"[^"]*"?[^;"]*)*/g)?.filter((part) => part !== '') ?? []

function mendedDate(text: string, asDay: boolean): string {
  const match =
    /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d):?(\d\d)?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?\s*(\/.*)?$/i.exec(text)
  if (!match) return text.trim()
  const [, year, month, date, hour, minute, second, zone, period] = match
  const day = `${year}${month}${date}`
  if (hour === undefined || (asDay && zone === undefined)) return day
  if (zone && !/^Z$/i.test(zone)) {
    const instant = Date.parse(
      `${year}-${month}-${date}T${hour}:${minute}:${second ?? '00'}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`,
    )
    if (!Number.isNaN(instant)) return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  }
  // Midnight at the end of a day is the next day's.
  if (hour === '24' && minute === '00') {
    const next = new Date(Date.UTC(+year!, +month! - 1, +date! + 1)).toISOString().slice(0, 10).replace(/-/g, '')
    return `${next}T000000${zone ? 'Z' : ''}${period ?? ''}`
  }
  return `${day}T${hour}${minute}${second ?? '00'}${zone ? 'Z' : ''}${period ?? ''}`
}

/** The readable parts of a rule, in order. Fixes harmless mistakes silently and reports others. */
export function mendedRule(rule: string, say: Say): string {
  const parts = new Map<string, string>()
  for (const part of rule.split(';')) {
    const [name, value] = part.split('=').map((text) => text.trim().toUpperCase())
    if (!name || !value || parts.has(name)) continue
    if (name === 'INTERVAL' && Number(value) <= 1) continue
    if (name.startsWith('X-')) continue
    parts.set(name, name === 'UNTIL' ? mendedDate(value, false) : value.replace(/\s/g, '').replace(/,+$/, ''))
  }
  if (parts.has('COUNT') && parts.has('UNTIL')) {
    parts.delete('COUNT')
    say('has both an end date and a number of occurrences, so the end date was used')
  }
  return [...parts].map(([name, value]) => `${name}=${value}`).join(';')
}

/** Replaces a backslash that the parser would treat as an escape. */
export const backslash = '\ue05c'

/**
 * Protects backslashes in parameters, which are literal (RFC 5545, 3.1). The parser unescapes them, as some programs
 * expect. Our own files follow the standard.
 */
export const literalParameters = (line: string): string =>
  /^(?:ATTENDEE|ORGANIZER);/i.test(line)
    ? line.replace(/^(?:[^:"]|"[^"]*")*:/, (head) => head.replaceAll('\\', backslash))
    : line
