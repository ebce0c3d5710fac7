import type { JsonObject } from '#shared/json'
import { linkId } from '../trafficking/associations'
import { sizeWith } from '../trafficking/nested'
import type { Stored } from '../trafficking/stored'
import type { Client, Stock } from './stock'
import { dayFrom, put } from './trafficking'
import * as words from './trafficking-words'

const sitesPerCampaign = 4
const sizesPerCampaign = 4

/** A campaign being created: shared values of its placements, creatives, and ads. */
interface Flight {
  stock: Stock
  client: Client
  campaign: Stored
  startDate: string
  endDate: string
  /** Fields that everything in the campaign has. */
  common: { advertiserId: string; campaignId: string }
  archived: boolean
  madeAt: number
}

interface Size extends JsonObject {
  id: string
  width: number
  height: number
  iab: boolean
}

/** A creative size, and whether it's displayed on a page or as video. */
interface Format {
  size: Size
  video: boolean
}

/** Creates one campaign with placements on its sites, creatives in two wordings per size, and ads that connect them. */
export function seedCampaign(stock: Stock, index: number, scale: number): Stored {
  const { home, chance, clients } = stock
  const client = clients[index % clients.length]!
  const round = Math.floor(index / clients.length)
  const theme = client.words.themes[round % client.words.themes.length]!
  const season = words.seasons[(index + round) % words.seasons.length]!
  const number = Math.floor(round / client.words.themes.length)
  const ahead = -300 + Math.floor(((index * 0.618_034) % 1) * 450) + chance.int(10)
  const startDate = dayFrom(home.today, index === 0 ? -20 : ahead)
  const endDate = dayFrom(startDate, index === 0 ? 90 : 28 + chance.int(80))
  const over = endDate < home.today
  const madeAt = Math.min(Date.parse(startDate) - 21 * 86_400_000, home.now - 3 * 86_400_000)
  const advertiserId = client.advertiser.id
  const archived = over && chance.yes(0.25)
  const campaign = put(
    home,
    'campaigns',
    {
      name: `${theme}, ${season}${number > 0 ? ` ${number + 1}` : ''}`,
      advertiserId,
      ...(client.advertiser.advertiserGroupId ? { advertiserGroupId: client.advertiser.advertiserGroupId } : {}),
      archived,
      billingInvoiceCode: `HP-${startDate.slice(2, 4)}${String(100 + index)}`,
      comment: `${client.words.name} ${theme.toLowerCase()}`,
      startDate,
      endDate,
      defaultLandingPageId: client.landingPages[0]!.id,
      creativeGroupIds: client.creativeGroups.map(({ id }) => id),
      nielsenOcrEnabled: false,
      traffickerEmails: ['alex.morgan@flightplan.example'],
      ...(index % 3 === 0 ? optimization(home, client) : {}),
    },
    madeAt,
  )
  const common = { advertiserId, campaignId: campaign.id }
  const flight: Flight = { stock, client, campaign, startDate, endDate, common, archived, madeAt }
  seedTags(flight, index)
  const formats = formatsOf(flight, index)
  const placements = seedPlacements(flight, formats, index, scale)
  const creatives = formats.map((format) => seedCreatives(flight, format))
  seedAds(flight, formats, placements, creatives)
  seedOtherCreatives(flight, creatives, index)
  return home.objects.get('campaigns', campaign.id) ?? campaign
}

function optimization(home: Stock['home'], client: Client): JsonObject {
  return {
    creativeOptimizationConfiguration: {
      id: home.objects.nextId('part:CreativeOptimizationConfiguration'),
      name: 'More sales',
      optimizationModel: 'POST_CLICK_AND_IMPRESSION',
      optimizationActivitys: [{ trackingActivityId: client.activities[0]!.id, weight: 1 }],
    },
    audienceSegmentGroups: [
      {
        id: home.objects.nextId('part:AudienceSegmentGroup'),
        name: 'Wording test',
        audienceSegments: ['A', 'B'].map((name) => ({
          id: home.objects.nextId('part:AudienceSegment'),
          name,
          allocation: 500,
        })),
      },
    ],
  }
}

