import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { validate, type Violation } from '#shared/wire/validate'
import type { Call } from '../operation'
import { objectsOf } from './objects'
import { profileOf } from './profiles'
import { refusal } from './refusals'

/** Maximum number of rows in a request, and maximum age of conversions. */
const maxRows = 1_000
const maxAgeMs = 28 * 86_400_000

export interface RowError extends JsonObject {
  code: 'INVALID_ARGUMENT' | 'PERMISSION_DENIED' | 'NOT_FOUND'
  message: string
}

export const rowError = (code: RowError['code'], message: string): RowError => ({ code, message })

interface Answered {
  kind: string
  row: 'conversion' | 'customEvent'
}

/**
 * Processes rows one by one and answers 200 with a status for each, in order. A row is checked against its schema first.
 * Invalid values are omitted from its answer.
 * @throws Problem 400 if there are no rows, or more than a request may hold
 */
export function answerRows(
  call: Call,
  list: 'conversions' | 'customEvents',
  { kind, row }: Answered,
  take: (value: JsonObject) => RowError[],
): JsonObject {
  profileOf(call)
  const rows = (call.body as JsonObject)[list]
  if (!Array.isArray(rows) || rows.length === 0) throw refusal('missing', `${list} must hold at least one row`, list)
  if (rows.length > maxRows) throw refusal('general', `${list} may hold at most ${maxRows} rows`, list)
  const schema = row === 'conversion' ? 'Conversion' : 'CustomEvent'
  let hasFailures = false
  const status = rows.map((value) => {
    const violations = validate(call.table, schema, value, { operation: call.operation, kind: 'insert' })
    const wrong = violations.map(({ path, message }) =>
      rowError('INVALID_ARGUMENT', message.includes(path) ? message : `${path}: ${message}`),
    )
    const errors = wrong.length > 0 ? wrong : take(value as JsonObject)
    if (errors.length > 0) hasFailures = true
    return {
      kind: `trafficking#${row}Status`,
      [row]: { ...readable(value, violations), kind: `trafficking#${row}` },
      ...(errors.length > 0 ? { errors: errors.map((error) => ({ kind: `trafficking#${row}Error`, ...error })) } : {}),
    }
  })
  return { kind, hasFailures, status }
}

/** Valid fields of a row. */
function readable(value: Json, violations: readonly Violation[]): JsonObject {
  if (!isJsonObject(value)) return {}
  const wrong = new Set(violations.map(({ path }) => /^\w*/.exec(path)?.[0]))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
}

/** Checks the time and the tracking configuration of a row. */
export function checkRow(call: Call, row: JsonObject): RowError[] {
  const errors: RowError[] = []
  const at = Number(row.timestampMicros) / 1000
  const { now } = call.service.store
  if (at > now) errors.push(rowError('INVALID_ARGUMENT', 'timestampMicros is in the future'))
  if (at < now - maxAgeMs) errors.push(rowError('INVALID_ARGUMENT', 'timestampMicros is more than 28 days ago'))
  const configuration = objectsOf(call.service.store).get('trackingConfigurations', String(row.trackingConfigurationId))
  if (!configuration)
    errors.push(rowError('NOT_FOUND', `No tracking configuration ${String(row.trackingConfigurationId)}`))
  else if (configuration.accountId !== profileOf(call).accountId)
    errors.push(rowError('PERMISSION_DENIED', `No rights on tracking configuration ${configuration.id}`))
  return errors
}

/** The day in UTC of a time in microseconds. */
export const dayOfMicros = (micros: unknown): string => new Date(Number(micros) / 1000).toISOString().slice(0, 10)
