import { aroundOf } from '#shared/checks/check'
import type { Checked } from '#shared/checks/rule'
import type { CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { valueAt } from '#shared/fields/path'
import { dayMs, dayOf } from '../../../ui/dates'
import { barOf, daysOf, type Bar } from './bars'

/** Kinds whose days others serve, with that kind. */
export const servedBy: Readonly<Partial<Record<CollectionName, CollectionName>>> = { placements: 'ads' }

/** Days on which active ads run, by the record that they serve. The service's own default ads don't count. */
export function servedDays(
  facts: Pick<Facts, 'of'>,
  ads: readonly Checked[],
  zone: string,
): (id: string) => readonly Bar[] {
  const around = aroundOf(ads, { today: '', facts: facts.of, isWhole: () => false, knowsAds: true })
  const known = new Map<string, readonly Bar[]>()
  const daysFor = (id: string): readonly Bar[] =>
    joined(
      around.adsOf(id).flatMap(({ collection, value }): Bar[] => {
        const { flight, notMade } = facts.of(collection)
        const isDefault = notMade?.values.includes(String(value[notMade.field])) ?? false
        const bar = flight && !isDefault ? barOf(flight, (path) => valueAt(value, path), zone) : undefined
        if (!bar || bar.end <= bar.start) return []
        const [first, last] = daysOf(bar)
        return [{ start: first, end: last + dayMs }]
      }),
    )
  return (id) => {
    let days = known.get(id)
    if (!days) known.set(id, (days = daysFor(id)))
    return days
  }
}

/** Stretches in order, each as long as possible. */
export function joined(bars: readonly Bar[]): Bar[] {
  const found: Bar[] = []
  for (const { start, end } of [...bars].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}

/** The parts of a bar that stretches of days cover. */
export const within = (bar: Bar, days: readonly Bar[]): Bar[] =>
  days.flatMap(({ start, end }) => {
    const [from, to] = [Math.max(start, bar.start), Math.min(end, bar.end)]
    return to > from ? [{ start: from, end: to }] : []
  })

/** Number of days in whole stretches. */
export const daysIn = (bars: readonly Bar[]): number =>
  bars.reduce((sum, { start, end }) => sum + Math.ceil((end - dayOf(start)) / dayMs), 0)
