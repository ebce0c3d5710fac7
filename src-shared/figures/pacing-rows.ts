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

/** All at once. */
export function pacingRows(...about: Parameters<typeof pacingSteps>): PacingRow[] {
  const steps = pacingSteps(...about)
  for (;;) {
    const next = steps.next()
    if (next.done) return next.value
  }
}

/**
 * Placements and groups with how they stand, most money at risk first, then those that are further from their plan. A group
 * with a goal stands for its children, which are not listed too: nothing is counted twice. Of a roadblock the primary
 * placement is what delivers. After each of them others may have their turn.
 */
export function* pacingSteps(
  placements: readonly JsonObject[],
  groups: readonly JsonObject[],
  { from, asOf }: Omit<Deliveries, 'days'>,
  daysOf: (placementId: string) => readonly DailyDelivery[],
): Generator<void, PacingRow[], void> {
  const withGoal = groups.filter((group) => hasGoal(group))
  const children = new Map<string, JsonObject[]>(withGoal.map(({ id }) => [text(id), []]))
  for (const placement of placements) children.get(text(placement.placementGroupId))?.push(placement)
  const row = (kind: PacingRow['kind'], record: JsonObject, days: readonly DailyDelivery[]): PacingRow => ({
    kind,
    id: text(record.id),
    name: text(record.name),
    advertiserId: text(record.advertiserId),
    campaignId: text(record.campaignId),
    siteId: text(record.siteId),
    pacing: pacingOf(record, { from, asOf, days }),
  })
  const rows: PacingRow[] = []
  for (const group of withGoal) {
    const own = children.get(text(group.id)) ?? []
    const primary = text(group.primaryPlacementId)
    const roadblock = group.placementGroupType === 'PLACEMENT_ROADBLOCK' && own.some(({ id }) => id === primary)
    const counted = roadblock ? own.filter(({ id }) => id === primary) : own
    rows.push(row('group', group, together(counted.map(({ id }) => daysOf(text(id))))))
    yield
  }
  for (const placement of placements) {
    if (children.has(text(placement.placementGroupId))) continue
    rows.push(row('placement', placement, daysOf(text(placement.id))))
    yield
  }
  return rows.sort(
    (a, b) =>
      b.pacing.atRisk - a.pacing.atRisk ||
      Math.abs((b.pacing.pace ?? 1) - 1) - Math.abs((a.pacing.pace ?? 1) - 1) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}

/** Whether there is a goal to be met. */
export const hasPace = ({ pacing }: PacingRow): boolean => pacing.goal > 0
