import type { JsonObject } from '../json'
import { hasGoal, pacingOf, type DailyDelivery, type Deliveries, type Pacing } from './pacing'

/** A line of the list of who is behind. */
export interface PacingRow {
  kind: 'placement' | 'group'
  id: string
  name: string
  advertiserId: string
  campaignId: string
  siteId: string
  pacing: Pacing
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Deliveries of several placements as those of one. */
function together(all: readonly (readonly DailyDelivery[])[]): DailyDelivery[] {
  const days = new Map<number, Required<DailyDelivery>>()
  for (const { day, impressions = 0, viewable = 0, clicks = 0, conversions = 0 } of all.flat()) {
    const sum = days.get(day) ?? { day, impressions: 0, viewable: 0, clicks: 0, conversions: 0 }
    sum.impressions += impressions
    sum.viewable += viewable
    sum.clicks += clicks
    sum.conversions += conversions
    days.set(day, sum)
  }
  return [...days.values()]
}

/**
 * Placements and groups with how they stand, most money at risk first, then those that are further from their plan. A group
 * with a goal stands for its children, which are not listed too: nothing is counted twice. Of a roadblock the primary
 * placement is what delivers.
 */
export function pacingRows(
  placements: readonly JsonObject[],
  groups: readonly JsonObject[],
  { from, asOf }: Omit<Deliveries, 'days'>,
  daysOf: (placementId: string) => readonly DailyDelivery[],
): PacingRow[] {
  const withGoal = groups.filter((group) => hasGoal(group))
  const inGroup = new Set(withGoal.map(({ id }) => text(id)))
  const children = new Map<string, JsonObject[]>()
  for (const placement of placements) {
    const group = text(placement.placementGroupId)
    if (inGroup.has(group)) children.set(group, [...(children.get(group) ?? []), placement])
  }
  const row = (kind: PacingRow['kind'], record: JsonObject, days: readonly DailyDelivery[]): PacingRow => ({
    kind,
    id: text(record.id),
    name: text(record.name),
    advertiserId: text(record.advertiserId),
    campaignId: text(record.campaignId),
    siteId: text(record.siteId),
    pacing: pacingOf(record, { from, asOf, days }),
  })
  const ofGroups = withGoal.map((group) => {
    const own = children.get(text(group.id)) ?? []
    const primary = text(group.primaryPlacementId)
    const roadblock = group.placementGroupType === 'PLACEMENT_ROADBLOCK' && own.some(({ id }) => id === primary)
    const counted = roadblock ? own.filter(({ id }) => id === primary) : own
    return row('group', group, together(counted.map(({ id }) => daysOf(text(id)))))
  })
  const alone = placements.filter(({ placementGroupId }) => !inGroup.has(text(placementGroupId)))
  return [...ofGroups, ...alone.map((placement) => row('placement', placement, daysOf(text(placement.id))))].sort(
    (a, b) =>
      b.pacing.atRisk - a.pacing.atRisk ||
      Math.abs((b.pacing.pace ?? 1) - 1) - Math.abs((a.pacing.pace ?? 1) - 1) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}