function seedTags({ stock: { home }, campaign, common, madeAt }: Flight, index: number): void {
  if (index % 4 !== 0) return
  const tag = put(
    home,
    'eventTags',
    {
      ...common,
      name: 'Click counter',
      type: 'CLICK_THROUGH_EVENT_TAG',
      url: 'https://measure.example/click?u=%u',
      status: index % 8 === 0 ? 'ENABLED' : 'DISABLED',
      enabledByDefault: index % 8 === 0,
      excludeFromAdxRequests: false,
      sslCompliant: true,
    },
    madeAt,
  )
  home.objects.put('campaigns', { ...campaign, eventTagOverrides: [{ id: tag.id, enabled: true }] })
}

function formatsOf({ stock: { home, chance } }: Flight, index: number): Format[] {
  const sized = (width: number, height: number): Size => {
    const { id, iab } = sizeWith(home, width, height)
    return { id, width, height, iab: iab === true }
  }
  const display = chance.some(words.displaySizes, sizesPerCampaign - (index % 3 === 1 ? 1 : 0))
  const formats = display.map(([width, height]) => ({ size: sized(width, height), video: false }))
  return index % 3 === 1 ? [...formats, { size: sized(640, 360), video: true }] : formats
}

/** Placements by site, then by format. */
function seedPlacements(flight: Flight, formats: Format[], index: number, scale: number): Stored[][] {
  const { stock, common, startDate, endDate, archived, madeAt } = flight
  const { home, chance, strategies, categories } = stock
  const sites = chance.some(stock.sites, sitesPerCampaign)
  if (index === 0) sites[0] = stock.sites[0]!
  const distinct = [...new Set(sites)]
  return distinct.map((site, place) => {
    const at = { siteId: site.id, directorySiteId: site.directorySiteId }
    const grouped = place < 3
    const price = pricing(flight, 4 + chance.int(9), 200_000 + chance.int(40) * 10_000)
    const group = grouped
      ? put(
          home,
          'placementGroups',
          {
            ...common,
            ...at,
            name: `${String(site.name)}: package`,
            placementGroupType: place === 1 ? 'PLACEMENT_ROADBLOCK' : 'PLACEMENT_PACKAGE',
            pricingSchedule: price,
            placementStrategyId: strategies[(index + place) % strategies.length]!.id,
            contentCategoryId: categories[(index + place) % categories.length]!.id,
            archived,
            childPlacementIds: [],
          },
          madeAt,
        )
      : undefined
    const made = formats.map(({ size, video }, order) =>
      put(
        home,
        'placements',
        {
          ...common,
          ...at,
          name: `${String(site.name)} ${video ? 'pre-roll' : `${size.width}x${size.height}`}`,
          comment: '',
          keyName: `${String(site.keyName)}.${size.width}x${size.height}`,
          compatibility: video ? 'IN_STREAM_VIDEO' : 'DISPLAY',
          size,
          paymentSource: order === 3 && place === 3 ? 'PLACEMENT_PUBLISHER_PAID' : 'PLACEMENT_AGENCY_PAID',
          paymentApproved: true,
          pricingSchedule: group
            ? place === 1
              ? price
              : partOf(price, formats.length)
            : pricing(flight, 3 + chance.int(12), 100_000 + chance.int(60) * 5_000),
          placementStrategyId: strategies[(index + order) % strategies.length]!.id,
          contentCategoryId: categories[(index + place) % categories.length]!.id,
          ...(group ? { placementGroupId: group.id, primary: place === 1 && order === 0 } : {}),
          status: startDate > home.today ? 'PENDING_REVIEW' : 'PAYMENT_ACCEPTED',
          sslRequired: true,
          adBlockingOptOut: false,
          archived,
          lookbackConfiguration: { clickDuration: 30, postImpressionActivitiesDuration: 14 },
          tagFormats: video
            ? ['PLACEMENT_TAG_INSTREAM_VIDEO_PREFETCH', 'PLACEMENT_TAG_INSTREAM_VIDEO_PREFETCH_VAST_3']
            : ['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_IFRAME_JAVASCRIPT', 'PLACEMENT_TAG_JAVASCRIPT'],
          tagSetting: { includeClickThroughUrls: true, includeClickTracking: true, keywordOption: 'IGNORE' },
          externalId: `${String(scale)}-${index}-${place}-${order}`,
        },
        madeAt,
      ),
    )
    if (group)
      home.objects.put('placementGroups', {
        ...group,
        childPlacementIds: made.map(({ id }) => id),
        ...(place === 1 ? { primaryPlacementId: made[0]!.id } : {}),
      })
    return made
  })

  function pricing({ client }: Flight, rate: number, units: number): JsonObject {
    const types = [
      'PRICING_TYPE_CPM',
      'PRICING_TYPE_CPM',
      'PRICING_TYPE_CPC',
      'PRICING_TYPE_FLAT_RATE_IMPRESSIONS',
      'PRICING_TYPE_CPM_ACTIVEVIEW',
      'PRICING_TYPE_CPA',
    ] as const
    const type = chance.pick(types)
    const flat = type === 'PRICING_TYPE_FLAT_RATE_IMPRESSIONS'
    const perClick = type === 'PRICING_TYPE_CPC'
    const nanos = flat ? rate * 400 : perClick ? rate / 10 : type === 'PRICING_TYPE_CPA' ? rate * 2 : rate
    const amount = perClick ? Math.round(units / 400) : type === 'PRICING_TYPE_CPA' ? Math.round(units / 9_000) : units
    return {
      pricingType: type,
      capCostOption: flat ? 'CAP_COST_CUMULATIVE' : 'CAP_COST_NONE',
      flighted: false,
      startDate,
      endDate,
      testingStartDate: startDate,
      ...(type === 'PRICING_TYPE_CPA' ? { trackingActivityId: client.activities[0]!.id } : {}),
      pricingPeriods: [
        { startDate, endDate, rateOrCostNanos: String(Math.round(nanos * 1_000_000_000)), units: String(amount) },
      ],
    }
  }
}

