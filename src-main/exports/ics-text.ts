import { FaultError } from '#shared/fault'

/** The lines of one VCALENDAR, taken apart: each part is parsed on its own, so that a bad one costs no other. */
export interface CalendarText {
  /** Values of the calendar's own properties, by lower-case name. */
  head: Map<string, string>
  /** Values of DAYLIGHT, of which a vCalendar may have several. */
  daylight: string[]
  zones: string[][]
  events: string[][]
  /** How many components of each other kind (VTODO, VJOURNAL …) were passed over. */
  others: Map<string, number>
}

const broken = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'The file breaks off in the middle. Nothing was imported.' })

/**
 * Any kind of line break ends a line; a line that begins with white space goes on from the one before (RFC 5545, 3.1), and
 * so does what follows `=` at the end of a quoted-printable one.
 */
export function unfoldedLines(text: string): string[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/(?:\r\n|\n|\r)[ \t]/g, '')
    .split(/\r\n|\n|\r/)
  if (!/QUOTED-PRINTABLE/i.test(text)) return lines
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last?.endsWith('=') && /^[^:]*QUOTED-PRINTABLE[^:]*:/i.test(last))
      joined[joined.length - 1] = last.slice(0, -1) + line
    else joined.push(line)
  }
  return joined
}

const emptyCalendar = (): CalendarText => ({
  head: new Map(),
  daylight: [],
  zones: [],
  events: [],
  others: new Map(),
})

/** Events without a calendar around them are one. @throws FaultError `invalid` when there is no calendar, or when it is cut. */
export function calendarsOf(text: string): CalendarText[] {
  const calendars: CalendarText[] = []
  const bare = emptyCalendar()
  let calendar: CalendarText | undefined
  let part: { name: string; lines: string[] } | undefined
  for (const line of unfoldedLines(text)) {
    const [, edge, name] = /^\s*(BEGIN|END)\s*:\s*([A-Z0-9-]+)\s*$/i.exec(line)?.map((item) => item.toUpperCase()) ?? []
    if (part) {
      part.lines.push(edge ? `${edge}:${name}` : line)
      if (edge === 'END' && name === part.name) {
        keep(calendar ?? bare, part)
        part = undefined
      } else if (edge === 'END' && name === 'VCALENDAR') throw broken()
    } else if (edge === 'BEGIN' && name === 'VCALENDAR') {
      calendar = emptyCalendar()
      calendars.push(calendar)
    } else if (edge === 'BEGIN' && (calendar || name === 'VEVENT' || name === 'VTIMEZONE'))
      part = { name: name!, lines: [`BEGIN:${name}`] }
    else if (!calendar) continue
    else if (edge === 'END' && name === 'VCALENDAR') calendar = undefined
    else {
      const property = /^([A-Z0-9-]+)[^:]*:(.*)$/i.exec(line)
      if (!property) continue
      calendar.head.set(property[1]!.toLowerCase(), property[2]!.trim())
      if (/^DAYLIGHT$/i.test(property[1]!)) calendar.daylight.push(property[2]!.trim())
    }
  }
  if (bare.events.length > 0) calendars.push(bare)
  if (calendars.length === 0 && !part) {
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

/** Bytes of a text file, whatever wrote it: UTF-8, UTF-16 with its mark or without, or else line by line Windows-1252. */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes[0] === 0x42 && bytes[1] === 0) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0 && bytes[1] === 0x42) return new TextDecoder('utf-16be').decode(bytes)
  const whole = unfoldedBytes(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole)
  } catch {
    return mixedText(whole)
  }
}

const marks = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Windows-1252. Some engines take it for Latin-1, which has no quotation marks and dashes. */
export const westernText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (mark) => marks[mark.charCodeAt(0) - 0x80]!)

/** Files that were put together from others may hold lines of both kinds. */
function mixedText(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at)
    const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1)
    at += line.length
    try {
      parts.push(utf8.decode(line))
    } catch {
      parts.push(westernText(line))
    }
  }
  return parts.join('')
}

/** Some programs count 75 bytes and fold inside a character, so a calendar is put together before it is decoded. */
function unfoldedBytes(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  if (!/BEGIN:(?:VCALENDAR|VEVENT)/i.test(start)) return bytes
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
