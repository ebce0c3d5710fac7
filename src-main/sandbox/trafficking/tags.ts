import type { Json, JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { invalidParameter } from '../problems'
import { checkVisible } from './list'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf } from './profiles'
import { noSuch, refusal } from './refusals'
import { textAt, valuesAt } from './shapes'

const adServer = 'https://ad.flightplan.example'

/**
 * POST: tags of the requested placements (by default all of the campaign's), in the requested formats or the
 * placements' own.
 */
export function generatePlacementTags(call: Call): JsonObject {
  const { campaignId, placementIds, tagFormats } = call.params as {
    campaignId: string
    placementIds?: readonly string[]
    tagFormats?: readonly string[]
  }
  const objects = objectsOf(call.service.store)
  const profile = profileOf(call)
  const campaign = checkVisible(call, 'campaigns', campaignId, 'campaignId')
  const ofCampaign = objects
    .list('placements')
    .filter((placement) => placement.campaignId === campaignId && placement.accountId === profile.accountId)
  for (const id of placementIds ?? [])
    if (!ofCampaign.some((placement) => placement.id === id))
      throw refusal('unknown', `The campaign has no placement ${id}`, 'placementIds')
  const asked = placementIds
    ? ofCampaign.filter((placement) => placementIds.includes(placement.id))
    : ofCampaign.filter((placement) => placement.archived !== true)
  return {
    kind: 'trafficking#placementsGenerateTagsResponse',
    placementTags: asked.map((placement) => ({
      placementId: placement.id,
      tagDatas: (tagFormats ?? valuesAt(placement, ['tagFormats']).map(String)).map((format) =>
        tagOf(call, campaign, placement, format),
      ),
    })) as Json,
  }
}

function tagOf(call: Call, campaign: Stored, placement: Stored, format: string): JsonObject {
  const objects = objectsOf(call.service.store)
  const [width = 0, height = 0] = ['width', 'height'].map((name) => Number(valuesAt(placement, ['size', name])[0] ?? 0))
  const site = objects.get('sites', String(placement.siteId))
  const key = `N${String(placement.accountId)}.${String(site?.keyName ?? placement.siteId)}/B${campaign.id}.${placement.id}`
  const size = `sz=${width}x${height}`
  const address = (kind: string): string => `${adServer}/${kind}/${key};${size};ord=[timestamp]`
  const comment = `<!-- ${String(placement.name)}, ${String(campaign.name)}, ${width}x${height} -->\n`
  const image = `<a href="${address('jump')}"><img src="${address('ad')}" width="${width}" height="${height}" alt="Advertisement"></a>`
  const data: JsonObject = { format }
  const [ad] = objects
    .list('ads')
    .filter((one) => valuesAt(one, ['placementAssignments', 'placementId']).includes(placement.id))
  if (ad) {
    data.adId = ad.id
    const creative = valuesAt(ad, ['creativeRotation', 'creativeAssignments', 'creativeId'])[0]
    if (creative !== undefined) data.creativeId = creative
  }
  if (format === 'PLACEMENT_TAG_CLICK_COMMANDS') return { ...data, clickTag: address('clk') }
  if (/INSTREAM_VIDEO_PREFETCH/.test(format)) return { ...data, impressionTag: address('pfadx') }
  if (/TRACKING/.test(format))
    return {
      ...data,
      impressionTag: `${comment}<img src="${address('trackimp')}" width="1" height="1" alt="Advertisement">`,
      clickTag: address('trackclk'),
    }
  if (/INTERNAL_REDIRECT/.test(format)) return { ...data, impressionTag: address('adi'), clickTag: address('jump') }
  if (/IFRAME/.test(format))
    return {
      ...data,
      impressionTag: `${comment}<iframe src="${address('adi')}" width="${width}" height="${height}" frameborder="0">\n<script src="${address('adj')}"></script>\n<noscript>${image}</noscript>\n</iframe>`,
    }
  if (/JAVASCRIPT/.test(format))
    return {
      ...data,
      impressionTag: `${comment}<script src="${address('adj')}"></script>\n<noscript>${image}</noscript>`,
    }
  return { ...data, impressionTag: comment + image, clickTag: address('jump') }
}

/** POST: the tag that an advertiser puts on a page to count an activity. */
export function generateActivityTag(call: Call): JsonObject {
  const { trackingActivityId: id } = call.params as { trackingActivityId?: string }
  if (id === undefined) throw invalidParameter('An activity is needed.', 'trackingActivityId')
  profileOf(call)
  const objects = objectsOf(call.service.store)
  const activity = checkVisible(call, 'trackingActivities', id)
  const group = objects.get('trackingActivityGroups', String(activity.trackingActivityGroupId))
  if (!group) throw noSuch('activity group', String(activity.trackingActivityGroupId))
  const source = `src=${String(activity.trackingConfigurationId)};type=${String(group.tagString)};cat=${String(activity.tagString)}`
  const sale = group.type === 'SALE' ? ';qty=[quantity];cost=[revenue]' : ''
  const comment = `<!-- ${String(activity.name)}: ${textAt(activity, 'expectedUrl') ?? 'any page'} -->\n`
  const address = `${adServer}/activity;${source}${sale};ord=[random]`
  const snippet = `<script async src="${adServer}/tag.js?id=DC-${String(activity.trackingConfigurationId)}"></script>`
  const tag =
    activity.trackingTagType === 'IMAGE'
      ? `<img src="${address}" width="1" height="1" alt="">`
      : activity.trackingTagType === 'GLOBAL_SITE_TAG'
        ? `<script>\n  siteTag('event', 'conversion', { send_to: 'DC-${String(activity.trackingConfigurationId)}/${String(group.tagString)}/${String(activity.tagString)}' })\n</script>`
        : `<iframe src="${address}" width="1" height="1" style="display:none"></iframe>`
  return {
    kind: 'trafficking#trackingActivitiesGenerateTagResponse',
    trackingActivityTag: comment + tag,
    ...(activity.trackingTagType === 'GLOBAL_SITE_TAG' ? { globalSiteTagGlobalSnippet: snippet } : {}),
  }
}
