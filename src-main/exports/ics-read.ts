import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { FaultError } from '#shared/fault'
import type { ImportNote } from '#shared/ipc/file-questions'
import type { JsonObject } from '#shared/json'
import { extraProperty, readExtra } from './ics-extra'
import { checkSize, maxText, maxEvents } from './ics-limits'
import { unescaped } from './ics-lines'
import { literalParameters, mendedLines, plainName } from './ics-mend'
import { Notes } from './ics-notes'
import { assignAlarms, assignPeople } from './ics-people'
import { assembled, type FoundEvent } from './ics-series'
import { calendarsOf } from './ics-text'
import { endOf, isWholeDays, recurrenceOf, timeOf, type EventTimeJson } from './ics-times'
import { isOldCalendar, oldEventLines, unquoted } from './ics-v1'
import { ZoneBook, type Say } from './ics-zone-book'

export interface ReadCalendar {
  events: JsonObject[]
  notes: ImportNote[]
  /** Name of the file's only calendar. */
  name?: string
}

/** Longer UIDs are probably a mistake. They're replaced by a stable UID. */
const maxUidLength = 1_000

/** Properties that the service can't store. */
const withoutPlace: Readonly<Record<string, string>> = {
  categories: 'categories',
  geo: 'a place on the map',
  attach: 'attached files',
  comment: 'comments',
  url: 'a web address',
  priority: 'a priority',
  resources: 'resources',
}

/**
 * Converts the events of an iCalendar or vCalendar file to the calendar service's format. Imports every event with a
 * start. Repairs and omissions are in `notes`. `zone` is the default time zone.
 * @throws FaultError `invalid` if the file isn't a calendar
 */
export function readIcs(text: string, zone = 'UTC'): ReadCalendar {
  const notes = new Notes()
  const found: FoundEvent[] = []
  const calendars = calendarsOf(text)
  if (calendars.reduce((sum, calendar) => sum + calendar.events.length, 0) > maxEvents) {
    const most = maxEvents.toLocaleString('en')
    const message = `The file has more than ${most} events. Nothing was imported. Split it into smaller files.`
    throw new FaultError({ code: 'invalid', message })
  }
  let home = zone
  for (const calendar of calendars) {
    const zones = new ZoneBook(calendar, zone, notes)
    if (calendars.length === 1) home = zones.fallback
    const method = calendar.head.get('method')?.toUpperCase() ?? ''
    const old = isOldCalendar(calendar)
    const own = calendar.head.get('prodid')?.includes('//Flightplan//') === true
    for (const raw of calendar.events) {
      const named = raw.map(plainName)
      const title = titleOf(named)
      try {
        checkSize(raw)
        const plain = named.map((line) => (own ? literalParameters(line) : unquoted(line)))
        // Notes about one event are unique.
        const words = new Set<string>()
        const say: Say = (text) => {
          if (!words.has(text)) notes.put(text, title)
          words.add(text)
        }
        if (calendar.unclosed.has(raw)) say('has no END line, so it ends where the next entry begins')
        const { part, rules } = parsed(mendedLines(old ? oldEventLines(plain) : plain, say), say)
        const event = eventOf(part, rules, zones, say)
        if (method === 'CANCEL') event['status'] = 'cancelled'
        const range = part.getFirstProperty('recurrence-id')?.getParameter('range')
        found.push({
          event,
          title,
          method,
          stamp: stampOf(part),
          following: /^THISANDFUTURE$/i.test(String(range ?? '')),
        })
      } catch (reason) {
        notes.lost(`was skipped: ${reason instanceof Error ? reason.message : String(reason)}`, title)
      }
    }
    for (const [kind, count] of calendar.others) {
      const [one, many] = otherKinds[kind] ?? [`${kind} entry`, `${kind} entries`]
      notes.lost(
        `${count === 1 ? 'was' : 'were'} skipped, because only events are imported`,
        `${count.toLocaleString('en')} ${count === 1 ? one : many}`,
      )
    }
  }
  const [only, other] = calendars
  const name = other ? undefined : nameOf(only?.head)
  return { events: assembled(found, home, notes), notes: notes.list(), ...(name && { name }) }
}

