import { isLocalId } from '#shared/domain/collections'
import type { CollectionName } from '#shared/facts/names'
import { referencesIn } from '#shared/facts/references'
import { valueAt } from '#shared/fields/path'
import { dateOfWall, instantOfWall, wallOfInstant } from '#shared/time/zones'
import { adRules } from './ad-rules'
import { derivedOnce, end, isArchived, isChanged, none, objectsAt, slots, start, textAt } from './checked-values'
import { creativeRules } from './creative-rules'
import { eventTagRules } from './event-tag-rules'
import { nameRules } from './name-rules'
import { placementRules } from './placement-rules'
import type { Around, Checked, Fix, Found, Rule } from './rule'
import { sharesSize, sizeOf, sizesOf } from './size'
import { clickUrls, urlProblems } from './urls'

/** The day of a moment in a zone. Empty if the text isn't a moment. */
const dayIn = (moment: string, zone: string, earlier = 0): string => {
  const at = Date.parse(moment) - earlier
  return Number.isFinite(at) ? dateOfWall(wallOfInstant(at, zone)) : ''
}
/** The last day on which an ad serves. One that ends at 0:00 doesn't serve on that day. */
const lastDayIn = (end: string, zone: string): string => dayIn(end, zone, 1)
/** The next day. Returns a text that isn’t a date unchanged. */
const nextDay = (day: string): string => {
  const next = Date.parse(day) + 86_400_000
  return Number.isFinite(next) ? new Date(next).toISOString().slice(0, 10) : day
}
/** Flights that end before they start. A campaign and an ad need more than a moment. */
const reversed = (kinds: readonly CollectionName[], from: string, to: string, oneDay: boolean): Rule => ({
  id: `reversed.${kinds[0]!}`,
  severity: 'error',
  kinds,
  title: 'Ends before it starts',
  find({ key, value }) {
    const [first, last] = [textAt(value, from), textAt(value, to)]
    if (first === undefined || last === undefined || (oneDay ? last >= first : last > first)) return none
    const swap: Fix = {
      words: 'Swap start and end',
      edits: [
        { key, path: from, value: last },
        { key, path: to, value: first },
      ],
    }
    return [{ path: to, words: 'Ends before it starts', ...(first !== last && { fixes: [swap] }) }]
  },
})

/** Numbers that distinguish changed records with the same name, by the keys of the records. */
const numbersOfTwins = derivedOnce((records) => {
  const byName = new Map<string, Checked[]>()
  for (const one of records) {
    const name = isArchived(one) ? undefined : textAt(one.value, 'name')
    if (name === undefined) continue
    const known = byName.get(name)
    if (known) known.push(one)
    else byName.set(name, [one])
  }
  const numbers = new Map<string, number>()
  for (const [name, same] of byName) {
    if (same.length < 2) continue
    let number = 2
    for (const one of same.filter((other) => isChanged(other, 'name'))) {
      while (byName.has(`${name} (${number})`)) number++
      numbers.set(one.key, number++)
    }
  }
  return numbers
})

/** A reference to a record that has gone, is archived, or belongs to someone else. */
function referenceProblems(record: Checked, around: Around): Found[] {
  if (record.base === record.value) return []
  const { table, schema } = around.facts(record.collection)
  const advertiser = textAt(record.value, 'advertiserId')
  const campaign = textAt(record.value, 'campaignId')
  return referencesIn(table, schema, record.value).flatMap(({ path: at, collection, id }): Found[] => {
    const path = at.replace(/\[(\d+)\]/g, '.$1')
    if (isLocalId(id) || !isChanged(record, path)) return []
    const target = around.find(collection, id)
    if (!target) return around.isWhole(collection) ? [{ path, words: 'The linked record doesn’t exist' }] : []
    const words = around.facts(target.collection).words.one
    if (isArchived(target) && !isArchived(record)) return [{ path, words: `The ${words} is archived` }]
    const other = (field: string, own: string | undefined): boolean => {
      const theirs = textAt(target.value, field)
      return own !== undefined && theirs !== undefined && theirs !== own
    }
    if (other('advertiserId', advertiser)) return [{ path, words: `The ${words} belongs to another advertiser` }]
    if (other('campaignId', campaign)) return [{ path, words: `The ${words} belongs to another campaign` }]
    return []
  })
}

