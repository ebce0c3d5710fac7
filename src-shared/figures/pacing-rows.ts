import type { JsonObject } from '../json'
import { activityOf, hasGoal, pacingOf, type DailyDelivery, type Deliveries, type Pacing } from './pacing'

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

/** Days of a placement, with the conversions of an activity where that is what is paid for. */
type DaysOf = (placementId: string, activityId?: string) => readonly DailyDelivery[]

/** Those of the children of a group that deliver what is booked for it: of a roadblock the primary placement alone. */
export function deliveringOf(group: JsonObject, children: readonly JsonObject[]): readonly JsonObject[] {
  const primary = children.filter(({ id }) => id === group.primaryPlacementId)
  return group.placementGroupType === 'PLACEMENT_ROADBLOCK' && primary.length > 0 ? primary : children
}

/** What was delivered of a group's goal. `children`: all of its placements. */
export const deliveredOf = (group: JsonObject, children: readonly JsonObject[], daysOf: DaysOf): DailyDelivery[] =>
  together(deliveringOf(group, children).map(({ id }) => daysOf(text(id), activityOf(group))))

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

/** Whether there is a goal to be met. */
export const hasPace = ({ pacing }: PacingRow): boolean => pacing.goal > 0
