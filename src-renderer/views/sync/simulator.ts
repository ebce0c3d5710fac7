import { fieldNameInside } from '#shared/fields/field-name'
import type { JsonObject } from '#shared/json'
import { isJsonObject } from '#shared/json'
import { collections, isLocalId } from '#shared/domain/collections'
import { kindOf } from '#shared/fields/kind'
import { patchAt, valueAt } from '#shared/fields/path'
import type { OutboxEntry } from '#shared/mutation/entry'
import { clock } from '../../clock'

/** Errors that the sandbox can simulate, in the format of its admin endpoint. */
export const troubles: readonly { id: string; label: string; text: string; order: JsonObject }[] = [
  {
    id: 'slow',
    label: 'Slow responses',
    text: 'The next 20 responses take 2 seconds each.',
    order: { operation: '*', count: 20, latencyMs: 2000 },
  },
  {
    id: 'down',
    label: 'Server errors',
    text: 'The next 4 calls fail with status 503.',
    order: { operation: '*', count: 4, status: 503, reason: 'backendError' },
  },
  {
    id: 'rate',
    label: 'Rate limit',
    text: 'The next 3 calls exceed the rate limit, with a retry after 5 seconds.',
    order: { operation: '*', count: 3, status: 429, reason: 'rateLimitExceeded', retryAfter: 5 },
  },
  {
    id: 'lost',
    label: 'Lost response',
    text: 'The next change arrives, but its response is lost.',
    order: { operation: '*', count: 1, drop: 'after' },
  },
  {
    id: 'half',
    label: 'Incomplete response',
    text: 'The next response is cut off.',
    order: { operation: '*', count: 1, half: true },
  },
  {
    id: 'portal',
    label: 'Captive portal',
    text: 'The next 3 responses are a web page, as on hotel Wi-Fi.',
    order: { operation: '*', count: 3, html: true },
  },
]

export interface ForeignEdit {
  operation: string
  params: JsonObject
  body: JsonObject
  /** Name of the changed field. */
  words: string
}

/** A pending edit of a record that the server has, to simulate a second user. */
export const simulationTarget = (entries: readonly OutboxEntry[]): OutboxEntry | undefined =>
  entries.find(
    (entry) =>
      entry.kind === 'change' &&
      entry.state === 'waiting' &&
      !isLocalId(entry.recordId) &&
      (entry.collection === 'events' ||
        entry.collection === 'tasks' ||
        (changedText(entry) ?? changedText(entry, false)) !== undefined),
  )

/** A text of a campaign record that the entry changes, or that it leaves alone. Undefined without one. */
function changedText(entry: Pick<OutboxEntry, 'collection' | 'patch' | 'base'>, changes = true): string | undefined {
  const facts = collections[entry.collection]
  if (!facts.references || !facts.patch) return undefined
  const texts = Object.entries(facts.table.schemas[facts.schema]!.fields).filter(
    ([name, field]) =>
      !field.readOnly && !field.pattern && ['text', 'prose'].includes(kindOf(facts.table, name, field)),
  )
  return texts
    .map(([name]) => name)
    .find((name) => name in entry.patch === changes && typeof entry.base?.[name] === 'string')
}

/** Ends a flight that the entry changes a day later. Undefined if it changes none. */
function laterEnd({ collection, patch, base }: OutboxEntry): JsonObject | undefined {
  const facts = collections[collection]
  const end = facts.flight?.end
  const date = end === undefined ? undefined : valueAt(base ?? undefined, end)
  if (end === undefined || !(end.split('.')[0]! in patch) || typeof date !== 'string') return undefined
  const at = Date.parse(date) + 24 * hour
  const next = new Date(at).toISOString()
  return Number.isFinite(at) ? patchAt(base!, end, date.includes('T') ? next : next.slice(0, 10), facts) : undefined
}

/** Operation that lists the profiles of a person, whose own one a campaign record is changed by. */
export const profilesOperation = 'trafficking.userProfiles.list'

const hour = 3_600_000

function later(time: unknown): JsonObject | undefined {
  if (!isJsonObject(time)) return undefined
  const at = Date.parse(String(time['dateTime']))
  return Number.isFinite(at) ? { ...time, dateTime: new Date(at + hour).toISOString() } : undefined
}

/** A change of the same record by another user, in the same field or another one. */
export function foreignEdit(entry: OutboxEntry, where: 'same' | 'other'): ForeignEdit {
  const base = entry.base ?? {}
  const touched = new Set(Object.keys(entry.patch))
  const facts = collections[entry.collection]
  if (facts.references) {
    const flight = where === 'same' ? laterEnd(entry) : undefined
    if (flight) return { operation: facts.patch!, params: { id: entry.recordId }, body: flight, words: 'end date' }
    const field = changedText(entry, where === 'same') ?? changedText(entry, where !== 'same')!
    const body = { [field]: `${String(base[field] ?? '')} (Mina)` }
    return {
      operation: facts.patch!,
      params: { id: entry.recordId },
      body,
      words: fieldNameInside(field, entry.collection),
    }
  }
  if (entry.collection === 'tasks') {
    const params = { tasklist: entry.parent, task: entry.recordId }
    const operation = 'tasks.tasks.patch'
    const title = { title: `${String(base['title'] ?? '')} (second device)` }
    const notes = { notes: `${String(base['notes'] ?? '')}\nAdded on another device`.trim() }
    const due = { due: new Date(clock.now() + 9 * 24 * hour).toISOString().slice(0, 10) + 'T00:00:00.000Z' }
    const wanted =
      where === 'same'
        ? touched.has('due')
          ? due
          : touched.has('notes') && !touched.has('title')
            ? { notes: 'Rewritten on another device' }
            : title
        : touched.has('notes')
          ? due
          : notes
    return { operation, params, body: wanted, words: Object.keys(wanted)[0]! }
  }
  const params = { calendarId: entry.parent, eventId: entry.recordId }
  const operation = 'calendar.events.patch'
  const start = later(base['start'])
  const end = later(base['end'])
  const time = start && end ? { start, end } : undefined
  const title = { summary: `${String(base['summary'] ?? '')} (Mina)` }
  const place = { location: 'Room 4, says Mina' }
  const sameField =
    touched.has('start') && time ? time : touched.has('location') && !touched.has('summary') ? place : title
  const otherField = touched.has('location') ? title : place
  const body = where === 'same' ? sameField : otherField
  return { operation, params, body, words: 'start' in body ? 'time' : 'location' in body ? 'location' : 'title' }
}