const isLive = ({ value }: Checked, { today }: Around): boolean =>
  (textAt(value, end) ?? '') >= today && (textAt(value, start) ?? '9') <= nextDay(nextDay(nextDay(today)))

/** Days of a flight on which no ad runs, as the first of them. */
function uncovered(from: string, to: string, ads: readonly Checked[], zone: string): string | undefined {
  const spans = ads
    .map(
      ({ value }) =>
        [
          dayIn(textAt(value, 'startTime') ?? '', zone) || '9',
          lastDayIn(textAt(value, 'endTime') ?? '', zone),
        ] as const,
    )
    .sort(([a], [b]) => a.localeCompare(b))
  let day = from
  for (const [first, last] of spans) {
    if (first > day) return day
    if (last >= to) return undefined
    if (last >= day) day = nextDay(last)
  }
  return day > to ? undefined : day
}

/** Extends the ads that end last to the end of a flight, if that covers all its days. */
function extendedAds(from: string, to: string, ads: readonly Checked[], { zone }: Around): Fix[] | undefined {
  const endOf = ({ value }: Checked): string => textAt(value, 'endTime') ?? ''
  const latest = ads.reduce((last, ad) => (endOf(ad) > last ? endOf(ad) : last), '')
  if (lastDayIn(latest, zone) >= to) return undefined
  const value = new Date(instantOfWall(Date.parse(nextDay(to)) - 60_000, zone)).toISOString()
  const edits = ads.filter((ad) => endOf(ad) === latest).map(({ key }) => ({ key, path: 'endTime', value }))
  const longer = ads.map((ad) => (endOf(ad) === latest ? { ...ad, value: { ...ad.value, endTime: value } } : ad))
  return uncovered(from, to, longer, zone) === undefined ? [{ words: 'Extend its ads', edits }] : undefined
}

