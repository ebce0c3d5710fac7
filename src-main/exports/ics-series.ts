import { occurrenceMeant } from '#shared/domain/original-start'
import { shiftedLines } from '#shared/domain/series-shift'
import { isJsonObject, type JsonObject } from '#shared/json'
import { instantOf, timeAtWall, wallOf, type EventTime } from '#shared/time/event-time'
import { continuedFrom, endedBefore, whyUnreadable, type Series } from '#shared/time/recurrence'
import { parseRecurrenceLine } from '#shared/time/recurrence-lines'
import { compactUtc, dateOfWall } from '#shared/time/zones'
import type { Notes } from './ics-notes'

/** One VEVENT of a file, before it's combined with the others. */
export interface FoundEvent {
  event: JsonObject
  /** For people, in quotes. */
  title: string
  method: string
  /** Epoch milliseconds. 0 if the file has none. */
  stamp: number
  /** RANGE=THISANDFUTURE */
  following: boolean
}

/** Answers and proposals are about an event, they are none. */
const answers = new Set(['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'])
const isAnswer = (found: FoundEvent): boolean => answers.has(found.method)

const seriesOf = (event: JsonObject): Series | undefined =>
  Array.isArray(event['recurrence']) && event['recurrence'].length > 0 ? (event as unknown as Series) : undefined

const uidOf = (found: FoundEvent): string => String(found.event['iCalUID'])
const originalOf = (found: FoundEvent): EventTime | undefined =>
  found.event['originalStartTime'] as EventTime | undefined
const suffixOf = (time: EventTime, zone: string): string =>
  time.date ? time.date.replace(/-/g, '') : compactUtc(instantOf(time, zone))

/**
 * Combines the events of a file: the newest of several versions, changed occurrences at their original start, and changes
 * of “this and all following” as a separate series. Reports every omission.
 */
export function assembled(found: readonly FoundEvent[], zone: string, notes: Notes): JsonObject[] {
  for (const one of found) checkRule(one, notes)
  const masters = new Map<string, FoundEvent>()
  for (const one of found) {
    if (originalOf(one)) continue
    const known = masters.get(uidOf(one))
    if (known && sameName(known, one)) apart(one, zone, notes)
    const other = masters.get(uidOf(one))
    masters.set(uidOf(one), other ? newest(other, one, notes) : one)
  }
  const changed = new Map<string, FoundEvent>()
  for (const one of found) {
    const original = originalOf(one)
    if (!original) continue
    const master = masters.get(uidOf(one))
    place(one, master, zone, notes)
    const at = originalOf(one)
    const key = `${uidOf(one)}\n${at ? suffixOf(at, zone) : ''}\n${one.following}`
    const other = changed.get(key)
    changed.set(key, other ? newest(other, one, notes) : one)
  }
  const kept = new Set<FoundEvent>([...masters.values(), ...changed.values()])
  const splits = [...changed.values()].filter((one) => one.following)
  // Latest first, because each one ends the series before it.
  for (const one of splits.sort((a, b) => startOf(b, zone) - startOf(a, zone))) {
    const master = masters.get(uidOf(one))
    if (splitAt(one, master, [...changed.values()], zone, notes)) kept.delete(master!)
  }
  return found.flatMap((one) => (kept.has(one) ? [one.event] : []))
}

const startOf = (one: FoundEvent, zone: string): number => instantOf(originalOf(one) ?? { date: '1970-01-01' }, zone)

/** Removes an unsupported rule from its event. */
function checkRule(one: FoundEvent, notes: Notes): void {
  const series = seriesOf(one.event)
  const why = series && whyUnreadable(series)
  if (!why) return
  delete one.event['recurrence']
  notes.put(`has a recurrence rule that isn’t supported, so only its first date was imported (${why})`, one.title)
}

/** Some programs give all events the same UID. A real version would have a later SEQUENCE or DTSTAMP. */
const sameName = (a: FoundEvent, b: FoundEvent): boolean =>
  a.method === b.method &&
  Number(a.event['sequence'] ?? 0) === Number(b.event['sequence'] ?? 0) &&
  a.stamp === b.stamp &&
  !isAnswer(a) &&
  JSON.stringify(a.event['start']) !== JSON.stringify(b.event['start']) &&
  a.title !== b.title

function apart(one: FoundEvent, zone: string, notes: Notes): void {
  one.event['iCalUID'] = `${suffixOf(one.event['start'] as EventTime, zone)}-${uidOf(one)}`
  notes.put('has the same UID as another event, so it got a new one', one.title)
}

function newest(a: FoundEvent, b: FoundEvent, notes: Notes): FoundEvent {
  if (isAnswer(a) !== isAnswer(b)) {
    const [event, answer] = isAnswer(a) ? [b, a] : [a, b]
    takeAnswer(event, answer, notes)
    return event
  }
  const sequence = (one: FoundEvent): number => Number(one.event['sequence'] ?? 0)
  const later = sequence(b) - sequence(a) || b.stamp - a.stamp || 1
  const [winner, older] = later > 0 ? [b, a] : [a, b]
  const same = JSON.stringify(older.event) === JSON.stringify(winner.event)
  notes.put(
    same
      ? 'is in the file twice, so it was imported once'
      : 'is in the file in several versions, so the newest was imported',
    older.title,
  )
  return winner
}

