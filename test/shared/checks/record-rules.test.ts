import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { aroundOf, check, fixesFor } from '#shared/checks/check'
import type { Checked, Finding } from '#shared/checks/rule'
import { factsOf } from '#shared/facts/facts'
import { withValueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'

const facts = factsOf()
const today = '2026-06-10'
const owner = { advertiserId: '1', campaignId: '1000' }

const record = (
  collection: CollectionName,
  id: string,
  value: JsonObject,
  base: JsonObject | null = value,
): Checked => ({
  ...{ key: recordKey(collection, '7', id), collection, id, value, base },
})
const edited = ({ value, ...one }: Checked, path: string, next: Json): Checked => ({
  ...one,
  value: withValueAt(value, path, next) as JsonObject,
})
function findingsIn(records: readonly Checked[], rule: string): Finding[] {
  const around = aroundOf(records, { today, facts: (name) => facts.of(name), isWhole: () => false, knowsAds: false })
  return [...check(records, around)].flat().filter((one) => one.rule.id === rule)
}
/** The records after the first fix of what a rule found. */
function fixed(records: readonly Checked[], rule: string): Checked[] {
  const [fix] = fixesFor(findingsIn(records, rule))
  return records.map((one) =>
    (fix?.edits ?? [])
      .filter(({ key }) => key === one.key)
      .reduce((made, { path, value }) => edited(made, path, value), one),
  )
}

const flight = (startDate: string, endDate: string, rateOrCostNanos = '5000000000'): JsonObject => ({
  ...{ startDate, endDate, pricingType: 'PRICING_TYPE_CPM' },
  pricingPeriods: [{ startDate, endDate, units: '1000', rateOrCostNanos }],
})
const placement = (id: string, more: JsonObject = {}): Checked =>
  record('placements', id, {
    ...{ ...owner, name: `Placement ${id}`, siteId: '5', size: { width: 300, height: 250 } },
    ...{ compatibility: 'DISPLAY', tagFormats: ['PLACEMENT_TAG_STANDARD'] },
    pricingSchedule: flight('2026-06-01', '2026-06-30'),
    ...more,
  })
const group = (more: JsonObject = {}): Checked =>
  record('placementGroups', '70', {
    ...{ ...owner, name: 'Group', siteId: '5', placementGroupType: 'PLACEMENT_PACKAGE' },
    pricingSchedule: flight('2026-06-01', '2026-06-30', '0'),
    ...more,
  })
const inGroup = { placementGroupId: '70' }
const ad = (assignments: readonly JsonObject[], more: JsonObject = {}): Checked =>
  record('ads', '80', {
    ...{ ...owner, name: 'Ad', type: 'AD_SERVING_STANDARD_AD', active: true },
    ...{ startTime: '2026-06-01T00:00:00Z', endTime: '2026-06-30T23:59:00Z' },
    creativeRotation: { type: 'CREATIVE_ROTATION_TYPE_RANDOM', creativeAssignments: [...assignments] },
    ...more,
  })
const shows = (creativeId: string, more: JsonObject = {}): JsonObject => ({ creativeId, active: true, ...more })
const clicksTo = (url: string): JsonObject => ({ clickThroughUrl: { customClickThroughUrl: url } })
const tag = (id: string, more: JsonObject = {}): Checked =>
  record('eventTags', id, { ...owner, name: `Tag ${id}`, status: 'ENABLED', url: `https://example.com/${id}`, ...more })
const created = (one: Checked): Checked => ({ ...one, base: null })
const others = ['11', '12', '13'].map((id) => placement(id))
const inTurn = (assignments: readonly JsonObject[]): JsonObject => ({
  creativeRotation: { type: 'CREATIVE_ROTATION_TYPE_SEQUENTIAL', creativeAssignments: [...assignments] },
})

/** What is wrong, by the rule that finds it, and whether its first fix mends it. */
const faulty: readonly [rule: string, records: readonly Checked[], fixes: boolean][] = [
  ['placement.past', [created(placement('10'))], true],
  ['placement.past', [created(placement('10', { pricingSchedule: flight('2026-05-01', '2026-05-31') }))], false],
  [
    'price.unusual',
    [...others, edited(placement('10'), 'pricingSchedule.pricingPeriods.0.rateOrCostNanos', '50000000001')],
    false,
  ],
  ['group.site', [group(), edited(placement('10', { siteId: '6' }), 'placementGroupId', '70')], true],
  ['group.flight', [group(), edited(placement('10', inGroup), 'pricingSchedule.endDate', '2026-06-20')], true],
  [
    'group.price',
    [group({ pricingSchedule: flight('2026-06-01', '2026-06-30') }), edited(placement('10'), 'placementGroupId', '70')],
    true,
  ],
  ['group.primary', [group({ placementGroupType: 'PLACEMENT_ROADBLOCK' }), placement('10', inGroup)], true],
  ['placement.tags', [edited(placement('10'), 'compatibility', 'IN_STREAM_VIDEO')], false],
  ['placement.tags', [edited(placement('10'), 'tagFormats', ['PLACEMENT_TAG_INSTREAM_VIDEO_PREFETCH'])], false],
  ['ad.default', [created(ad([], { type: 'AD_SERVING_DEFAULT_AD' }))], false],
  [
    'ad.creative.reversed',
    [ad([shows('8', { startTime: '2026-06-20T00:00:00Z', endTime: '2026-06-19T00:00:00Z' })])],
    false,
  ],
  [
    'ad.creative.ended',
    [ad([shows('8', { endTime: '2026-06-20T00:00:00Z' }), shows('9', { endTime: '2026-06-22T00:00:00Z' })])],
    true,
  ],
  ['ad.sequence', [ad([], inTurn([shows('8', { sequence: 2 }), shows('9'), shows('7', { sequence: 2 })]))], true],
  ['creative.needs', [created(record('creatives', '8', { name: 'Banner', type: 'DISPLAY_REDIRECT' }))], false],
  ['creative.needs', [created(record('creatives', '8', { name: 'Banner', type: 'CUSTOM_DISPLAY' }))], false],
  [
    'creative.needs',
    [created(record('creatives', '8', { name: 'Banner', type: 'DISPLAY', dynamicAssetSelection: true }))],
    false,
  ],
  [
    'creative.archived',
    [edited(record('creatives', '8', { name: 'Banner' }), 'archived', true), ad([shows('8')])],
    false,
  ],
  ['url.creative', [edited(record('creatives', '8', { name: 'Banner' }), 'redirectUrl', 'http://example.com')], true],
  ['url.ad', [ad([shows('9'), shows('8', clicksTo('http://example.com'))])], true],
  ['url.ad', [ad([shows('8', { richMediaExitOverrides: [clicksTo('https://example.com/a b')] })])], true],
  [
    'url.creative',
    [edited(record('creatives', '8', { name: 'Banner' }), 'clickTags', [clicksTo('www.example.com')])],
    false,
  ],
  [
    'reference',
    [
      record('trackingActivities', '30', { advertiserId: '2', name: 'Sale' }),
      created(
        record('remarketingLists', '31', { advertiserId: '1', listPopulationRule: { trackingActivityId: '30' } }),
      ),
    ],
    false,
  ],
  ['tag.sites', [tag('20', { siteFilterType: 'WHITELIST' })], false],
  ['tag.sites', [tag('20', { siteIds: ['5'] })], false],
  ['tag.twice', [tag('20'), edited(tag('21'), 'url', 'https://example.com/20')], true],
  ['name.characters', [edited(placement('10'), 'name', ' Summer\u00a0“sale”\u200b ')], true],
]

describe('a rule', () => {
  it.each(faulty)('%s finds what is wrong, and its fix leaves nothing to find', (rule, records, fixes) => {
    const found = findingsIn(records, rule)
    expect(found).toHaveLength(1)
    expect(fixesFor(found).length > 0).toBe(fixes)
    if (fixes) expect(findingsIn(fixed(records, rule), rule)).toEqual([])
  })

  const sound: typeof faulty = [
    ['placement.past', [placement('10')], false],
    ['placement.past', [created(placement('10', { pricingSchedule: flight(today, '2026-06-30') }))], false],
    [
      'price.unusual',
      [...others.slice(1), edited(placement('10'), 'pricingSchedule.pricingPeriods.0.units', '9')],
      false,
    ],
    ['group.site', [group(), edited(placement('10'), 'placementGroupId', '70')], false],
    ['group.flight', [group(), edited(placement('10', inGroup), 'name', 'Other')], false],
    ['group.price', [group(), edited(placement('10'), 'placementGroupId', '70')], false],
    [
      'group.price',
      [
        group({ pricingSchedule: flight('2026-06-01', '2026-06-30') }),
        edited(placement('10', inGroup), 'pricingSchedule.pricingPeriods.0.endDate', '2026-06-29'),
      ],
      false,
    ],
    ['group.primary', [group({ placementGroupType: 'PLACEMENT_ROADBLOCK' })], false],
    ['placement.tags', [edited(placement('10'), 'compatibility', 'APP')], false],
    ['ad.default', [ad([], { type: 'AD_SERVING_DEFAULT_AD' })], false],
    ['ad.creative.reversed', [ad([shows('8', { endTime: '2026-06-19T00:00:00Z' })])], false],
    ['ad.creative.ended', [ad([shows('8', { endTime: '2026-06-20T00:00:00Z' }), shows('9')])], false],
    ['ad.sequence', [ad([], inTurn([shows('8', { sequence: 1 }), shows('9', { sequence: 2 })]))], false],
    ['creative.needs', [record('creatives', '8', { name: 'Banner', type: 'DISPLAY_REDIRECT' })], false],
    ['creative.archived', [edited(record('creatives', '8', { name: 'Banner' }), 'archived', true)], false],
    ['url.ad', [ad([shows('8', clicksTo('https://example.com'))])], false],
    [
      'url.creative',
      [record('creatives', '8', { name: 'Banner', clickTags: [clicksTo('http://example.com')] })],
      false,
    ],
    ['tag.sites', [tag('20', { siteFilterType: 'WHITELIST', siteIds: ['5'] })], false],
    ['tag.twice', [tag('20', { status: 'DISABLED' }), edited(tag('21'), 'url', 'https://example.com/20')], false],
    ['name.characters', [edited(placement('10'), 'name', 'Summer sale')], false],
  ]
  it.each(sound)('%s says nothing where nothing is wrong', (rule, records) => {
    expect(findingsIn(records, rule)).toEqual([])
  })

  it('keeps the order of creatives that have a number', () => {
    const rotation = inTurn([shows('8', { sequence: 3 }), shows('9'), shows('7', { sequence: 1 })])
    const [fix] = fixesFor(findingsIn([ad([], rotation)], 'ad.sequence'))
    expect(fix!.edits.map(({ value }) => value)).toEqual([1, 2, 3])
    expect(fix!.edits.map(({ path }) => path.split('.').at(-2))).toEqual(['2', '0', '1'])
  })
})
