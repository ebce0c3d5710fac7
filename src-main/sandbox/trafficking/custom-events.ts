import { isJsonObject, type JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { answerRows, checkRow, dayOfMicros, rowError, type RowError } from './batches'
import { objectsOf } from './objects'
import { profileOf } from './profiles'

export const insertCustomEvents = (call: Call): JsonObject =>
  answerRows(
    call,
    'customEvents',
    { kind: 'trafficking#customEventsBatchInsertResponse', row: 'customEvent' },
    (row) => {
      const errors = check(call, row)
      if (errors.length === 0) {
        const objects = objectsOf(call.service.store)
        const id = [
          row.trackingConfigurationId,
          dayOfMicros(row.timestampMicros),
          row.ordinal,
          JSON.stringify(subject(row)),
        ].join('/')
        if (!objects.get('customEvents', id))
          objects.put('customEvents', { ...row, id, accountId: profileOf(call).accountId })
      }
      return errors
    },
  )

const subject = (row: JsonObject): unknown => row.insertEvent ?? row.annotateClickEvent ?? row.annotateImpressionEvent

/** Collections of the IDs in an inserted event. */
const owners: Record<string, string> = {
  adId: 'ads',
  campaignId: 'campaigns',
  creativeId: 'creatives',
  placementId: 'placements',
  siteId: 'sites',
}

function check(call: Call, row: JsonObject): RowError[] {
  const errors = checkRow(call, row)
  const objects = objectsOf(call.service.store)
  const { insertEvent, annotateClickEvent, annotateImpressionEvent } = row
  const inserts = insertEvent !== undefined
  if ((row.eventType === 'INSERT' && !inserts) || (row.eventType === 'ANNOTATE' && inserts))
    errors.push(rowError('INVALID_ARGUMENT', 'eventType is not that of the event'))
  const ids = isJsonObject(insertEvent) && isJsonObject(insertEvent.cmDimensions) ? insertEvent.cmDimensions : {}
  for (const [name, collection] of Object.entries(owners)) {
    const id = ids[name]
    if (typeof id === 'string' && objects.get(collection, id)?.accountId !== profileOf(call).accountId)
      errors.push(rowError('NOT_FOUND', `insertEvent.cmDimensions.${name}: no such object: ${id}`))
  }
  if (isJsonObject(annotateClickEvent) && !annotateClickEvent.gclid)
    errors.push(rowError('INVALID_ARGUMENT', 'annotateClickEvent.gclid is needed'))
  if (isJsonObject(annotateImpressionEvent) && !annotateImpressionEvent.pathImpressionId)
    errors.push(rowError('INVALID_ARGUMENT', 'annotateImpressionEvent.pathImpressionId is needed'))
  return errors
}