/** The price of one of `count` placements that deliver a package together. */
function partOf(price: JsonObject, count: number): JsonObject {
  const flat = String(price.pricingType).includes('FLAT_RATE')
  const periods = (price.pricingPeriods as JsonObject[]).map((period) => ({
    ...period,
    units: String(Math.round(Number(period.units) / count)),
    ...(flat && { rateOrCostNanos: String(Math.round(Number(period.rateOrCostNanos) / count)) }),
  }))
  return { ...price, pricingPeriods: periods }
}

/** A creative for each wording, used in the campaign. */
function seedCreatives(flight: Flight, { size, video }: Format): Stored[] {
  const { stock, client, campaign, common, archived, madeAt } = flight
  const { home, chance } = stock
  return client.words.lines.map((line, wording) => {
    const type = video
      ? 'INSTREAM_VIDEO'
      : chance.pick(['DISPLAY', 'IMAGE', 'HTML5_BANNER', 'DISPLAY_REDIRECT'] as const)
    const name = `${String(campaign.name)} ${video ? 'video' : `${size.width}x${size.height}`}: ${line}`
    const creative = put(
      home,
      'creatives',
      {
        advertiserId: common.advertiserId,
        name,
        type,
        size,
        active: true,
        archived,
        compatibility: video ? ['IN_STREAM_VIDEO'] : ['DISPLAY', 'APP'],
        renderingId: home.objects.nextId('renderings'),
        sslCompliant: true,
        sslOverride: false,
        version: 1,
        creativeFieldAssignments: [
          { creativeFieldId: client.field.id, creativeFieldValueId: client.fieldValues[wording]!.id },
        ],
        ...(type === 'DISPLAY_REDIRECT'
          ? { redirectUrl: `https://creatives.${client.words.host}/${size.width}x${size.height}.html` }
          : { creativeAssets: [seedAsset(flight, type, size, wording)] }),
        ...(type === 'HTML5_BANNER' || type === 'DISPLAY'
          ? {
              authoringSource: 'CREATIVE_AUTHORING_SOURCE_DCM',
              ...(type === 'HTML5_BANNER'
                ? {
                    clickTags: [
                      {
                        name: 'clickTag',
                        eventName: 'exit',
                        clickThroughUrl: { landingPageId: client.landingPages[1]!.id },
                      },
                    ],
                  }
                : {}),
            }
          : {}),
        ...(video ? { mediaDescription: line, mediaDuration: 20, skippable: true } : {}),
      },
      madeAt,
    )
    associate(home, campaign, creative)
    return creative
  })
}

