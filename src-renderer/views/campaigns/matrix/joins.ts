import type { Collection } from '#shared/facts/collection'
import { objectsAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import type { JsonObject } from '#shared/json'
import { adLists, type Side } from '../ad-lists'

export type { Side }

/** A placement and a creative, by ID. */
export interface Pair {
  placement: string
  creative: string
}
export const pairKey = ({ placement, creative }: Pair): string => `${placement} ${creative}`

const assigned: Readonly<Record<Side, WeakMap<JsonObject, readonly string[]>>> = {
  placement: new WeakMap(),
  creative: new WeakMap(),
}
/** IDs of the records that an ad assigns on one side. */
export function assignedIn(ad: JsonObject, side: Side): readonly string[] {
  let ids = assigned[side].get(ad)
  if (!ids) {
    const { list, field } = adLists[side]
    ids = [...new Set(objectsAt(ad, list).map((entry) => String(entry[field])))]
    assigned[side].set(ad, ids)
  }
  return ids
}

/** The entry that assigns a record. Undefined if there is none. */
export const entryIn = (ad: JsonObject, side: Side, id: string): JsonObject | undefined =>
  objectsAt(ad, adLists[side].list).find((entry) => entry[adLists[side].field] === id)

/** True if people may change what an ad joins, as they can't for the service's own default ads. */
export const isOwn = ({ notMade }: Pick<Collection, 'notMade'>, { value }: Pick<Checked, 'value'>): boolean =>
  value['archived'] !== true && !(notMade?.values.includes(String(value[notMade.field])) ?? false)

/** Ads that join placements and creatives. */
export class Joins {
  readonly #byPlacement = new Map<string, Checked[]>()

  constructor(readonly ads: readonly Checked[]) {
    for (const ad of ads)
      for (const placement of assignedIn(ad.value, 'placement')) {
        const known = this.#byPlacement.get(placement)
        if (known) known.push(ad)
        else this.#byPlacement.set(placement, [ad])
      }
  }

  /** The ads that have a placement. */
  on(placement: string): readonly Checked[] {
    return this.#byPlacement.get(placement) ?? []
  }
  of({ placement, creative }: Pair): readonly Checked[] {
    return this.on(placement).filter(({ value }) => assignedIn(value, 'creative').includes(creative))
  }
}

/** Pairs that ads join on the server, without pending changes. */
export class PostedJoins {
  /** @param before the service's versions of ads with pending changes */
  constructor(
    private readonly now: Joins,
    private readonly before: Joins,
  ) {}

  of(pair: Pair): readonly Checked[] {
    const unchanged = this.now.of(pair).filter(({ value, base }) => value === base)
    return [...unchanged, ...this.before.of(pair)]
  }
}

/** True if a pair is assigned, or shown by an active ad, in one of two states only. */
export function differs(pair: Pair, one: Pick<Joins, 'of'>, other: Pick<Joins, 'of'>): boolean {
  const [these, those] = [one.of(pair), other.of(pair)]
  const isShown = (ads: readonly Checked[]): boolean => ads.some((ad) => isActive(ad, pair))
  return these.length > 0 !== those.length > 0 || isShown(these) !== isShown(those)
}

/** True if an ad runs and shows a pair. */
export const isActive = ({ value }: Checked, { placement, creative }: Pair): boolean =>
  value['active'] === true &&
  entryIn(value, 'placement', placement)?.['active'] === true &&
  entryIn(value, 'creative', creative)?.['active'] === true
