import type { Checked } from '#shared/checks/rule'
import { textAt } from '#shared/checks/checked-values'
import { assignedIn, pairKey, type Joins, type Pair, type Side } from './joins'

/** Scope of one new ad: a placement, a creative, or a size. */
export type Per = Side | 'size'

/** A pair to assign, with what determines which ads may join it. */
export interface Wish extends Pair {
  campaign: string
  /** Type of ad that shows the creative. */
  type: string
  /** Flight of new ads, as days. */
  flight: { startDate: string; endDate: string }
  size: string
}

export interface NewAd {
  campaign: string
  type: string
  size: string
  placements: string[]
  creatives: string[]
  flight: Wish['flight']
}

/** Assignments to add to an ad, or to remove from it. */
export interface AdChange {
  ad: Checked
  placements: string[]
  creatives: string[]
}

export interface Assignment {
  created: NewAd[]
  changed: AdChange[]
}

/** An ad while pairs are added to it. */
interface Target extends Omit<NewAd, 'placements' | 'creatives'> {
  ad?: Checked
  placements: Set<string>
  creatives: Set<string>
  added: { placements: string[]; creatives: string[] }
  /** True once pairs were added to it. */
  used: boolean
}

/** Pairs by placement. */
class Pairs {
  readonly #creatives = new Map<string, Set<string>>()

  constructor(pairs: readonly Pair[] = []) {
    for (const { placement, creative } of pairs) this.add(placement, creative)
  }
  has(placement: string, creative: string): boolean {
    return this.#creatives.get(placement)?.has(creative) ?? false
  }
  add(placement: string, creative: string): void {
    const known = this.#creatives.get(placement)
    if (known) known.add(creative)
    else this.#creatives.set(placement, new Set([creative]))
  }
}

function every(ids: ReadonlySet<string>, fits: (id: string) => boolean): boolean {
  for (const id of ids) if (!fits(id)) return false
  return true
}

/**
 * Plans which ads join pairs: one that already has the placement or the creative if that assigns no other pair, and
 * otherwise a new one.
 * @param ads of the campaigns that people may change
 * @param serves true if an ad runs during the flight of a wish
 */
export function planAssignment(
  wishes: readonly Wish[],
  ads: readonly Checked[],
  per: Per,
  serves: (ad: Checked, wish: Wish) => boolean,
): Assignment {
  const wanted = new Pairs(wishes)
  const done = new Pairs()
  const targets = [...ads].sort(bestFirst).map(targetOf)
  const byRecord: Readonly<Record<Side, Map<string, Target[]>>> = { placement: new Map(), creative: new Map() }
  const index = (side: Side, id: string, target: Target): void => {
    // New ads for placements get creatives only, and the reverse.
    if (!target.ad && per !== 'size' && side !== per) return
    const list = byRecord[side].get(id)
    if (list) list.push(target)
    else byRecord[side].set(id, [target])
  }
  for (const target of targets) {
    for (const id of target.placements) index('placement', id, target)
    for (const id of target.creatives) index('creative', id, target)
  }
  const fits = (target: Target, wish: Wish): boolean =>
    target.campaign === wish.campaign && target.type === wish.type && (!target.ad || serves(target.ad, wish))
  /** Adds a record to a target. The target then joins it with all records of the other side. */
  const join = (target: Target, side: Side, id: string): void => {
    const own = side === 'placement' ? 'placements' : 'creatives'
    if (target[own].has(id)) return
    target[own].add(id)
    target.added[own].push(id)
    index(side, id, target)
    if (side === 'placement') for (const creative of target.creatives) done.add(id, creative)
    else for (const placement of target.placements) done.add(placement, id)
  }

  for (const wish of wishes) {
    const { placement, creative } = wish
    if (done.has(placement, creative)) continue
    const ofPlacement = byRecord.placement
      .get(placement)
      ?.find(
        (one) =>
          (one.ad || per !== 'creative') && fits(one, wish) && every(one.placements, (id) => wanted.has(id, creative)),
      )
    const ofCreative = (): Target | undefined =>
      byRecord.creative
        .get(creative)
        ?.find(
          (one) =>
            (one.ad || per === 'creative' || one.size === wish.size) &&
            fits(one, wish) &&
            every(one.creatives, (id) => wanted.has(placement, id)),
        )
    let target = ofPlacement ?? ofCreative()
    if (!target) targets.push((target = newTarget(wish)))
    if (!target.used) {
      target.used = true
      for (const one of target.placements) for (const other of target.creatives) done.add(one, other)
    }
    join(target, 'placement', placement)
    join(target, 'creative', creative)
    if (!target.ad) target.flight = widest(target.flight, wish.flight)
  }
  return {
    created: targets
      .filter(({ ad }) => !ad)
      .map(({ campaign, type, size, flight, added }) => ({ campaign, type, size, flight, ...added })),
    changed: targets.flatMap(({ ad, added }) =>
      ad && added.placements.length + added.creatives.length > 0 ? [{ ad, ...added }] : [],
    ),
  }
}