function takeAnswer(event: FoundEvent, answer: FoundEvent, notes: Notes): void {
  if (answer.method !== 'REPLY') {
    notes.lost('proposes another time, so the event was imported without the proposal', answer.title)
    return
  }
  const people = (one: FoundEvent): JsonObject[] =>
    Array.isArray(one.event['attendees']) ? one.event['attendees'].filter(isJsonObject) : []
  for (const guest of people(answer)) {
    const same = people(event).find(
      (other) => String(other['email']).toLowerCase() === String(guest['email']).toLowerCase(),
    )
    if (same) same['responseStatus'] = guest['responseStatus'] ?? 'needsAction'
  }
  notes.put('is a reply to an invitation, so it was added to the event', answer.title)
}

/** Adds a changed occurrence to its series, or makes it a separate event if no series has it. */
function place(one: FoundEvent, master: FoundEvent | undefined, zone: string, notes: Notes): void {
  const { event } = one
  const original = originalOf(one)!
  if (!master) return
  const series = seriesOf(master.event)
  const occurrence = series && occurrenceMeant(series, original, zone)
  if (!occurrence) {
    alone(one, zone)
    if (event['status'] !== 'cancelled')
      notes.put('changes an occurrence that its series doesn’t have, so it was imported as a separate event', one.title)
    return
  }
  event['originalStartTime'] = { ...occurrence.originalStart }
  if (event['status'] !== 'cancelled') notExcluded(master.event, occurrence.start)
}

/** Makes a separate event, always with the same UID, so that importing twice changes nothing. */
function alone(one: FoundEvent, zone: string): void {
  const original = originalOf(one)!
  one.event['iCalUID'] = `${suffixOf(original, zone)}-${uidOf(one)}`
  delete one.event['originalStartTime']
}

/** Some programs both exclude and change a date. The changed occurrence exists. */
function notExcluded(master: JsonObject, start: number): void {
  const series = seriesOf(master)!
  const zone = series.start.timeZone ?? 'UTC'
  const gone = (text: string): boolean =>
    series.start.date ? text === dateOfWall(start).replace(/-/g, '') : text === compactUtc(start)
  master['recurrence'] = series.recurrence.flatMap((line) => {
    if (!/^EXDATE/i.test(line)) return [line]
    const [head, values = ''] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
    const parsed = parseRecurrenceLine(line)
    const kept = values.split(',').filter((text, index) => {
      const value = 'values' in parsed ? parsed.values[index] : undefined
      const own =
        value && !value.dateOnly && !series.start.date
          ? compactUtc(
              value.instant ?? instantOf({ dateTime: new Date(value.wall).toISOString().slice(0, 19), timeZone: zone }),
            )
          : text
      return !gone(own)
    })
    return kept.length > 0 ? [`${head}:${kept.join(',')}`] : []
  })
}

/** Splits a series at a change of “this and all following”. @returns true if nothing is left of the earlier series */
function splitAt(
  one: FoundEvent,
  master: FoundEvent | undefined,
  changed: readonly FoundEvent[],
  zone: string,
  notes: Notes,
): boolean {
  const original = originalOf(one)
  const series = master && seriesOf(master.event)
  if (!series || !original) {
    delete one.event['recurrence']
    notes.put(
      'changes “this and all following” of a series that isn’t in the file, so only this occurrence was imported',
      one.title,
    )
    return false
  }
  const { event } = one
  const cut = instantOf(original, zone)
  const [from, to] = [original, event['start'] as EventTime]
  const wall = wallOf(to) - wallOf(from)
  const lines = continuedFrom(series, original)
  const whole = instantOf(series.start, zone) >= cut
  if (!whole) master.event['recurrence'] = endedBefore(series, original)
  const uid = whole ? uidOf(master) : `R${suffixOf(original, zone)}-${uidOf(one)}`
  // The file's entry becomes the new series. A cancellation only ends the earlier one.
  delete event['originalStartTime']
  event['iCalUID'] = uid
  if (event['status'] === 'cancelled') delete event['recurrence']
  else if (!seriesOf(event)?.recurrence.some((line) => /^RRULE/i.test(line)))
    event['recurrence'] = shiftedLines(lines, { from: series.start, to, wall }, wallOf(to))
  const next = seriesOf(event)
  for (const other of changed) {
    const at = originalOf(other)
    if (!at || other === one || uidOf(other) !== uidOf(master) || instantOf(at, zone) < cut) continue
    const moved = next && occurrenceMeant(next, timeAtWall(wallOf(at, series.start.timeZone) + wall, to), zone)
    other.event['iCalUID'] = uid
    if (moved) other.event['originalStartTime'] = { ...moved.originalStart }
  }
  notes.put('changes “this and all following” of its series, so the series was split there', one.title)
  return whole
}
