import { isJsonObject, type JsonObject } from '#shared/json'
import { instantOf } from '../../instants'
import { fillIn, referred, type Draft, type Rules } from '../draft'
import { refusal } from '../refusals'
import { textAt, valuesAt } from '../shapes'
import { associate, isAssociated } from '../associations'

const assignedCreatives = (after: JsonObject): string[] => [
  ...new Set(valuesAt(after, ['creativeRotation', 'creativeAssignments', 'creativeId']).map(String)),
]

/** Changes every object in a list of an object. */
function eachPart(holder: JsonObject, name: string, change: (part: JsonObject) => JsonObject): void {
  const list = holder[name]
  if (Array.isArray(list)) holder[name] = list.map((part) => (isJsonObject(part) ? change(part) : part))
}

export const adRules: Rules = {
  fill(draft) {
    const { after, objects, verb } = draft
    if (verb === 'insert' && (after.type === 'AD_SERVING_DEFAULT_AD' || after.type === 'AD_SERVING_BRAND_SAFE_AD'))
      throw refusal('general', 'Default ads come with creatives and cannot be inserted', 'type')
    const requires = (id: unknown): boolean => objects.get('placements', String(id))?.sslRequired === true
    const complies = (id: unknown): boolean => objects.get('creatives', String(id))?.sslCompliant !== false
    after.sslRequired = valuesAt(after, ['placementAssignments', 'placementId']).some(requires)
    after.sslCompliant = assignedCreatives(after).every(complies)
    eachPart(after, 'placementAssignments', (part) => ({ ...part, sslRequired: requires(part.placementId) }))
    const { creativeRotation } = after
    if (isJsonObject(creativeRotation)) {
      after.creativeRotation = { ...creativeRotation }
      eachPart(after.creativeRotation, 'creativeAssignments', (part) => ({
        ...part,
        sslCompliant: complies(part.creativeId),
      }))
    }
    if (after.type === 'AD_SERVING_STANDARD_AD' || after.type === 'AD_SERVING_TRACKING')
      fillIn(draft, 'deliverySchedule', { impressionRatio: '1', priority: 'AD_PRIORITY_15' })
  },
  check(draft) {
    checkAdvertiser(draft)
    checkTimes(draft)
    checkCampaignParts(draft)
  },
  stored(draft, ad) {
    if (typeof ad.campaignId !== 'string') return
    for (const id of assignedCreatives(ad))
      if (!isAssociated(draft.objects, ad.campaignId, id)) associate(draft, ad.campaignId, id)
  },
}

/** @throws Problem 400 if the advertiser isn't the campaign's */
export function checkAdvertiser(draft: Draft): void {
  const campaign = referred(draft, 'campaignId', 'campaigns')
  if (campaign && draft.after.advertiserId !== campaign.advertiserId)
    throw refusal('foreign', 'advertiserId is not the advertiser of the campaign', 'advertiserId')
}

function checkTimes({ after, before, verb, call }: Draft): void {
  const [start, end] = [instantOf(String(after.startTime)), instantOf(String(after.endTime))]
  if (end <= start) throw refusal('dates', 'endTime must be after startTime', 'endTime')
  const { now } = call.service.store
  if (verb === 'insert' && start <= now) throw refusal('dates', 'startTime must be in the future', 'startTime')
  if (end <= now && after.endTime !== before?.endTime)
    throw refusal('dates', 'endTime must be in the future', 'endTime')
  valuesAt(after, ['creativeRotation', 'creativeAssignments']).forEach((assignment, index) => {
    const [from, to] = [textAt(assignment, 'startTime'), textAt(assignment, 'endTime')]
    const at = `creativeRotation.creativeAssignments[${index}].endTime`
    if (from && to && instantOf(to) <= instantOf(from)) throw refusal('dates', `${at} must be after its start`, at)
  })
}

/** Segments and optimization configurations are parts of the campaign. */
function checkCampaignParts(draft: Draft): void {
  const { after } = draft
  const campaign = referred(draft, 'campaignId', 'campaigns')
  const among = (field: string, id: unknown, path: string[][]): void => {
    if (id === undefined || id === null) return
    if (!path.some((one) => valuesAt(campaign, one).includes(id as string)))
      throw refusal('unknown', `${field}: the campaign has no such part: ${String(id)}`, field)
  }
  among('audienceSegmentId', after.audienceSegmentId, [['audienceSegmentGroups', 'audienceSegments', 'id']])
  const [configuration] = valuesAt(after, ['creativeRotation', 'creativeOptimizationConfigurationId'])
  among('creativeRotation.creativeOptimizationConfigurationId', configuration, [
    ['creativeOptimizationConfiguration', 'id'],
    ['additionalCreativeOptimizationConfigurations', 'id'],
  ])
}
