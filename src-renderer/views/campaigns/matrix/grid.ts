import type { Checked } from '#shared/checks/rule'
import { textAt } from '#shared/checks/checked-values'
import { adTypeFor, misfitOf, type Slot } from '#shared/checks/placement-fit'
import { sizeOf, sizesOf } from '#shared/checks/size'
import type { JsonObject } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import { cutTo, spanOf } from '../flights'
import { momentsOf } from '../starts'
import { byName } from '../../../ui/by-name'
import { dayMs } from '../../../ui/dates'
import { isActive, type Joins, type Pair } from './joins'
import type { Wish } from './plan'
import type { Collection } from '#shared/facts/collection'

export type CellState =
  | { kind: 'assigned'; ads: readonly Checked[]; active: boolean }
  | { kind: 'possible' }
  | { kind: 'impossible'; why: string }

/** Current time and time zone, which determine when new ads can run. */
export interface Time {
  now: number
  zone: string
}

/** Creatives of one size, next to each other. */
export interface SizeGroup {
  /** Empty for creatives without a size. */
  size: string
  creatives: readonly Checked[]
}

/** The flight of a placement within its campaign. Undefined if it has none, or no part of it. */
export function flightOf(
  facts: { placements: Collection; campaigns: Collection },
  placement: JsonObject,
  campaign: JsonObject | undefined,
): Wish['flight'] | undefined {
  const around = campaign && spanOf(facts.campaigns, campaign)
  const own = spanOf(facts.placements, placement)
  if (!own || (around && (own.end < around.start || own.start > around.end))) return undefined
  const { start, end } = (around && spanOf(facts.placements, cutTo(facts.placements, placement, around))) ?? own
  return { startDate: start, endDate: end }
}

/** True if a new ad can run in a flight. */
export function hasTime(flight: Wish['flight'] | undefined, { now, zone }: Time): boolean {
  if (!flight) return false
  const { startTime, endTime } = momentsOf(flight, now, zone)
  return Date.parse(startTime) < Date.parse(endTime)
}

/**
 * Returns a test whether an ad serves on all remaining days of a flight. Otherwise, default ads would serve on the others. Reads
 * each flight once, because many wishes share it.
 */
export function servingAt({ now, zone }: Time): (ad: Checked, wish: Pick<Wish, 'flight'>) => boolean {
  const dayAt = (moment: number): number => Math.floor(wallOfInstant(moment, zone) / dayMs)
  const known = new Map<string, readonly [first: number, last: number]>()
  const daysOf = (flight: Wish['flight']): readonly [number, number] => {
    const name = `${flight.startDate} ${flight.endDate}`
    let days = known.get(name)
    if (!days) {
      const { startTime, endTime } = momentsOf(flight, now, zone)
      known.set(name, (days = [dayAt(Date.parse(startTime)), dayAt(Date.parse(endTime))]))
    }
    return days
  }
  return ({ value }, { flight }) => {
    const [from, to] = [Date.parse(textAt(value, 'startTime') ?? ''), Date.parse(textAt(value, 'endTime') ?? '')]
    if (!(to > now) || Number.isNaN(from)) return false
    const [first, last] = daysOf(flight)
    return dayAt(from) <= first && dayAt(to - 1) >= last
  }
}

/** The state of a cell: assigned by ads, or whether one could. */
export function stateOf(slot: Slot, creative: Checked, pair: Pair, joins: Joins): CellState {
  const ads = joins.of(pair)
  if (ads.length > 0) return { kind: 'assigned', ads, active: ads.some((ad) => isActive(ad, pair)) }
  const why = misfitOf(slot, creative.value)
  return why === undefined ? { kind: 'possible' } : { kind: 'impossible', why }
}

/** A pair to assign. */
export const wishOf = (pair: Pair, placement: JsonObject, creative: JsonObject, flight: Wish['flight']): Wish => ({
  ...pair,
  campaign: textAt(placement, 'campaignId') ?? '',
  type: adTypeFor(creative) ?? '',
  size: sizeOf(placement) ?? '',
  flight,
})

const area = (size: string): number => size.split('x').reduce((product, side) => product * Number(side), 1)

/** Creatives by size: those of the placements first, larger ones first. Within a size, by advertiser and name. */
export function groupsOf(creatives: readonly Checked[], placements: Iterable<JsonObject>): SizeGroup[] {
  const used = new Set([...placements].flatMap(sizesOf))
  const groups = new Map<string, Checked[]>()
  for (const creative of creatives) {
    const size = sizeOf(creative.value) ?? ''
    const own = groups.get(size)
    if (own) own.push(creative)
    else groups.set(size, [creative])
  }
  const nameOf = ({ value, id }: Checked): { name: string } => ({ name: textAt(value, 'name') ?? id })
  const advertiserOf = ({ value }: Checked): { name: string } => ({ name: textAt(value, 'advertiserId') ?? '' })
  const fits = (size: string): boolean => size === '' || used.has(size)
  return [...groups]
    .map(([size, found]) => ({
      size,
      creatives: found.sort((a, b) => byName(advertiserOf(a), advertiserOf(b)) || byName(nameOf(a), nameOf(b))),
    }))
    .sort(
      (a, b) =>
        Number(fits(b.size)) - Number(fits(a.size)) ||
        Number(a.size === '') - Number(b.size === '') ||
        area(b.size) - area(a.size) ||
        a.size.localeCompare(b.size),
    )
}

/** A name with its middle left out if it's long, because names often differ only at their ends. */
export const shortened = (name: string, max: number): string =>
  name.length <= max
    ? name
    : `${name.slice(0, Math.floor(max * 0.4)).trimEnd()}…${name.slice(name.length - Math.ceil(max * 0.6) + 1).trimStart()}`

/** Number of characters that all names begin with, up to the last space or colon. 0 for a single name. */
export function sharedStart(names: readonly string[]): number {
  const [first = '', ...others] = names
  if (others.length === 0) return 0
  let same = 0
  while (same < first.length && others.every((name) => name[same] === first[same])) same++
  return Math.max(0, first.slice(0, same).search(/[\s:_/-][^\s:_/-]*$/) + 1)
}
