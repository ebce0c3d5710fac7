import { isJsonObject, type JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { logChanges } from './change-logs'
import { answerPage, checkParent } from './list'
import { objectsOf, type Objects } from './objects'
import type { Stored } from './stored'
import { isVisible, profileOf, type Profile } from './profiles'
import { refusal } from './refusals'
import { textAt, valuesAt } from './shapes'

/** ID of the association of a creative with a campaign. */
export const linkId = (campaignId: string, creativeId: string): string => `${campaignId}-${creativeId}`

export const isAssociated = (objects: Objects, campaignId: string, creativeId: string): boolean =>
  objects.get('campaignCreativeAssociations', linkId(campaignId, creativeId)) !== undefined

/** POST: allows a creative of the campaign's advertiser in the campaign, and creates its default ads. */
export function insertAssociation(call: Call): JsonObject {
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const campaign = checkParent(call, 'campaignId')
  const creativeId = String((call.body as JsonObject).creativeId)
  const creative = objects.get('creatives', creativeId)
  if (campaign.archived === true) throw refusal('archived', 'The campaign is archived', 'campaignId')
  if (!creative || !isVisible(profile, creative))
    throw refusal('unknown', `There is no creative ${creativeId}`, 'creativeId')
  if (creative.archived === true) throw refusal('archived', 'The creative is archived', 'creativeId')
  if (creative.advertiserId !== campaign.advertiserId)
    throw refusal('foreign', 'The creative belongs to another advertiser', 'creativeId')
  if (isAssociated(objects, campaign.id, creativeId))
    throw refusal('taken', 'The creative is associated with the campaign already', 'creativeId')
  associate({ call, objects, profile }, campaign.id, creativeId)
  return { kind: 'trafficking#campaignCreativeAssociation', creativeId }
}

export function listAssociations(call: Call): JsonObject {
  const { id } = checkParent(call, 'campaignId')
  const found = objectsOf(call.service.store)
    .list('campaignCreativeAssociations')
    .filter((link) => link.campaignId === id)
  return answerPage(call, 'campaignCreativeAssociations', found)
}

export function associate(
  { call, objects, profile }: { call: Call; objects: Objects; profile: Profile },
  campaignId: string,
  creativeId: string,
): void {
  const { now } = call.service.store
  objects.put('campaignCreativeAssociations', {
    id: linkId(campaignId, creativeId),
    accountId: profile.accountId,
    campaignId,
    creativeId,
  })
  logChanges(objects, profile, now, [
    {
      objectType: 'OBJECT_CREATIVE',
      objectId: creativeId,
      action: 'ACTION_ASSOCIATE',
      fieldName: 'campaignId',
      newValue: campaignId,
    },
  ])
  makeDefaultAds({ objects, profile, now }, campaignId)
}

/**
 * Creates default ads: if a campaign has a display creative and placements of one size, an ad of type default serves
 * the creative on them. There's one per size, and it includes later placements.
 */
export function makeDefaultAds(
  { objects, profile, now }: { objects: Objects; profile: Pick<Profile, 'accountId' | 'subaccountId'>; now: number },
  campaignId: string,
): void {
  const campaign = objects.get('campaigns', campaignId)
  if (!campaign) return
  const placements = new Map<string, Stored[]>()
  for (const placement of objects.list('placements')) {
    if (placement.campaignId !== campaignId || placement.archived === true) continue
    const size = textAt(placement, 'size.id')
    if (size && placement.compatibility === 'DISPLAY')
      placements.set(size, [...(placements.get(size) ?? []), placement])
  }
  if (placements.size === 0) return
  const ads = objects.list('ads').filter((ad) => ad.campaignId === campaignId && ad.type === 'AD_SERVING_DEFAULT_AD')
  const creatives = objects
    .list('campaignCreativeAssociations')
    .filter((link) => link.campaignId === campaignId)
    .map((link) => objects.get('creatives', String(link.creativeId)))
  for (const [sizeId, those] of placements) {
    const known = ads.find((ad) => textAt(ad, 'size.id') === sizeId)
    if (known) {
      assign(objects, known, those)
      continue
    }
    const creative = creatives.find(
      (one) =>
        one !== undefined &&
        one.archived !== true &&
        valuesAt(one, ['compatibility']).includes('DISPLAY') &&
        textAt(one, 'size.id') === sizeId,
    )
    if (creative) objects.put('ads', defaultAd({ objects, profile, now }, campaign, creative, those))
  }
}

function assign(objects: Objects, ad: Stored, placements: Stored[]): void {
  const assigned = new Set(valuesAt(ad, ['placementAssignments', 'placementId']))
  const more = placements.filter((placement) => !assigned.has(placement.id))
  if (more.length === 0) return
  const old = Array.isArray(ad.placementAssignments) ? ad.placementAssignments : []
  objects.put('ads', { ...ad, placementAssignments: [...old, ...more.map(assignment)] })
}

const assignment = (placement: Stored): JsonObject => ({ placementId: placement.id, active: true, sslRequired: true })

function defaultAd(
  { objects, profile, now }: { objects: Objects; profile: Pick<Profile, 'accountId' | 'subaccountId'>; now: number },
  campaign: Stored,
  creative: Stored,
  placements: Stored[],
): Stored {
  const time = { time: String(now) }
  const { width, height } = isJsonObject(creative.size) ? creative.size : {}
  return {
    id: objects.nextId('ads'),
    accountId: profile.accountId,
    subaccountId: profile.subaccountId,
    advertiserId: campaign.advertiserId,
    campaignId: campaign.id,
    name: `Default Web Ad ${String(width)}x${String(height)}`,
    type: 'AD_SERVING_DEFAULT_AD',
    active: true,
    archived: false,
    compatibility: 'DISPLAY',
    size: creative.size,
    startTime: `${String(campaign.startDate)}T00:00:00.000Z`,
    endTime: `${String(campaign.endDate)}T23:59:59.000Z`,
    creativeRotation: {
      type: 'CREATIVE_ROTATION_TYPE_RANDOM',
      weightCalculationStrategy: 'WEIGHT_STRATEGY_EQUAL',
      creativeAssignments: [
        {
          active: true,
          applyEventTags: true,
          creativeId: creative.id,
          weight: 1,
          clickThroughUrl: { defaultLandingPage: true },
          sslCompliant: true,
        },
      ],
    },
    placementAssignments: placements.map(assignment),
    sslCompliant: true,
    sslRequired: true,
    createInfo: time,
    lastModifiedInfo: time,
  }
}
