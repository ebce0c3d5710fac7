import { FaultError } from '#shared/fault'

/** The lines of one VCALENDAR, taken apart: each part is parsed on its own, so that a bad one costs no other. */
export interface CalendarText {
  /** Values of the calendar's own properties, by lower-case name. */
  head: Map<string, string>
  zones: string[][]
  events: string[][]
  /** How many components of each other kind (VTODO, VJOURNAL …) were passed over. */
  others: Map<string, number>
}

const broken = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'The file breaks off in the middle. Nothing was imported.' })

/** Any kind of line break ends a line; a line that begins with white space goes on from the one before (RFC 5545, 3.1). */
export function unfoldedLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .replace(/(?:\r\n|\n|\r)[ \t]/g, '')
    .split(/\r\n|\n|\r/)
}

/** @throws FaultError `invalid` when there is no calendar, or when it is cut. */
export function calendarsOf(text: string): CalendarText[] {
  const calendars: CalendarText[] = []
  let calendar: CalendarText | undefined
  let part: { name: string; lines: string[] } | undefined
  for (const line of unfoldedLines(text)) {
    const [, edge, name] = /^(BEGIN|END):([A-Z0-9-]+)\s*$/i.exec(line)?.map((item) => item.toUpperCase()) ?? []
    if (part) {
      part.lines.push(edge ? `${edge}:${name}` : line)
      if (edge === 'END' && name === part.name) {
        keep(calendar!, part)
        part = undefined
      } else if (edge === 'END' && name === 'VCALENDAR') throw broken()
    } else if (edge === 'BEGIN' && name === 'VCALENDAR') {
      calendar = { head: new Map(), zones: [], events: [], others: new Map() }
      calendars.push(calendar)
    } else if (!calendar) continue
    else if (edge === 'BEGIN') part = { name: name!, lines: [`BEGIN:${name}`] }
    else if (edge === 'END' && name === 'VCALENDAR') calendar = undefined
    else {
      const property = /^([A-Z0-9-]+)[^:]*:(.*)$/i.exec(line)
      if (property) calendar.head.set(property[1]!.toLowerCase(), property[2]!.trim())
    }
  }
  if (calendars.length === 0) {
    throw new FaultError({ code: 'invalid', message: 'The file holds no calendar. Nothing was imported.' })
  }
  if (calendar || part) throw broken()
  return calendars
}

function keep(calendar: CalendarText, part: { name: string; lines: string[] }): void {
  if (part.name === 'VEVENT') calendar.events.push(part.lines)
  else if (part.name === 'VTIMEZONE') calendar.zones.push(part.lines)
  else calendar.others.set(part.name, (calendar.others.get(part.name) ?? 0) + 1)
}

/** Slips of other programs that a strict parser refuses: empty rules, and days that do not say that they are days. */
export function mended(line: string): string | undefined {
  if (line.trim() === '' || /^(?:RRULE|EXRULE|RDATE|EXDATE)[^:]*:\s*$/i.test(line)) return undefined
  const dates = /^((?:DTSTART|DTEND|RECURRENCE-ID|RDATE|EXDATE)(?:;[^:]*)?):(\d{8}(?:,\d{8})*)\s*$/i.exec(line)
  if (!dates || /;VALUE=/i.test(dates[1]!)) return line
  return `${dates[1]!.replace(/;TZID=(?:"[^"]*"|[^;:]*)/i, '')};VALUE=DATE:${dates[2]}`
}

/** Bytes of a text file, whatever wrote it: UTF-8, UTF-16 with its mark, or else Windows-1252. */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const whole = unfoldedBytes(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole)
  } catch {
    return new TextDecoder('windows-1252').decode(whole)
  }
}

/** Some programs count 75 bytes and fold inside a character, so a calendar is put together before it is decoded. */
function unfoldedBytes(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  if (!/BEGIN:VCALENDAR/i.test(start)) return bytes
  const kept = Buffer.alloc(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const breaks = bytes[at] === 13 ? (bytes[at + 1] === 10 ? 2 : 1) : bytes[at] === 10 ? 1 : 0
    const next = bytes[at + breaks]
    if (breaks > 0 && (next === 32 || next === 9)) at += breaks
    else kept[size++] = bytes[at]!
  }
  return kept.subarray(0, size)
}