function nameOf(head: ReadonlyMap<string, string> | undefined): string | undefined {
  const name = head?.get('x-wr-calname') ?? head?.get('name')
  return name === undefined ? undefined : unescaped(name).replace(/\s+/g, ' ').trim()
}

const otherKinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  VTODO: ['to-do', 'to-dos'],
  VJOURNAL: ['journal entry', 'journal entries'],
  VFREEBUSY: ['free/busy entry', 'free/busy entries'],
}

const untitled = 'An event without a title'

function titleOf(lines: readonly string[]): string {
  const line = lines.find((text) => /^SUMMARY[;:]/i.test(text))
  const summary = line && /^SUMMARY(?:;(?:"[^"]*"|[^":])*)?:(.*)$/i.exec(unquoted(line))?.[1]?.trim()
  return summary ? `“${unescaped(summary).replace(/\s+/g, ' ').slice(0, 80)}”` : untitled
}

function stampOf(part: ICAL.Component): number {
  const times = ['dtstamp', 'last-modified'].map((name) => part.getFirstPropertyValue(name) as unknown)
  return Math.max(0, ...times.map((time) => (time instanceof ICAL.Time ? time.toUnixTime() * 1000 : 0)))
}

/**
 * One bad line makes the parser reject the whole event, so then parse each line separately. Keep rules from the parser,
 * because it drops unknown parts.
 */
function parsed(lines: readonly string[], say: Say): { part: ICAL.Component; rules: [string, string][] } {
  const rules: [string, string][] = []
  const others: string[] = []
  for (const line of lines) {
    const [, name, rule] = /^(RRULE|EXRULE)(?:;[^:]*)?:(.+)$/i.exec(line) ?? []
    if (name) rules.push([name.toUpperCase(), rule!])
    else others.push(line)
  }
  const read = (some: readonly string[]): ICAL.Component => new ICAL.Component(ICAL.parse(some.join('\r\n')) as never)
  try {
    return { part: readable(read(others), say), rules }
  } catch {
    const good = others.filter((line) => {
      if (/^(?:BEGIN|END):/i.test(line)) return true
      try {
        read(['BEGIN:VEVENT', line, 'END:VEVENT'])
        return true
      } catch {
        say(`has an invalid line, which was skipped: ${line.slice(0, 60)}`)
        return false
      }
    })
    return { part: readable(read(good), say), rules }
  }
}

/** Skips unreadable lines. The parser reads some values lazily, and a failure must not cost more than their line. */
function readable(part: ICAL.Component, say: Say): ICAL.Component {
  for (const property of part.getAllProperties()) {
    try {
      property.getValues()
    } catch {
      // These properties report their own problems.
      if (/^(?:dtstart|dtend|rdate|exdate|recurrence-id)$/.test(property.name)) continue
      say(`has an invalid line, which was skipped: ${property.name.toUpperCase()}`)
      part.removeProperty(property)
    }
  }
  for (const inner of part.getAllSubcomponents()) readable(inner, say)
  return part
}

