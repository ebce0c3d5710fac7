import type { Conversion } from '#shared/wire/search/types'
import type { Service } from '../operation'
import { isInt64 } from '#shared/wire/validate'
import { seedOf } from '../reporting/hash'
import { cellKey, type KeptConversion } from '../reporting/search-inserted'
import type { Activity, Place } from '../reporting/tree'
import { objectsOf } from '../trafficking/objects'
import { dayOfInstant, findConversion, type FoundConversion } from './conversions-read'
import { idNames, idsOf, orphanOf, resolve, type Scope } from './scope'
import { activityOf, type SearchTree } from './tree'

/** Error of one member of a batch. */
export class MemberFault extends Error {
  constructor(
    readonly reason: 'required' | 'invalid' | 'notFound' | 'duplicate',
    message: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

const earliest = Date.UTC(2013, 0, 1)
const clickLifeMs = 60 * 86_400_000

/** Stores a new conversion. @throws MemberFault */
export function insertOne(service: Service, tree: SearchTree, given: Conversion): Conversion {
  const timestamp = readTimestamp(service, given)
  if (given.segmentationType !== 'TRACKING')
    throw new MemberFault('invalid', 'segmentationType must be TRACKING.', 'segmentationType')
  const { scope, activity } = placeOf(tree, given)
  const advertiser = scope.advertiser!
  const conversionId = given.conversionId ?? ''
  if (conversionId.trim() === '') throw new MemberFault('required', 'A conversion needs an id.', 'conversionId')
  if (given.state === 'REMOVED') throw new MemberFault('invalid', 'A new conversion cannot be removed.', 'state')
  if (findConversion(service, tree, advertiser.id, conversionId, timestamp))
    throw new MemberFault('duplicate', 'The advertiser has a conversion with this id and timestamp.', 'conversionId')
  const type = given.type ?? (given.revenueMicros === undefined ? 'ACTION' : 'TRANSACTION')
  checkWorth({ ...given, type })
  const number = objectsOf(service.store).nextId('searchConversions')
  const shown: Conversion = {
    ...given,
    agencyId: tree.agencyId,
    advertiserId: advertiser.id,
    engineAccountId: advertiser.engineAccountId,
    customerId: advertiser.customerId,
    ...(scope.campaign ? { campaignId: scope.campaign.id } : {}),
    ...(scope.adGroup ? { adGroupId: scope.adGroup.id } : {}),
    ...(scope.keyword ? { criterionId: scope.keyword.id } : {}),
    ...(scope.ad ? { adId: scope.ad.id } : {}),
    conversionId,
    dsConversionId: number,
    conversionTimestamp: timestamp,
    conversionModifiedTimestamp: String(service.store.now),
    segmentationId: activity.id,
    segmentationName: String(activity.object.name),
    type,
    quantityMillis: given.quantityMillis ?? '1000',
    state: 'ACTIVE',
  }
  keep(service, tree, Number(number), shown, scope, activity, given.quantityMillis !== undefined)
  return shown
}

/**
 * Changes an existing conversion, whether sent or generated.
 * @throws MemberFault
 */
export function updateOne(service: Service, tree: SearchTree, given: Conversion): Conversion {
  if (!given.conversionId) throw new MemberFault('required', 'A conversion is named by its id.', 'conversionId')
  const timestamp = readTimestamp(service, given)
  if (given.type === undefined) throw new MemberFault('required', 'A conversion is named by its type as well.', 'type')
  if (
    given.clickId === undefined &&
    given.criterionId === undefined &&
    given.agencyId === undefined &&
    given.customerId === undefined
  )
    throw new MemberFault('required', 'A conversion is named by its clickId or criterionId.', 'clickId')
  if (given.clickId !== undefined && service.store.now - Number(timestamp) > clickLifeMs)
    throw new MemberFault('invalid', 'A click id is good for 60 days.', 'clickId')
  const ids = idsOf(given)
  const resolved = resolve(tree, ids)
  if ('wrong' in resolved) throw new MemberFault('notFound', `There is no such ${resolved.wrong}.`, resolved.wrong)
  const advertisers = resolved.scope.advertiser ? [resolved.scope.advertiser] : tree.advertisers
  let found: FoundConversion | undefined
  for (const advertiser of advertisers)
    found ??= findConversion(service, tree, advertiser.id, given.conversionId, timestamp)
  if (!found) throw new MemberFault('notFound', 'There is no conversion with this id and timestamp.', 'conversionId')
  const { shown: before } = found
  for (const name of [
    'clickId',
    'type',
    'segmentationType',
    'segmentationId',
    'segmentationName',
    'dsConversionId',
    ...idNames,
  ] as const)
    if (given[name] !== undefined && given[name] !== before[name])
      throw new MemberFault('invalid', `${name} is not that of the conversion and cannot be changed.`, name)
  const isQuantitySet = found.kept?.quantitySet === true
  const wasSet = (name: keyof Conversion): boolean =>
    name === 'quantityMillis' ? isQuantitySet : before[name] !== undefined
  if (given.state !== 'REMOVED')
    for (const name of ['revenueMicros', 'currencyCode', 'quantityMillis'] as const)
      if (wasSet(name) && given[name] === undefined)
        throw new MemberFault('required', `${name} was set and has to be repeated.`, name)
  const after: Conversion = {
    ...before,
    ...given,
    conversionTimestamp: timestamp,
    conversionModifiedTimestamp: String(
      Math.max(service.store.now, Number(before.conversionModifiedTimestamp ?? 0) + 1),
    ),
    state: given.state ?? before.state,
  }
  checkWorth(after)
  const number = found.kept ? Number(before.dsConversionId) : 0
  const quantitySet = isQuantitySet || given.quantityMillis !== undefined
  keep(service, tree, number, after, found.subject, found.subject.activity!, quantitySet, found)
  return after
}

/** @returns epoch milliseconds as text. */
function readTimestamp(service: Service, { conversionTimestamp }: Conversion): string {
  if (conversionTimestamp === undefined || conversionTimestamp === '')
    throw new MemberFault('required', 'A conversion needs a timestamp.', 'conversionTimestamp')
  if (!isInt64(conversionTimestamp))
    throw new MemberFault('invalid', 'The timestamp must be epoch milliseconds.', 'conversionTimestamp')
  const at = Number(conversionTimestamp)
  if (at < earliest) throw new MemberFault('invalid', 'The timestamp is before 2013.', 'conversionTimestamp')
  if (at > service.store.now + 60_000)
    throw new MemberFault('invalid', 'The timestamp lies in the future.', 'conversionTimestamp')
  return String(at)
}

/** Finds the objects that a new conversion belongs to, by its IDs or its click. */
function placeOf(tree: SearchTree, given: Conversion): { scope: Scope; activity: Activity & Place } {
  const ids = idsOf(given)
  if (given.clickId === undefined && given.criterionId === undefined) {
    const chain =
      given.customerId === undefined ? ids : { ...ids, agencyId: ' ', advertiserId: ' ', engineAccountId: ' ' }
    if (chain.agencyId === undefined && chain.advertiserId === undefined)
      throw new MemberFault(
        'required',
        'A conversion needs a clickId, a criterionId, or the ids up to the agency.',
        'clickId',
      )
    const orphan = orphanOf(chain)
    if (orphan) throw new MemberFault('required', `${orphan.id} needs ${orphan.needs}.`, orphan.needs)
    if (chain.advertiserId === undefined)
      throw new MemberFault('required', 'A conversion needs an advertiser.', 'advertiserId')
  }
  const resolved = resolve(tree, ids)
  if ('wrong' in resolved) throw new MemberFault('notFound', `There is no such ${resolved.wrong}.`, resolved.wrong)
  const { segmentationId: id, segmentationName: name } = given
  if (id === undefined && name === undefined)
    throw new MemberFault('required', 'The activity is named by segmentationId or segmentationName.', 'segmentationId')
  let { scope } = resolved
  const candidates = scope.advertiser ? [scope.advertiser] : tree.advertisers
  const activity = candidates
    .map((advertiser) => activityOf(tree, advertiser.id, id, name))
    .find((one) => one !== undefined)
  if (!activity)
    throw new MemberFault(
      'notFound',
      'The advertiser has no such activity.',
      id === undefined ? 'segmentationName' : 'segmentationId',
    )
  if (!scope.campaign && given.clickId !== undefined) {
    // Clicks aren't stored: the same click always belongs to the same keyword.
    const advertiser = scope.advertiser ?? candidates.find((one) => one.id === String(activity.advertiser?.id))!
    const seed = seedOf(given.clickId)
    const campaign = advertiser.campaigns[seed % Math.max(1, advertiser.campaigns.length)]
    const adGroup = campaign?.adGroups[(seed >>> 8) % campaign.adGroups.length]
    const pick = <T>(list: readonly T[] | undefined): T | undefined => list?.[(seed >>> 16) % list.length]
    scope = { advertiser, campaign, adGroup, keyword: pick(adGroup?.keywords), ad: pick(adGroup?.ads) }
  }
  return { scope, activity }
}

/** @throws MemberFault if revenue, currency, and quantity don't fit the type */
function checkWorth({ type, revenueMicros, currencyCode, quantityMillis }: Conversion): void {
  if (revenueMicros !== undefined && (!isInt64(revenueMicros) || revenueMicros.startsWith('-')))
    throw new MemberFault('invalid', 'revenueMicros must be a whole number, 0 or above.', 'revenueMicros')
  if (type === 'TRANSACTION' && revenueMicros === undefined)
    throw new MemberFault('required', 'A transaction has revenue.', 'revenueMicros')
  if (revenueMicros !== undefined && currencyCode === undefined)
    throw new MemberFault('required', 'Revenue has a currency.', 'currencyCode')
  if (quantityMillis !== undefined && Number(quantityMillis) < 0)
    throw new MemberFault('invalid', 'quantityMillis must not be below 0.', 'quantityMillis')
}

function keep(
  service: Service,
  tree: SearchTree,
  number: number,
  shown: Conversion,
  { advertiser, campaign, adGroup, keyword, ad }: Scope,
  activity: Activity,
  quantitySet: boolean,
  before?: FoundConversion,
): void {
  const timestamp = shown.conversionTimestamp!
  const day = dayOfInstant(tree, Number(timestamp))
  const made = before?.made
  const kept: KeptConversion = {
    shown: shown as KeptConversion['shown'],
    day,
    activityId: activity.id,
    advertiserId: advertiser!.id,
    campaignId: campaign?.id,
    adGroup: adGroup?.number,
    keyword: keyword && adGroup?.keywords.indexOf(keyword),
    ad: ad && adGroup?.ads.indexOf(ad),
    sale: shown.type === 'TRANSACTION',
    quantity: Number(shown.quantityMillis ?? 1000) / 1000,
    ...(quantitySet && { quantitySet }),
    revenueMicros: Number(shown.revenueMicros ?? 0),
    removed: shown.state === 'REMOVED',
    generated:
      before?.kept?.generated ??
      (made && { cell: cellKey(made.cell), sale: made.activity.sale, revenueMicros: made.revenueMicros }),
  }
  service.store.put('search_conversions', {
    number: number || Number(objectsOf(service.store).nextId('searchConversions')),
    advertiser: advertiser!.id,
    conversion: shown.conversionId!,
    timestamp,
    day,
    engine_account: advertiser!.engineAccountId,
    data: JSON.stringify(kept),
  })
}
