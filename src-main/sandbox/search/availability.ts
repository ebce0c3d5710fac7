import type { JsonObject } from '#shared/json'
import { invalid, required } from '../problems'
import { resolve } from './scope'
import { activityOf, type SearchTree } from './tree'

/** Returns the time up to which conversions of an activity are complete. @throws Problem 400 that names the field */
export function checkAvailability(tree: SearchTree, availability: JsonObject, at: string, now: number): void {
  const { agencyId, advertiserId, customerId } = availability as Record<string, string | undefined>
  const found = resolve(tree, { agencyId, advertiserId, customerId })
  if ('wrong' in found) throw invalid(`There is no such ${found.wrong}.`, `${at}.${found.wrong}`)
  if (availability.segmentationType !== 'TRACKING')
    throw invalid('segmentationType must be TRACKING.', `${at}.segmentationType`)
  const { segmentationId, segmentationName } = availability as Record<string, string | undefined>
  if (segmentationId === undefined && segmentationName === undefined)
    throw required(`${at}.segmentationId`, 'An activity is named by segmentationId or segmentationName.')
  if (!activityOf(tree, found.scope.advertiser!.id, segmentationId, segmentationName))
    throw invalid(
      'The advertiser has no such activity.',
      `${at}.${segmentationId === undefined ? 'segmentationName' : 'segmentationId'}`,
    )
  if (Number(availability.availabilityTimestamp) > now + 60_000)
    throw invalid('Conversions cannot be complete up to the future.', `${at}.availabilityTimestamp`)
}