const targetOf = (ad: Checked): Target => ({
  ad,
  campaign: textAt(ad.value, 'campaignId') ?? '',
  type: textAt(ad.value, 'type') ?? '',
  size: '',
  placements: new Set(assignedIn(ad.value, 'placement')),
  creatives: new Set(assignedIn(ad.value, 'creative')),
  flight: { startDate: '', endDate: '' },
  added: { placements: [], creatives: [] },
  used: false,
})

const newTarget = ({ campaign, type, size, flight }: Wish): Target => ({
  ...{ campaign, type, size, flight },
  placements: new Set(),
  creatives: new Set(),
  added: { placements: [], creatives: [] },
  used: false,
})

/** Active ads first, and those that run longest. */
const bestFirst = ({ value: a }: Checked, { value: b }: Checked): number =>
  Number(b['active'] === true) - Number(a['active'] === true) ||
  (textAt(b, 'endTime') ?? '').localeCompare(textAt(a, 'endTime') ?? '')

const widest = (one: Wish['flight'], other: Wish['flight']): Wish['flight'] => ({
  startDate: one.startDate < other.startDate ? one.startDate : other.startDate,
  endDate: one.endDate > other.endDate ? one.endDate : other.endDate,
})

/** Pairs that an ad can only lose with others. */
export interface Shared extends AdChange {
  /** Other pairs that end if the creatives are removed, and if the placements are. */
  ends: Record<Side, Pair[]>
}

export interface Removal {
  changed: AdChange[]
  /** Ads to ask about. */
  shared: Shared[]
}

/** Plans which assignments to remove so that no ad joins the pairs, without ending other pairs. */
export function planRemoval(pairs: readonly Pair[], joins: Joins): Removal {
  const wanted = new Set(pairs.map(pairKey))
  const touched = new Set(pairs.flatMap((pair) => joins.of(pair)))
  const plan: Removal = { changed: [], shared: [] }
  for (const ad of touched) {
    const [placements, creatives] = [assignedIn(ad.value, 'placement'), assignedIn(ad.value, 'creative')]
    const isWanted = (placement: string, creative: string): boolean => wanted.has(pairKey({ placement, creative }))
    const whole = {
      creatives: creatives.filter((creative) => placements.every((placement) => isWanted(placement, creative))),
      placements: placements.filter((placement) => creatives.every((creative) => isWanted(placement, creative))),
    }
    // Removing all creatives is enough.
    if (whole.creatives.length === creatives.length) whole.placements = []
    if (whole.creatives.length + whole.placements.length > 0) plan.changed.push({ ad, ...whole })
    const rest = pairs.filter(
      ({ placement, creative }) =>
        placements.includes(placement) &&
        creatives.includes(creative) &&
        !whole.placements.includes(placement) &&
        !whole.creatives.includes(creative),
    )
    if (rest.length === 0) continue
    const own = {
      placements: [...new Set(rest.map(({ placement }) => placement))],
      creatives: [...new Set(rest.map(({ creative }) => creative))],
    }
    // Another ad may keep a pair.
    const ended = (ps: readonly string[], cs: readonly string[]): Pair[] =>
      ps
        .flatMap((placement) => cs.map((creative): Pair => ({ placement, creative })))
        .filter((pair) => !isWanted(pair.placement, pair.creative) && joins.of(pair).length === 1)
    plan.shared.push({
      ...{ ad, ...own },
      ends: { creative: ended(placements, own.creatives), placement: ended(own.placements, creatives) },
    })
  }
  return plan
}