/** Rules of campaigns, placements, ads, and what they link to, as data. */
export const rules: readonly Rule[] = [
  reversed(['campaigns'], 'startDate', 'endDate', false),
  reversed(slots, start, end, true),
  reversed(['ads'], 'startTime', 'endTime', false),
  {
    id: 'end.passed',
    severity: 'error',
    kinds: ['campaigns'],
    title: 'The end date is in the past',
    find(record, { today }) {
      const last = textAt(record.value, 'endDate')
      if (last === undefined || last >= today || !isChanged(record, 'endDate')) return none
      const fix: Fix = { words: 'End today', edits: [{ key: record.key, path: 'endDate', value: today }] }
      return [{ path: 'endDate', words: 'The end date is in the past', fixes: [fix] }]
    },
  },
  {
    id: 'flight.outside',
    severity: 'error',
    kinds: slots,
    title: 'Outside the campaign',
    find(record, around) {
      const { key, value } = record
      const campaign = around.find('campaigns', textAt(value, 'campaignId') ?? '')
      const [first, last] = [textAt(value, start), textAt(value, end)]
      const [from, to] = [
        campaign && textAt(campaign.value, 'startDate'),
        campaign && textAt(campaign.value, 'endDate'),
      ]
      if (!first || !last || !from || !to || last < first) return none
      const fixes = (path: string, outer: string, own: string, limit: string): Fix[] => [
        // A campaign can’t get an end that has passed.
        ...(outer === 'startDate' || own >= around.today
          ? [{ words: 'Extend the campaign', edits: [{ key: campaign!.key, path: outer, value: own }] }]
          : []),
        // Shortening a flight that doesn't overlap the campaign would leave no days.
        ...(first <= to && last >= from ? [{ words: 'Shorten the flight', edits: [{ key, path, value: limit }] }] : []),
      ]
      return [
        ...(first < from && isChanged(record, start)
          ? [{ path: start, words: 'Starts before the campaign', fixes: fixes(start, 'startDate', first, from) }]
          : []),
        ...(last > to && isChanged(record, end)
          ? [{ path: end, words: 'Ends after the campaign', fixes: fixes(end, 'endDate', last, to) }]
          : []),
      ]
    },
  },
  {
    id: 'price.outside',
    severity: 'error',
    kinds: slots,
    title: 'Pricing period outside the flight',
    find({ key, value }) {
      const [first, last] = [textAt(value, start), textAt(value, end)]
      const periods = objectsAt(value, 'pricingSchedule.pricingPeriods')
      // A single price moves with its flight.
      if (!first || !last || periods.length < 2) return none
      return periods.flatMap((period, at): Found[] => {
        const [from, to] = [textAt(period, 'startDate') ?? first, textAt(period, 'endDate') ?? last]
        const path = `pricingSchedule.pricingPeriods.${at}`
        const edits = [
          ...(from < first ? [{ key, path: `${path}.startDate`, value: first }] : []),
          ...(to > last ? [{ key, path: `${path}.endDate`, value: last }] : []),
        ]
        return edits.length === 0
          ? []
          : [
              {
                path: 'pricingSchedule.pricingPeriods',
                words: 'A pricing period is outside the flight',
                // Trimming a period that doesn't overlap the flight would leave no days.
                ...(from <= last && to >= first && { fixes: [{ words: 'Trim the pricing period', edits }] }),
              },
            ]
      })
    },
  },
  {
    id: 'price.gap',
    severity: 'warning',
    money: true,
    kinds: slots,
    title: 'Days with no price or two prices',
    find({ value }) {
      const periods = objectsAt(value, 'pricingSchedule.pricingPeriods')
        .map((one) => [textAt(one, 'startDate'), textAt(one, 'endDate')] as const)
        .filter((one): one is readonly [string, string] => one.every((day) => day !== undefined))
        .sort(([a], [b]) => a.localeCompare(b))
      const path = 'pricingSchedule.pricingPeriods'
      return periods.slice(1).flatMap(([from], at): Found[] => {
        const expected = nextDay(periods[at]![1])
        if (from === expected) return []
        return [{ path, words: from < expected ? 'Some days have two prices' : 'Some days have no price' }]
      })
    },
  },
  {
    id: 'price.activity',
    severity: 'warning',
    kinds: slots,
    title: 'CPA pricing without an activity',
    find: ({ value }) =>
      String(valueAt(value, 'pricingSchedule.pricingType')).includes('CPA') &&
      !textAt(value, 'pricingSchedule.trackingActivityId')
        ? [{ path: 'pricingSchedule.pricingType', words: 'Choose the activity that counts the paid actions' }]
        : none,
  },
  {
    id: 'reference',
    severity: 'error',
    kinds: ['campaigns', 'placements', 'placementGroups', 'ads', 'eventTags', 'creatives', 'remarketingLists'],
    title: 'Linked records',
    find: referenceProblems,
  },
  {
    id: 'name.twice',
    severity: 'hint',
    kinds: ['placements', 'ads'],
    title: 'Duplicate names in a campaign',
    find(record, around) {
      const name = textAt(record.value, 'name')
      const campaign = textAt(record.value, 'campaignId')
      if (!name || !campaign || !isChanged(record, 'name')) return none
      const number = numbersOfTwins(around.inside(record.collection, 'campaignId', campaign)).get(record.key)
      if (number === undefined) return none
      const edits = [{ key: record.key, path: 'name', value: `${name} (${number})` }]
      return [
        {
          path: 'name',
          words: 'Another record in this campaign has this name',
          fixes: [{ words: 'Add a number', edits }],
        },
      ]
    },
  },
  {
    id: 'campaign.page',
    severity: 'warning',
    kinds: ['campaigns'],
    title: 'No landing page',
    find: ({ value }) =>
      textAt(value, 'defaultLandingPageId') ? none : [{ path: 'defaultLandingPageId', words: 'Clicks lead nowhere' }],
  },
  {
    id: 'placement.ads',
    severity: 'warning',
    kinds: ['placements'],
    title: 'No ads',
    find(record, around) {
      if (!around.knowsAds || !isLive(record, around)) return none
      const ads = around.adsOf(record.id)
      return ads.length === 0 ? [{ path: 'name', words: 'No active ad is assigned to this placement' }] : none
    },
  },
  {
    id: 'placement.covered',
    severity: 'warning',
    kinds: ['placements'],
    title: 'Days without an ad',
    find(record, around) {
      const [first, last] = [textAt(record.value, start), textAt(record.value, end)]
      if (!around.knowsAds || !first || !last || last < around.today) return none
      const ads = around.adsOf(record.id)
      if (ads.length === 0 || !(isChanged(record, end) || isChanged(record, start))) return none
      const from = first < around.today ? around.today : first
      if (uncovered(from, last, ads, around.zone) === undefined) return none
      const fixes = extendedAds(from, last, ads, around)
      return [{ path: end, words: 'Only default ads serve on some days of the flight', ...(fixes && { fixes }) }]
    },
  },
  {
    id: 'ad.placements',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Ads without placements',
    find: ({ value }) =>
      value['active'] === true &&
      value['type'] !== 'AD_SERVING_DEFAULT_AD' &&
      !objectsAt(value, 'placementAssignments').some(({ active }) => active === true)
        ? [{ path: 'placementAssignments', words: 'The ad is active, but isn’t assigned to any placement' }]
        : none,
  },
  {
    id: 'ad.creatives',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Ads without creatives',
    find: ({ value }) =>
      value['active'] === true &&
      value['type'] === 'AD_SERVING_STANDARD_AD' &&
      !objectsAt(value, 'creativeRotation.creativeAssignments').some(({ active }) => active === true)
        ? [{ path: 'creativeRotation.creativeAssignments', words: 'The ad is active, but has nothing to show' }]
        : none,
  },
  {
    id: 'ad.sizes',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Sizes without a creative',
    find({ value }, around) {
      if (value['active'] !== true || value['type'] !== 'AD_SERVING_STANDARD_AD') return none
      const assigned = objectsAt(value, 'creativeRotation.creativeAssignments').map(({ creativeId }) =>
        around.find('creatives', String(creativeId)),
      )
      // A creative that isn’t here, or that has no size of its own, may fit anywhere.
      if (assigned.length === 0 || assigned.some((one) => !one || sizesOf(one.value).length === 0)) return none
      const missing = objectsAt(value, 'placementAssignments')
        .filter(({ active }) => active === true)
        .flatMap(({ placementId }) => around.find('placements', String(placementId)) ?? [])
        .find((one) => !isArchived(one) && !assigned.some((creative) => sharesSize(one.value, creative!.value)))
      return missing === undefined
        ? none
        : [{ path: 'creativeRotation.creativeAssignments', words: `No creative has the size ${sizeOf(missing.value)}` }]
    },
  },
  {
    id: 'placement.archived',
    severity: 'warning',
    kinds: ['placements'],
    title: 'Archived, but still in ads',
    find: (record, around) =>
      isArchived(record) && isChanged(record, 'archived') && around.adsOf(record.id).length > 0
        ? [{ path: 'archived', words: 'Still assigned to active ads' }]
        : none,
  },
  {
    id: 'url.page',
    severity: 'warning',
    kinds: ['advertiserLandingPages', 'eventTags'],
    title: 'Addresses',
    find({ key, value }) {
      const text = textAt(value, 'url')
      return text === undefined ? none : urlProblems('url', text, key)
    },
  },
  {
    id: 'url.ad',
    severity: 'warning',
    kinds: ['ads'],
    title: 'Addresses',
    find: ({ key, value }) => clickUrls(value).flatMap(({ path, text }) => urlProblems(path, text, key)),
  },
  ...placementRules,
  ...adRules,
  ...creativeRules,
  ...eventTagRules,
  ...nameRules,
]