function eventOf(part: ICAL.Component, rules: readonly [string, string][], zones: ZoneBook, note: Say): JsonObject {
  const startProperty = part.getFirstProperty('dtstart')
  if (!startProperty) throw new RangeError('it has no start')
  const text = (name: string): string | undefined => {
    const value: unknown = part.getFirstPropertyValue(name)
    return value === null || value === undefined || String(value) === '' ? undefined : String(value)
  }
  let start: EventTimeJson
  try {
    start = timeOf(startProperty, zones, note)
  } catch {
    throw new RangeError('its start is invalid')
  }
  let end = endOf(part, start, zones, note)
  if (isWholeDays(part, start, end)) {
    const days = [start, end].map((time) => ({ date: 'dateTime' in time ? time.dateTime.slice(0, 10) : time.date }))
    ;[start, end] = [days[0]!, days[1]!]
  }
  const event: JsonObject = {
    ...readExtra(text(extraProperty) ?? ''),
    iCalUID: uidOf(part, text('uid')?.trim(), note),
    start,
    end,
    sequence: Math.min(Math.max(Math.trunc(Number(text('sequence'))) || 0, 0), 2_147_483_647),
    status: text('status')?.toUpperCase() === 'TENTATIVE' ? 'tentative' : 'confirmed',
  }
  if (/^CANCELL?ED$/i.test(text('status') ?? '')) event['status'] = 'cancelled'
  const shown = text('transp') ?? (/^FREE$/i.test(text('x-microsoft-cdo-busystatus') ?? '') ? 'TRANSPARENT' : '')
  if (shown.toUpperCase() === 'TRANSPARENT') event['transparency'] = 'transparent'
  const visibility = text('class')?.toLowerCase()
  if (event['visibility'] === undefined && visibility && ['public', 'private', 'confidential'].includes(visibility))
    event['visibility'] = visibility
  assignText(event, 'summary', text('summary'), note)
  assignText(event, 'description', bodyOf(htmlOf(part)) ?? text('description'), note)
  assignText(event, 'location', text('location'), note)
  const recurrence = recurrenceOf(part, rules, start, zones, note)
  if (recurrence.length > 0) event['recurrence'] = recurrence
  const original = part.getFirstProperty('recurrence-id')
  if (original) {
    try {
      event['originalStartTime'] = timeOf(original, zones, note)
      const following = /^THISANDFUTURE$/i.test(String(original.getParameter('range') ?? ''))
      if (!following && event['recurrence'] !== undefined) {
        delete event['recurrence']
        note('changes one occurrence but also has its own recurrence rule, which was skipped')
      }
    } catch {
      note('doesn’t say which occurrence it changes, so it was imported as a separate event')
      event['iCalUID'] = stableUid(part)
    }
  }
  assignPeople(event, part, note)
  assignAlarms(event, part, zones, note)
  for (const [name, words] of Object.entries(withoutPlace)) {
    if (text(name) !== undefined) note(`has ${words} that can’t be imported`)
  }
  return event
}

function uidOf(part: ICAL.Component, uid: string | undefined, note: Say): string {
  if (!uid) return stableUid(part)
  if (uid.length <= maxUidLength) return uid
  note('has a UID of more than 1,000 characters, which was replaced')
  return `${createHash('sha256').update(uid).digest('hex').slice(0, 32)}@import.flightplan`
}

function assignText(event: JsonObject, field: keyof typeof maxText, value: string | undefined, note: Say): void {
  if (value === undefined) return
  const most = maxText[field]
  event[field] = value.slice(0, most)
  if (value.length > most)
    note(
      `has a ${field === 'summary' ? 'title' : field} of more than ${most.toLocaleString('en')} characters, which was shortened`,
    )
}

/** Derives the UID from the entry's content, so that importing a file twice changes nothing. */
function stableUid(part: ICAL.Component): string {
  return `${createHash('sha256').update(part.toString()).digest('hex').slice(0, 32)}@import.flightplan`
}

/** The parser returns unknown properties unchanged. */
function htmlOf(part: ICAL.Component): string | undefined {
  const property = part.getFirstProperty('x-alt-desc')
  const value = property && String(property.getFirstValue())
  if (!value) return undefined
  return property.type === 'unknown' ? unescaped(value) : value
}

/** Outlook stores a complete HTML page as the description. */
function bodyOf(html: string | undefined): string | undefined {
  const from = html?.search(/<body\b/i) ?? -1
  const inside = html !== undefined && from >= 0 ? html.slice(html.indexOf('>', from) + 1) : undefined
  const to = inside?.search(/<\/body>/i) ?? -1
  const body = to < 0 ? undefined : inside!.slice(0, to).trim()
  return body === '' ? undefined : (body ?? html)
}
