import { localPrefix } from '#shared/domain/collections'
import type { FaultCode } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Sight } from './ledger'

export interface Call {
  id: string
  params: JsonObject
  body?: JsonObject
  /** The caller, if known. */
  who?: string
  /** What the caller had seen of the service. A call without an edit removes nothing. */
  sight?: () => Sight
  toWrite?: boolean
  /** When it was sent, if that isn’t now. */
  asked?: number
}

/** When a call fails: before anything happened, or after everything did and only the response is lost. */
export type Trouble = (call: Call, moment: 'before' | 'after') => FaultCode | undefined

const idParams: Readonly<Partial<Record<string, string>>> = {
  events: 'eventId',
  tasks: 'task',
  tasklists: 'tasklist',
  acl: 'ruleId',
  settings: 'setting',
}

/** Collection and verb of an operation. */
function partsOf(id: string): readonly [string, string] {
  const at = id.lastIndexOf('.')
  return [id.slice(id.indexOf('.') + 1, at), id.slice(at + 1)]
}

export function placeOf(
  id: string,
  params: JsonObject,
): { collection: string; verb: string; parent: unknown; name: string; recordId: string } {
  const [collection, verb] = partsOf(id)
  const idParam = idParams[collection] ?? 'calendarId'
  const parent =
    collection === 'events' || collection === 'acl'
      ? params.calendarId
      : collection === 'tasks'
        ? params.tasklist
        : undefined
  const name = parent === undefined ? collection : `${collection} ${String(parent)}`
  return { collection, verb, parent, name, recordId: String(params[idParam]) }
}

export const isTrafficking = (id: string): boolean => id.startsWith('trafficking.')

/** True if data contains a local ID. */
export const namesLocal = (data: JsonObject): boolean =>
  Object.values(data).some((value) =>
    typeof value === 'string'
      ? value.includes(localPrefix)
      : typeof value === 'object' && JSON.stringify(value).includes(localPrefix),
  )

/** The call's record, by its ledger name. */
export function recordOf({ id, params, body }: Call): string {
  if (isTrafficking(id)) return `${id.slice(0, id.lastIndexOf('.'))} ${String(params.id ?? body?.id)}`
  const { name, recordId } = placeOf(id, params)
  return `${name} ${recordId}`
}

/** The records in a trafficking response. */
export function recordsIn(id: string, params: JsonObject, body: JsonObject = {}): string[] {
  if (!isTrafficking(id)) return []
  if (!id.endsWith('.list')) return [recordOf({ id, params, body })]
  const shelf = id.slice(0, id.lastIndexOf('.'))
  const shown = Object.values(body).filter(Array.isArray).flat() as JsonObject[]
  return shown.map((one) => `${shelf} ${String(one.id)}`)
}
