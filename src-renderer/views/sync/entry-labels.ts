import { fieldName } from '#shared/fields/field-name'
import { parseInstanceId } from '#shared/domain/instances'
import { eventField } from '#shared/facts/event-fields'
import { kindAt } from '#shared/fields/kind'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { isJsonObject } from '#shared/json'
import { collections, type CollectionName } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import { customRepetition, ruleInWords } from '#shared/time/rule-words'
import { sameZone } from '#shared/time/zones'
import { roleLabel } from '../../context/calendar-access'
import {
  instantWords,
  recordLines,
  recordTitle,
  type RecordWordContext,
  type WordContext,
} from '../../context/record-words'
import { counted } from '../../ui/counted'
import { dayMs, durationText, minuteMs, shortDate, yearOf } from '../../ui/dates'

/** Returns the capitalized noun for a record of a collection. */
export function objectWord(collection: CollectionName): string {
  const { one } = collections[collection].words
  return one.charAt(0).toUpperCase() + one.slice(1)
}

function timeWords(time: JsonObject, context: WordContext, last: boolean): string {
  const year = yearOf(context.today)
  if (typeof time['date'] === 'string') {
    const day = Date.parse(`${time['date']}T00:00:00Z`)
    return shortDate(last ? day - dayMs : day, year)
  }
  const instant = Date.parse(String(time['dateTime']))
  if (!Number.isFinite(instant)) return 'no time'
  const zone = time['timeZone']
  const own = typeof zone === 'string' && !sameZone(zone, context.zone) ? ` (${zone.replaceAll('_', ' ')})` : ''
  return `${instantWords(instant, context)}${own}`
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** A line of a repetition: `Every 2 weeks on Monday and Wednesday, 10 times`, `Except 2 dates`. */
export function ruleWords(line: string): string {
  const [, kind = '', value = ''] = /^([A-Z]+)(?:;[^:]*)?:(.*)$/i.exec(line) ?? []
  const dates = counted(value.split(',').length, 'date')
  if (kind.toUpperCase() === 'EXDATE') return `Except ${dates}`
  if (kind.toUpperCase() === 'RDATE') return `Also on ${counted(value.split(',').length, 'other date')}`
  const words = kind.toUpperCase() === 'RRULE' ? ruleInWords(value) : null
  if (words === null) return capital(customRepetition)
  const until = /UNTIL=(\d{4})(\d{2})(\d{2})/i.exec(value)
  const count = /COUNT=(\d+)/i.exec(value)?.[1]
  return [
    capital(words),
    until ? `, until ${shortDate(Date.UTC(+until[1]!, +until[2]! - 1, +until[3]!), 0)}` : '',
    count === undefined ? '' : count === '1' ? ', once' : `, ${count} times`,
  ].join('')
}

const answers: Readonly<Record<string, string>> = {
  accepted: 'yes',
  declined: 'no',
  tentative: 'maybe',
  needsAction: 'no reply yet',
}

const statuses: Readonly<Record<string, string>> = {
  completed: 'Completed',
  needsAction: 'Not completed',
  confirmed: 'Confirmed',
  tentative: 'Tentative',
  cancelled: 'Canceled',
}

/** Formats a field's value as lines. Empty if there's no value. */
export function valueLines(field: string, value: Json | undefined, context: WordContext): string[] {
  if (value === null || value === undefined || value === '') return []
  if ((field === 'start' || field === 'end') && isJsonObject(value)) return [timeWords(value, context, field === 'end')]
  if (field === 'due' && typeof value === 'string')
    return [shortDate(Math.floor(Date.parse(value) / dayMs) * dayMs, yearOf(context.today))]
  if (field === 'status') return [statuses[String(value)] ?? String(value)]
  if (field === 'completed' && typeof value === 'string') return [instantWords(Date.parse(value), context)]
  const control = eventField(field)?.control
  const choice = control?.kind === 'choice' && control.options.find((one) => one.value === value)
  if (choice) return [choice.label]
  if (field === 'recurrence' && Array.isArray(value)) return value.map((line) => ruleWords(String(line)))
  if (field === 'attendees' && Array.isArray(value)) {
    return value.filter(isJsonObject).map((guest) => {
      const name = String(guest['displayName'] ?? guest['email'] ?? '')
      const answer = answers[String(guest['responseStatus'] ?? '')]
      return `${name}${guest['optional'] ? ', optional' : ''}${answer ? ` (${answer})` : ''}`
    })
  }
  if (field === 'reminders' && isJsonObject(value)) {
    if (value['useDefault'] === true) return ['Calendar default']
    const overrides = Array.isArray(value['overrides']) ? value['overrides'].filter(isJsonObject) : []
    if (overrides.length === 0) return ['None']
    return overrides.map(
      (one) =>
        `${durationText(Number(one['minutes']) * minuteMs)} before, ${one['method'] === 'email' ? 'by email' : 'as a notification'}`,
    )
  }
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No']
  if (Array.isArray(value)) return value.flatMap((item) => (isJsonObject(item) ? [flat(item)] : [String(item)]))
  if (isJsonObject(value)) return [flat(value)]
  return field === 'description'
    ? [
        String(value)
          .replace(/<br\s*\/?>/gi, '\n')
          .replace(/<[^>]*>/g, ''),
      ]
    : [String(value)]
}

/** Formats a changed field as lines. Uses the schema to show names instead of references. */
export function entryLines(
  entry: Pick<OutboxEntry, 'collection'>,
  field: string,
  value: Json | undefined,
  context: RecordWordContext,
): string[] {
  const facts = collections[entry.collection]
  if (facts.references && kindAt(facts, field) === 'number' && /^-?\d{4,}$/.test(String(value)))
    return [Number(value).toLocaleString('en')]
  if (field === (entry.collection === 'acl' ? 'role' : 'accessRole') && typeof value === 'string')
    return [roleLabel(value)]
  return facts.references ? recordLines(facts, field, value, context) : valueLines(field, value, context)
}

const flat = (value: JsonObject): string =>
  Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined && typeof inner !== 'object')
    .map(([name, inner]) => `${fieldName(name)}: ${String(inner)}`)
    .join(', ')

/** The title of a record in a list, for an occurrence of a series with its original time. */
export function titleOfRecord(collection: CollectionName, id: string, title: string, context: WordContext): string {
  const instance = collection === 'events' ? parseInstanceId(id) : undefined
  if (!instance) return title
  const { allDay, instant } = instance
  return `${title}, ${allDay ? shortDate(instant, yearOf(context.today)) : instantWords(instant, context)}`
}

export const titleOfEntry = (entry: OutboxEntry): string => {
  const value = { ...entry.base, ...entry.patch }
  const title = value['summary'] ?? value['title'] ?? value['summaryOverride']
  if (typeof title === 'string' && title !== '') return title
  if (entry.collection === 'acl') {
    const person = valueAt(value, 'scope.type') === 'default' ? 'Everyone' : valueAt(value, 'scope.value')
    if (typeof person === 'string') return person
  }
  if (entry.collection === 'calendarList') return entry.recordId
  return recordTitle(collections[entry.collection], value) ?? objectWord(entry.collection)
}
