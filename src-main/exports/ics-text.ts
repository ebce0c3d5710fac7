import { FaultError } from '#shared/fault'

/** The lines of one VCALENDAR by part. Each part is parsed separately, so that a bad one doesn't affect the others. */
export interface CalendarText {
  /** Values of the calendar's own properties, by lower-case name. */
  head: Map<string, string>
  /** Values of DAYLIGHT, of which a vCalendar may have several. */
  daylight: string[]
  zones: string[][]
  events: string[][]
  /** Parts without their END line. */
  unclosed: Set<string[]>
  /** Number of skipped components by kind (VTODO, VJOURNAL …). */
  others: Map<string, number>
}

const broken = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'The file is incomplete. Nothing was imported.' })

/**
 * Unfolds lines. Any line break ends a line. A line that begins with white space continues the previous one (RFC 5545,
 * 3.1), and so does the line after a quoted-printable one that ends with `=`.
 */
export function unfoldedLines(text: string): string[] {
  const plain = text.replace(/^\ufeff/, '')
  if (!/QUOTED-PRINTABLE/i.test(plain)) return plain.replace(/(?:\r\n|\n|\r)[ \t]/g, '').split(/\r\n|\n|\r/)
  const joined: string[][] = []
  let soft = false
  let quoted = false
  for (const line of plain.split(/\r\n|\n|\r/)) {
    const last = joined.at(-1)
    if (last && soft) last[last.length - 1] = last.at(-1)!.slice(0, -1) + line
    else if (last && /^[ \t]/.test(line)) last.push(line.slice(1))
    else {
      joined.push([line])
      quoted = /^[^:]*QUOTED-PRINTABLE[^:]*:/i.test(line)
    }
    soft = quoted && line.endsWith('=')
  }
  return joined.map((parts) => parts.join(''))
}

const emptyCalendar = (): CalendarText => ({
  head: new Map(),
  daylight: [],
  zones: [],
  events: [],
  unclosed: new Set(),
  others: new Map(),
})

/**
 * The calendars of a file. Events without a calendar form one.
 * @throws FaultError `invalid` if there is no calendar, or if it's cut off
 */
export function calendarsOf(text: string): CalendarText[] {
  const calendars: CalendarText[] = []
  const bare = emptyCalendar()
  let calendar: CalendarText | undefined
  let part: Part | undefined
  for (const line of unfoldedLines(text)) {
    const [, edge, name] = /^\s*(BEGIN|END)\s*:\s*([A-Z0-9-]+)\s*$/i.exec(line)?.map((item) => item.toUpperCase()) ?? []
    if (part && edge === 'BEGIN' && /^(?:VEVENT|VTIMEZONE|VTODO|VJOURNAL|VFREEBUSY)$/.test(name!)) {
      // The one before was never closed.
      close(part, 0)
      part.unclosed = true
      keep(calendar ?? bare, part)
      part = undefined
    }
    if (part) {
      if (edge === 'END' && name === 'VCALENDAR') throw broken()
      const at = edge === 'END' ? part.open.lastIndexOf(name!) : -1
      if (at >= 0) close(part, at)
      else if (edge !== 'END') part.lines.push(edge ? `${edge}:${name}` : line)
      if (edge === 'BEGIN') part.open.push(name!)
      if (part.open.length === 0) {
        keep(calendar ?? bare, part)
        part = undefined
      }
    } else if (edge === 'BEGIN' && name === 'VCALENDAR') {
      calendar = emptyCalendar()
      calendars.push(calendar)
    } else if (edge === 'BEGIN' && (calendar || name === 'VEVENT' || name === 'VTIMEZONE'))
      part = { name: name!, lines: [`BEGIN:${name}`], open: [name!], unclosed: false }
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
    throw new FaultError({ code: 'invalid', message: 'The file isn’t a calendar. Nothing was imported.' })
  }
  if (calendar || part) throw broken()
  return calendars
}

interface Part {
  name: string
  lines: string[]
  /** Open components, the event itself first. */
  open: string[]
  unclosed: boolean
}

/** Closes open parts from `at` on, innermost first. */
function close(part: Part, at: number): void {
  if (part.open.length > at + 1) part.unclosed = true
  for (const name of part.open.splice(at).reverse()) part.lines.push(`END:${name}`)
}

function keep(calendar: CalendarText, part: Part): void {
  if (part.name === 'VEVENT') {
    calendar.events.push(part.lines)
    if (part.unclosed) calendar.unclosed.add(part.lines)
  } else if (part.name === 'VTIMEZONE') calendar.zones.push(part.lines)
  else calendar.others.set(part.name, (calendar.others.get(part.name) ?? 0) + 1)
}

/** Decodes a text file: UTF-8, UTF-16 with or without its mark, or Windows-1252 line by line. */
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

/** Decodes Windows-1252. Some engines treat it as Latin-1, which lacks quotation marks and dashes. */
export const westernText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (mark) => marks[mark.charCodeAt(0) - 0x80]!)

/** Decodes each line on its own, because files merged from others may mix encodings. */
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
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1')
  if (!/BEGIN:(?:VCALENDAR|VEVENT)/i.test(start)) return bytes
  // A `=` at the end of such a line isn't a soft line break, because the next space is text.
  const quoted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('QUOTED-PRINTABLE')
  const kept = Buffer.alloc(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const breaks = bytes[at] === 13 ? (bytes[at + 1] === 10 ? 2 : 1) : bytes[at] === 10 ? 1 : 0
    const next = bytes[at + breaks]
    const soft = quoted && (bytes[at - 1] === 61 || (bytes[at - 1] === 13 && bytes[at - 2] === 61))
    if (breaks > 0 && (next === 32 || next === 9) && !soft) at += breaks
    else kept[size++] = bytes[at]!
  }
  return kept.subarray(0, size)
}