function associate({ accountId, objects }: Stock['home'], campaign: Stored, creative: Stored): void {
  const [campaignId, creativeId] = [campaign.id, creative.id]
  objects.put('campaignCreativeAssociations', { id: linkId(campaignId, creativeId), accountId, campaignId, creativeId })
}

/** Two creatives of rarer types; videos get a companion. */
function seedOtherCreatives(
  { stock: { home }, campaign, common, archived, madeAt, client }: Flight,
  creatives: Stored[][],
  index: number,
): void {
  const displayed = creatives.flat().find((creative) => creative.type !== 'INSTREAM_VIDEO')
  for (const creative of creatives.flat())
    if (creative.type === 'INSTREAM_VIDEO' && displayed)
      home.objects.put('creatives', { ...creative, companionCreatives: [displayed.id] })
  const types = ['TRACKING_TEXT', 'CUSTOM_DISPLAY', 'RICH_MEDIA_DISPLAY_BANNER', 'INSTREAM_AUDIO'] as const
  for (const type of [types[index % 4]!, types[(index + 1) % 4]!]) {
    const creative = put(
      home,
      'creatives',
      {
        advertiserId: common.advertiserId,
        name: `${String(campaign.name)}: ${type.toLowerCase().replaceAll('_', ' ')}`,
        type,
        active: type !== 'CUSTOM_DISPLAY',
        archived,
        compatibility: type === 'INSTREAM_AUDIO' ? ['IN_STREAM_AUDIO'] : ['DISPLAY', 'APP'],
        renderingId: home.objects.nextId('renderings'),
        sslCompliant: true,
        version: 1,
        ...(type === 'RICH_MEDIA_DISPLAY_BANNER' ? { studioCreativeId: home.objects.nextId('studioCreatives') } : {}),
        ...(type === 'TRACKING_TEXT' || type === 'INSTREAM_AUDIO'
          ? {}
          : { size: (({ id, width, height, iab }) => ({ id, width, height, iab }))(sizeWith(home, 300, 250)) }),
        ...(type === 'CUSTOM_DISPLAY' ? { htmlCode: `<a href="%c">${client.words.lines[0]}</a>` } : {}),
      },
      madeAt,
    )
    associate(home, campaign, creative)
  }
}

const assetTypes: Record<string, readonly [type: string, ending: string, mimeType: string]> = {
  DISPLAY: ['HTML_IMAGE', 'png', 'image/png'],
  IMAGE: ['IMAGE', 'png', 'image/png'],
  HTML5_BANNER: ['HTML', 'html', 'text/html'],
  INSTREAM_VIDEO: ['VIDEO', 'mp4', 'video/mp4'],
}

