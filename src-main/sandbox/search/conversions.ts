import type { JsonObject } from '#shared/json'
import type { Conversion, ConversionList } from '#shared/wire/search/types'
import type { Call, HandlersOf, Service } from '../operation'
import { Problem, invalid, invalidParameter, notFound } from '../problems'
import { dayOf, type Span } from '../reporting/days'
import { checkAvailability } from './availability'
import { MemberFault, insertOne, updateOne } from './conversion-write'
import { conversionsOf } from './conversions-read'
import { idsOf, orphanOf, resolve, type Ids } from './scope'
import { searchTree, type SearchTree } from './tree'

interface Window {
  startDate: number
  endDate: number
  startRow: number
  rowCount: number
}

/**
 * A page of the conversions below some IDs.
 * @throws Problem 404 for unknown IDs in the path, 400 for others
 */
function readConversions(call: Call, inPath: ReadonlySet<string>): ConversionList {
  const params = call.params as unknown as Window & Ids
  const span = spanOf(params)
  const ids = idsOf(params)
  // A customer ID replaces everything above the campaign.
  const chain = ids.customerId === undefined ? ids : { ...ids, agencyId: ' ', advertiserId: ' ', engineAccountId: ' ' }
  const orphan = orphanOf(chain)
  if (orphan) throw invalidParameter(`${orphan.id} needs ${orphan.needs}.`, orphan.id)
  const tree = searchTree(call.service)
  const found = resolve(tree, ids)
  if ('wrong' in found) {
    if (inPath.has(found.wrong)) throw notFound(`There is no such ${found.wrong}.`)
    throw invalidParameter(`There is no such ${found.wrong}.`, found.wrong)
  }
  const conversion: Conversion[] = []
  let row = 0
  for (const { shown } of conversionsOf(call.service, tree, found.scope, span)) {
    if (row++ < params.startRow) continue
    conversion.push(shown)
    if (conversion.length === params.rowCount) break
  }
  return { kind: 'search#conversionList', conversion }
}

/** Dates as whole numbers, `yyyymmdd`, both included. @throws Problem 400 */
function spanOf(window: Window): Span {
  const day = (name: 'startDate' | 'endDate'): number => {
    const digits = String(window[name])
    const date = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    const found = dayOf(date)
    if (Number.isNaN(found) || new Date(found * 86_400_000).toISOString().slice(0, 10) !== date)
      throw invalidParameter(`Invalid value for ${name}: ${digits}. It must be a day, yyyymmdd.`, name)
    return found
  }
  const span = { from: day('startDate'), to: day('endDate') }
  if (span.from > span.to) throw invalidParameter('The start date is after the end date.', 'startDate')
  return span
}

/**
 * Writes each member separately: valid ones are stored even if others fail. The response is then 400, with an entry for
 * each failed member and its index. Without failures it is the new list.
 */
function writeEach(
  call: Call,
  write: (service: Service, tree: SearchTree, member: Conversion) => Conversion,
): ConversionList | Problem {
  const members = (call.body as ConversionList).conversion ?? []
  if (members.length === 0) throw invalid('There are no conversions in the request.', 'conversion')
  const tree = searchTree(call.service)
  const failed: Array<{ reason: string; message: string; location: string }> = []
  const conversion: Conversion[] = []
  members.forEach((member, index) => {
    try {
      conversion.push(write(call.service, tree, member))
    } catch (error) {
      if (!(error instanceof MemberFault)) throw error
      const at = `conversion[${index}]`
      failed.push({
        reason: error.reason,
        message: `${at}: ${error.message}`,
        location: error.field === undefined ? at : `${at}.${error.field}`,
      })
    }
  })
  if (failed.length > 0)
    return new Problem(
      400,
      failed[0]!.reason,
      `${failed.length} of ${members.length} conversions failed; the others are kept.`,
      {
        members: failed,
      },
    )
  return { kind: 'search#conversionList', conversion }
}

export const searchConversionHandlers: HandlersOf<'search.conversion'> = {
  'search.conversion.get': (call) => readConversions(call, new Set(['agencyId', 'advertiserId', 'engineAccountId'])),
  'search.conversion.getByCustomerId': (call) => readConversions(call, new Set(['customerId'])),
  'search.conversion.insert': (call) => writeEach(call, insertOne),
  'search.conversion.update': (call) => writeEach(call, updateOne),

  'search.conversion.updateAvailability': (call) => {
    const { availabilities = [] } = call.body
    if (availabilities.length === 0) throw invalid('There are no availabilities in the request.', 'availabilities')
    const tree = searchTree(call.service)
    availabilities.forEach((availability, index) =>
      checkAvailability(tree, availability as JsonObject, `availabilities[${index}]`, call.service.store.now),
    )
    return { availabilities }
  },
}
