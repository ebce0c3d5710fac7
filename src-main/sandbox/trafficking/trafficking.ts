import { tableOf, versionsOf, type OperationId } from '#shared/wire/services'
import type { Method } from '#shared/wire/table'
import type { Call, Handler } from '../operation'
import { insertAssociation, listAssociations } from './associations'
import { listObjects } from './list'
import { partsOf } from './shapes'
import { specialHandlers } from './special'
import { deleteObject, getObject, insertObject, patchObject, updateObject } from './write'

/** Generic operations for all collections. */
const byVerb: Record<string, (call: Call) => unknown> = {
  delete: deleteObject,
  get: getObject,
  insert: insertObject,
  list: listObjects,
  patch: patchObject,
  update: updateObject,
}

/** Collections that belong to reports, whose operations have their own functions. */
const reporting = new Set(['dimensionValues', 'files', 'reports', 'reports.compatibleFields', 'reports.files'])

type TraffickingId = Extract<OperationId, `trafficking.${string}`>
type Reporting = Extract<OperationId, `trafficking.${'dimensionValues' | 'files' | 'reports'}.${string}`>
export type TraffickingHandlers = { [Id in Exclude<TraffickingId, Reporting>]: Handler<Id> }

/** A function for every operation of both versions except reports: generic or special. */
export const traffickingHandlers = Object.fromEntries(
  versionsOf('trafficking')
    .flatMap((version) => tableOf('trafficking', version).methods)
    .filter((method) => !reporting.has(partsOf(method.id).collection))
    .map((method) => [method.id, special(method) ?? byRule(method)]),
) as unknown as TraffickingHandlers

function special(method: Method): ((call: Call) => unknown) | undefined {
  const handlers: Record<string, (call: Call) => unknown> = {
    ...(specialHandlers as unknown as Record<string, (call: Call) => unknown>),
    'trafficking.campaignCreativeAssociations.insert': insertAssociation,
    'trafficking.campaignCreativeAssociations.list': listAssociations,
  }
  return handlers[method.id]
}

/** @throws Error for an operation without a generic function: it needs its own */
function byRule(method: Method): (call: Call) => unknown {
  const rule = byVerb[partsOf(method.id).verb]
  if (!rule) throw new Error(`No rule for ${method.id}`)
  return rule
}
