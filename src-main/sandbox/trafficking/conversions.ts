import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { answerRows, checkRow, dayOfMicros, rowError, type RowError } from './batches'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf } from './profiles'

const identifiers = ['gclid', 'dclid', 'encryptedUserId', 'encryptedUserIdCandidates', 'matchId', 'mobileDeviceId']
const encrypted = ['encryptedUserId', 'encryptedUserIdCandidates']

export const insertConversions = (call: Call): JsonObject =>
  answerRows(call, 'conversions', { kind: 'trafficking#conversionsBatchInsertResponse', row: 'conversion' }, (row) => {
    const errors = check(call, row)
    if (errors.length === 0) store(call, row)
    return errors
  })

/** Updates quantity, value, and variables of existing conversions, which are identified by their other fields. */
export const updateConversions = (call: Call): JsonObject =>
  answerRows(call, 'conversions', { kind: 'trafficking#conversionsBatchUpdateResponse', row: 'conversion' }, (row) => {
    const errors = check(call, row)
    const known = objectsOf(call.service.store).get('conversions', keyOf(row))
    if (errors.length === 0 && known?.timestampMicros !== row.timestampMicros)
      return [rowError('NOT_FOUND', 'There is no such conversion')]
    if (errors.length === 0 && known) objectsOf(call.service.store).put('conversions', { ...known, ...row })
    return errors
  })

function check(call: Call, row: JsonObject): RowError[] {
  const errors = checkRow(call, row)
  const given = identifiers.filter((name) => row[name] !== undefined && row[name] !== null)
  if (given.length !== 1) errors.push(rowError('INVALID_ARGUMENT', 'Exactly one user identifier must be given'))
  const info = (call.body as JsonObject).encryptionInfo as JsonObject | undefined
  const complete = ['encryptionEntityType', 'encryptionEntityId', 'encryptionSource'].every((name) => info?.[name])
  if (given.some((name) => encrypted.includes(name)) && !complete)
    errors.push(rowError('INVALID_ARGUMENT', 'encryptionInfo is needed for encrypted user identifiers'))
  if (row.quantity !== undefined && Number(row.quantity) < 0)
    errors.push(rowError('INVALID_ARGUMENT', 'quantity must not be negative'))
  const activity = objectsOf(call.service.store).get('trackingActivities', String(row.trackingActivityId))
  if (!activity) errors.push(rowError('NOT_FOUND', `No tracking activity ${String(row.trackingActivityId)}`))
  else if (activity.accountId !== profileOf(call).accountId)
    errors.push(rowError('PERMISSION_DENIED', `No rights on tracking activity ${activity.id}`))
  else if (activity.trackingConfigurationId !== row.trackingConfigurationId)
    errors.push(rowError('INVALID_ARGUMENT', 'The tracking activity belongs to another tracking configuration'))
  return errors
}

/** Conversions with the same IDs, user, day, and ordinal are identical. */
function keyOf(row: JsonObject): string {
  const user = identifiers.map((name) => (row[name] === undefined ? '' : JSON.stringify(row[name]))).join('|')
  return [
    row.trackingConfigurationId,
    row.trackingActivityId,
    dayOfMicros(row.timestampMicros),
    row.ordinal,
    user,
  ].join('/')
}

function store(call: Call, row: JsonObject): void {
  const objects = objectsOf(call.service.store)
  const id = keyOf(row)
  if (objects.get('conversions', id)) return
  const conversion: Stored = { ...row, id, accountId: profileOf(call).accountId, quantity: row.quantity ?? '1' }
  objects.put('conversions', conversion)
}
