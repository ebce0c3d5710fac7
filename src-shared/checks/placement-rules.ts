import { isJsonObject, sameJson, type Json } from '#shared/json'
import { derivedOnce, end, isArchived, isChanged, none, objectsAt, slots, start, textAt } from './checked-values'
import type { Around, Checked, Fix, Rule } from './rule'

const pricing = 'pricingSchedule.pricingPeriods'
const rateOf = (period: Checked['value'] | undefined): bigint => {
  const text = period && textAt(period, 'rateOrCostNanos')
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : 0n
}
const isPriced = ({ value }: Checked): boolean => objectsAt(value, pricing).some((period) => rateOf(period) > 0n)
/** Rates and units without their days, which move along with the flight. */
const pricesOf = (value: Checked['value'] | null): Json =>
  value && objectsAt(value, pricing).map(({ rateOrCostNanos, units }) => [rateOrCostNanos ?? null, units ?? null])
const hasNewPrice = ({ value, base }: Checked): boolean => value !== base && !sameJson(pricesOf(value), pricesOf(base))
const groupOf = ({ value }: Checked, around: Around): Checked | undefined =>
  around.find('placementGroups', textAt(value, 'placementGroupId') ?? '')
const areaOf = ({ value: { size } }: Checked): number =>
  isJsonObject(size) ? Number(size['width'] ?? 0) * Number(size['height'] ?? 0) : 0

/** Tags that only show video, by their names. */
const isVideo = (format: unknown): boolean => String(format).includes('INSTREAM_VIDEO')
/** A rate is unusual beyond so many times the median of at least so many others. */
const unusual = { times: 10n, others: 3 }
/** Rates of placements by pricing type, in ascending order. */
const ratesByType = derivedOnce((placements) => {
  const rates = new Map<string, bigint[]>()
  for (const { value } of placements) {
    const type = textAt(value, 'pricingSchedule.pricingType')
    const rate = rateOf(objectsAt(value, pricing)[0])
    if (type === undefined || rate === 0n) continue
    const known = rates.get(type)
    if (known) known.push(rate)
    else rates.set(type, [rate])
  }
  for (const list of rates.values()) list.sort((a, b) => (a < b ? -1 : Number(a > b)))
  return rates
})

/** Rules of placements and their groups. */
export const placementRules: readonly Rule[] = [
  {
    id: 'placement.past',
    severity: 'warning',
    kinds: slots,
    title: 'Starts in the past',
    find({ key, value, base }, { today }) {
      const [first, last] = [textAt(value, start), textAt(value, end)]
      if (base !== null || first === undefined || first >= today) return none
      const fix: Fix = { words: 'Start today', edits: [{ key, path: start, value: today }] }
      return [
        {
          path: start,
          words: 'The start date is in the past',
          ...(last !== undefined && last >= today && { fixes: [fix] }),
        },
      ]
    },
  },
  {
    id: 'price.unusual',
    severity: 'warning',
    money: true,
    kinds: ['placements'],
    title: 'Unusual rates',
    find(record, around) {
      const [type, site] = [textAt(record.value, 'pricingSchedule.pricingType'), textAt(record.value, 'siteId')]
      const rate = rateOf(objectsAt(record.value, pricing)[0])
      // A flat rate depends on what it's for.
      if (!type || !site || rate === 0n || type.includes('FLAT_RATE') || !hasNewPrice(record)) return none
      const rates = ratesByType(around.inside('placements', 'siteId', site)).get(type) ?? []
      // The median of the others, if this rate is above it.
      const median = rates[(rates.length - 1) >> 1]
      if (rates.length <= unusual.others || median === undefined || rate <= median * unusual.times) return none
      return [{ path: pricing, words: 'The rate is more than 10 times what’s usual for this site' }]
    },
  },
  {
    id: 'group.site',
    severity: 'warning',
    kinds: ['placements'],
    title: 'Site differs from the group',
    find(record, around) {
      const site = groupOf(record, around)?.value['siteId']
      if (typeof site !== 'string' || record.value['siteId'] === site) return none
      if (!isChanged(record, 'siteId') && !isChanged(record, 'placementGroupId')) return none
      const fix: Fix = { words: 'Use the group’s site', edits: [{ key: record.key, path: 'siteId', value: site }] }
      return [{ path: 'siteId', words: 'All placements in a group need the same site', fixes: [fix] }]
    },
  },
  {
    id: 'group.flight',
    severity: 'warning',
    kinds: ['placements'],
    title: 'Dates differ from the group',
    find(record, around) {
      const group = groupOf(record, around)
      const [first, last] = [group && textAt(group.value, start), group && textAt(group.value, end)]
      if (!first || !last || ![start, end, 'placementGroupId'].some((path) => isChanged(record, path))) return none
      const own = [textAt(record.value, start), textAt(record.value, end)]
      if (own[0] === first && own[1] === last) return none
      const edits = [
        { key: record.key, path: start, value: first },
        { key: record.key, path: end, value: last },
      ]
      return [
        {
          path: own[1] === last ? start : end,
          words: 'The dates differ from the group’s',
          fixes: [{ words: 'Use the group’s dates', edits }],
        },
      ]
    },
  },
  {
    id: 'group.price',
    severity: 'warning',
    money: true,
    kinds: ['placements'],
    title: 'Priced twice',
    find(record, around) {
      const group = groupOf(record, around)
      if (!group || !isPriced(group) || !isPriced(record)) return none
      if (!hasNewPrice(record) && !isChanged(record, 'placementGroupId')) return none
      const edits = objectsAt(record.value, pricing).flatMap((period, at) =>
        rateOf(period) > 0n ? [{ key: record.key, path: `${pricing}.${at}.rateOrCostNanos`, value: '0' }] : [],
      )
      return [
        {
          path: pricing,
          words: 'The group has a price, too, so this cost counts twice',
          fixes: [{ words: 'Set the rate to 0', edits }],
        },
      ]
    },
  },
  {
    id: 'group.primary',
    severity: 'warning',
    kinds: ['placementGroups'],
    title: 'Roadblocks without a primary placement',
    find(record, around) {
      const { key, id, value } = record
      if (value['placementGroupType'] !== 'PLACEMENT_ROADBLOCK' || textAt(value, 'primaryPlacementId')) return none
      const children = around.inside('placements', 'placementGroupId', id).filter((one) => !isArchived(one))
      const [largest] = [...children].sort((a, b) => areaOf(b) - areaOf(a))
      if (!largest) return none
      const fix: Fix = {
        words: 'Make the largest placement primary',
        edits: [{ key, path: 'primaryPlacementId', value: largest.id }],
      }
      return [{ path: 'primaryPlacementId', words: 'One placement of a roadblock must be primary', fixes: [fix] }]
    },
  },
  {
    id: 'placement.tags',
    severity: 'warning',
    kinds: ['placements'],
    title: 'Tag formats that don’t fit the placement',
    find(record) {
      const { value } = record
      const formats = Array.isArray(value['tagFormats']) ? value['tagFormats'] : []
      const compatibility = textAt(value, 'compatibility')
      if (!compatibility || formats.length === 0) return none
      if (!isChanged(record, 'tagFormats') && !isChanged(record, 'compatibility')) return none
      const video = compatibility.startsWith('IN_STREAM')
      return formats.some((one) => isVideo(one) === video)
        ? none
        : [
            {
              path: 'tagFormats',
              words: video
                ? 'None of the tag formats are for in-stream video'
                : 'All tag formats are for in-stream video',
            },
          ]
    },
  },
]
