import { escaped } from './ics-lines'
import { westernText, type CalendarText } from './ics-text'

/** Converts vCalendar 1.0, as old phones write it, to iCalendar, and quoted-printable texts anywhere. */
export const isOldCalendar = (calendar: CalendarText): boolean => calendar.head.get('version')?.startsWith('1') === true

/** Decodes quoted-printable text such as `=C3=BC`, in the line's CHARSET, to plain text of iCalendar. */
export function unquoted(line: string): string {
  const match = /^([A-Z0-9-]+)((?:;[^:]*)?;(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^:]*)?):(.*)$/i.exec(line)
  if (!match) return line
  const charset = /;CHARSET="?([^;":]+)/i.exec(match[2]!)?.[1] ?? 'utf-8'
  const rest = match[2]!.replace(/;(?:ENCODING=)?QUOTED-PRINTABLE|;CHARSET=[^;:]*/gi, '')
  const bytes = Buffer.from(
    match[3]!.replace(/[^\x20-\x7e]/g, (character) =>
      [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
    ),
    'latin1',
  )
    .toString('latin1')
    .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return `${match[1]!}${rest}:${escaped(decoded(Buffer.from(bytes, 'latin1'), charset).replace(/\r\n?/g, '\n'))}`
}

function decoded(bytes: Uint8Array, charset: string): string {
  try {
    if (/^(?:iso-8859-1|latin1|windows-1252|us-ascii)$/i.test(charset)) return westernText(bytes)
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return westernText(bytes)
  }
}

/** Converts the lines of an event from vCalendar 1.0 to iCalendar. */
export function oldEventLines(lines: readonly string[]): string[] {
  const kept: string[] = []
  const alarms: string[] = []
  for (const line of lines) {
    const [, name = '', parameters = '', value = ''] = /^([A-Z0-9-]+)((?:;[^:]*)?):(.*)$/i.exec(line) ?? []
    switch (name.toUpperCase()) {
      case 'RRULE':
      case 'EXRULE':
        kept.push(`${name.toUpperCase()}:${oldRule(value)}`)
        break
      case 'AALARM':
      case 'DALARM': {
        const at = /^\s*(\d{8}T\d{6}Z?)/.exec(value)?.[1]
        if (at) alarms.push('BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER;VALUE=DATE-TIME:${at}`, 'END:VALARM')
        break
      }
      case 'TRANSP':
        kept.push(`TRANSP:${/^\s*[1-9]/.test(value) ? 'TRANSPARENT' : 'OPAQUE'}`)
        break
      case 'ATTENDEE': {
        const [, shown = '', mail = value] = /^(.*?)<([^>]*)>\s*$/.exec(value) ?? []
        const status = /;STATUS=([^;]*)/i.exec(parameters)?.[1]?.toUpperCase().replace('CONFIRMED', 'ACCEPTED')
        const name = shown.replace(/"/g, '').trim()
        kept.push(
          `ATTENDEE${name ? `;CN="${name}"` : ''}${status ? `;PARTSTAT=${status.replace(/ /g, '-')}` : ''}:mailto:${mail.trim()}`,
        )
        break
      }
      default:
        kept.push(line)
    }
  }
  return [...kept.slice(0, -1), ...alarms, ...kept.slice(-1)]
}

/** Converts a rule such as `W1 MO WE #10` or `MP1 1+ TU 20261231T000000`. Without an end it means twice, `#0` forever. */
export function oldRule(rule: string): string {
  const [head = '', ...words] = rule.trim().toUpperCase().split(/\s+/)
  const [, kind, interval] = /^(D|W|MP|MD|YM|YD)(\d+)$/.exec(head) ?? []
  if (!kind) return rule
  const frequency = { D: 'DAILY', W: 'WEEKLY', M: 'MONTHLY', Y: 'YEARLY' }[kind[0]!]!
  const parts = [`FREQ=${frequency}`, `INTERVAL=${interval}`]
  const last = words.at(-1) ?? ''
  const end = /^#(\d+)$/.exec(last)?.[1]
  const until = /^\d{8}(?:T\d{6}Z?)?$/.test(last) ? last : undefined
  if (end !== undefined || until) words.pop()
  if (kind === 'W' && words.length > 0) parts.push(`BYDAY=${words.join(',')}`)
  if (kind === 'MP') {
    let place = ''
    const days: string[] = []
    for (const word of words) {
      const [, nth, side] = /^(\d)([+-])$/.exec(word) ?? []
      if (nth) place = `${side === '-' ? '-' : ''}${nth}`
      else days.push(`${place}${word}`)
    }
    if (days.length > 0) parts.push(`BYDAY=${days.join(',')}`)
  }
  if (kind === 'MD' && words.length > 0)
    parts.push(`BYMONTHDAY=${words.map((word) => (word === 'LD' ? '-1' : counted(word))).join(',')}`)
  if (kind === 'YM' && words.length > 0) parts.push(`BYMONTH=${words.join(',')}`)
  if (kind === 'YD' && words.length > 0) parts.push(`BYYEARDAY=${words.map(counted).join(',')}`)
  if (until) parts.push(`UNTIL=${until}`)
  else if (end !== '0') parts.push(`COUNT=${end ?? '2'}`)
  return parts.join(';')
}

const counted = (word: string): string => (word.endsWith('-') ? `-${word.slice(0, -1)}` : word.replace('+', ''))

/** Converts TZ and DAYLIGHT of a vCalendar to a VTIMEZONE, which applies to the years in DAYLIGHT. */
export function oldZone(calendar: CalendarText): string[] | undefined {
  const standard = offsetOf(calendar.head.get('tz'))
  if (!standard) return undefined
  const lines = ['BEGIN:VTIMEZONE', 'TZID:']
  const change = (kind: string, at: string, from: string, to: string): void => {
    lines.push(
      `BEGIN:${kind}`,
      `DTSTART:${at.replace('Z', '')}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `END:${kind}`,
    )
  }
  change('STANDARD', '19700101T000000', standard, standard)
  for (const text of calendar.daylight) {
    const [used, offset, from, to] = text.split(';').map((part) => part.trim())
    const summer = offsetOf(offset)
    if (!/^TRUE$/i.test(used ?? '') || !summer || !/^\d{8}T\d{6}/.test(from ?? '') || !/^\d{8}T\d{6}/.test(to ?? ''))
      continue
    change('DAYLIGHT', from!, standard, summer)
    change('STANDARD', to!, summer, standard)
  }
  return [...lines, 'END:VTIMEZONE']
}

function offsetOf(text: string | undefined): string | undefined {
  const match = /^([+-]?)(\d{1,2})(?::?(\d\d))?$/.exec(text ?? '')
  return match ? `${match[1] === '-' ? '-' : '+'}${match[2]!.padStart(2, '0')}${match[3] ?? '00'}` : undefined
}
