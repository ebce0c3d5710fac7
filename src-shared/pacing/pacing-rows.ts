import type { JsonObject } from '../json'
import { activityOf, hasGoal, pacingOf, type DailyDelivery, type Deliveries, type Pacing } from './pacing'

/** Row of the pacing list. */
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

/** Sums the deliveries of several placements by day. */
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

/** Returns the days of a placement, with the conversions of the paid activity. */
type DaysOf = (placementId: string, activityId?: string) => readonly DailyDelivery[]

/** Children that deliver a group's booking. For a roadblock, only the primary placement. */
export function deliveringOf(group: JsonObject, children: readonly JsonObject[]): readonly JsonObject[] {
  const primary = children.filter(({ id }) => id === group.primaryPlacementId)
  return group.placementGroupType === 'PLACEMENT_ROADBLOCK' && primary.length > 0 ? primary : children
}

/** Deliveries towards a group's goal. `children`: all of its placements. */
export const deliveredOf = (group: JsonObject, children: readonly JsonObject[], daysOf: DaysOf): DailyDelivery[] =>
  together(deliveringOf(group, children).map(({ id }) => daysOf(text(id), activityOf(group))))

/** Runs all steps at once. */
export function pacingRows(...about: Parameters<typeof pacingSteps>): PacingRow[] {
  const steps = pacingSteps(...about)
  for (;;) {
    const next = steps.next()
    if (next.done) return next.value
  }
}

/**
 * Pacing of placements and groups, sorted by money at risk, then by distance from plan. A group with a goal replaces
 * its children, so that nothing counts twice. For a roadblock, only the primary placement delivers. Yields after each
 * row, so that the caller can pause.
 */
export function* pacingSteps(
  placements: readonly JsonObject[],
  groups: readonly JsonObject[],
  { from, asOf }: Omit<Deliveries, 'days'>,
  daysOf: DaysOf,
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
    rows.push(row('group', group, deliveredOf(group, own, daysOf)))
    yield
  }
  for (const placement of placements) {
    if (children.has(text(placement.placementGroupId))) continue
    rows.push(row('placement', placement, daysOf(text(placement.id), activityOf(placement))))
    yield
  }
  return rows.sort(
    (a, b) =>
      b.pacing.atRisk - a.pacing.atRisk ||
      Math.abs((b.pacing.pace ?? 1) - 1) - Math.abs((a.pacing.pace ?? 1) - 1) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}

/** True if the row has a goal. */
export const hasPace = ({ pacing }: PacingRow): boolean => pacing.goal > 0