/** Creates an asset of the advertiser. Returns the creative's reference to it. */
function seedAsset(flight: Flight, creativeType: string, size: Size, wording: number): JsonObject {
  const { stock, campaign, common, madeAt } = flight
  const { home, chance } = stock
  const [type, ending, mimeType] = assetTypes[creativeType]!
  const assetIdentifier = { name: `${campaign.id}-${size.width}x${size.height}-${wording + 1}.${ending}`, type }
  const detectedFeatures = type === 'HTML' ? ['CSS_ANIMATIONS'] : []
  const fileSize = String((type === 'VIDEO' ? 4_000_000 : 30_000) + chance.int(60_000))
  const { id } = put(
    home,
    'creativeAssets',
    {
      advertiserId: common.advertiserId,
      name: assetIdentifier.name,
      assetIdentifier,
      richMedia: false,
      fileSize,
      mimeType,
      detectedFeatures,
      warnedValidationRules: [],
    },
    madeAt,
  )
  return {
    id,
    assetIdentifier,
    role: type === 'VIDEO' ? 'PARENT_VIDEO' : 'PRIMARY',
    active: true,
    size,
    fileSize,
    mimeType,
    sslCompliant: true,
    detectedFeatures,
  }
}

/** A standard ad for each placement with both wordings, and a default ad for each display size. */
function seedAds(flight: Flight, formats: Format[], placements: Stored[][], creatives: Stored[][]): void {
  const { stock, client, campaign, common, startDate, endDate, archived, madeAt } = flight
  const { home, chance } = stock
  const assigned = (list: Stored[]): JsonObject[] =>
    list.map(({ id }) => ({ placementId: id, active: true, sslRequired: true }))
  const rotation = (list: Stored[], page: JsonObject): JsonObject => ({
    type: 'CREATIVE_ROTATION_TYPE_RANDOM',
    weightCalculationStrategy: 'WEIGHT_STRATEGY_CUSTOM',
    creativeAssignments: list.map(({ id }, index) => ({
      active: true,
      applyEventTags: true,
      clickThroughUrl: page,
      creativeId: id,
      sslCompliant: true,
      weight: index === 0 ? 2 : 1,
    })),
  })
  const times = { startTime: `${startDate}T06:00:00.000Z`, endTime: `${endDate}T21:59:59.000Z` }
  const base = { ...common, ...times, archived, sslCompliant: true, sslRequired: true }
  const ended = endDate < home.today
  placements.forEach((ofSite, place) =>
    ofSite.forEach((placement, order) => {
      put(
        home,
        'ads',
        {
          ...base,
          name: `${String(placement.name)}, both wordings`,
          type: 'AD_SERVING_STANDARD_AD',
          active: !ended && !archived && chance.yes(0.9),
          creativeRotation: rotation(
            creatives[order]!,
            place === 0 ? { landingPageId: client.landingPages[1]!.id } : { defaultLandingPage: true },
          ),
          deliverySchedule: { impressionRatio: '1', priority: 'AD_PRIORITY_12', hardCutoff: true },
          placementAssignments: assigned([placement]),
          ...(place === 2 ? { remarketingListExpression: { expression: client.lists[0]!.id } } : {}),
          ...(place === 1 && order === 0 ? { geoTargeting: germany(home.objects) } : {}),
        },
        madeAt,
      )
    }),
  )
  formats.forEach(({ size, video }, order) => {
    if (video) return
    put(
      home,
      'ads',
      {
        ...base,
        name: `Default Web Ad ${size.width}x${size.height}`,
        type: 'AD_SERVING_DEFAULT_AD',
        active: !archived,
        compatibility: 'DISPLAY',
        size,
        creativeRotation: rotation(creatives[order]!.slice(0, 1), { defaultLandingPage: true }),
        placementAssignments: assigned(placements.map((ofSite) => ofSite[order]!)),
      },
      madeAt,
    )
  })
  put(
    home,
    'ads',
    {
      ...base,
      name: `${String(campaign.name)}: newsletter link`,
      type: 'AD_SERVING_CLICK_TRACKER',
      active: !ended && !archived,
      dynamicClickTracker: chance.yes(0.4),
      clickThroughUrl: { landingPageId: client.landingPages[2]!.id },
      placementAssignments: assigned(placements[0]!.slice(0, 1)),
    },
    madeAt,
  )
}

function germany(objects: Stock['home']['objects']): JsonObject {
  const { id: _id, ...country } = objects.list('countries').find((one) => one.countryCode === 'DE')!
  return { countries: [country], excludeCountries: false }
}
