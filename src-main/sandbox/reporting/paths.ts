import { conversionsIn } from './conversions'
import type { Span } from './days'
import type { Spot } from './dimensions'
import { draw, seedOf } from './hash'
import { measureIndex as at, newSums, type Sums } from './measures'
import type { Source } from './query'
import type { Cell } from './tree'

/** A conversion and the touches before it, in order. It's attributed to the last one. */
export interface ConversionPath {
  touches: Spot[]
  sums: Sums
}

const maxTouches = 5

/**
 * Every conversion of a configuration with its path. Earlier touches are drawn from the advertiser's delivery on that
 * day, at most `limit` in total.
 */
export function* conversionPaths(
  source: Source,
  configurationId: string,
  span: Span,
  limit = maxTouches,
): Generator<ConversionPath> {
  const { tree, inserted, moment } = source
  const cells = tree.cells.filter((cell) => String(cell.configuration?.id) === configurationId)
  const liveOn = new Map<number, Cell[]>()
  for (const conversion of conversionsIn(cells, span, moment)) {
    const { cell, day, activity, id, afterClick } = conversion
    let live = liveOn.get(day)
    if (!live) liveOn.set(day, (live = cells.filter((one) => one.from <= day && day <= one.to)))
    const seed = seedOf(id)
    const length = Math.min(limit, 1 + Math.floor(draw(seed, 0) ** 2 * maxTouches))
    const touches = Array.from({ length }, (_, index): Spot => {
      const last = index === length - 1
      const kind = last ? (afterClick ? 'Click' : 'Impression') : draw(seed, 10 + index) < 0.3 ? 'Click' : 'Impression'
      const hours = Math.floor((length - index - draw(seed, 30 + index)) * 20)
      return {
        place: last ? cell : live[Math.floor(draw(seed, 20 + index) * live.length)]!,
        day,
        activity,
        touch: { kind, number: index + 1, of: length, conversionId: id, hours },
      }
    })
    const sums = newSums()
    sums[afterClick ? at.clickConversions : at.viewConversions] = 1
    sums[at.quantity] = 1
    if (activity.sale) {
      sums[afterClick ? at.clickTransactions : at.viewTransactions] = 1
      sums[afterClick ? at.clickRevenueMicros : at.viewRevenueMicros] = conversion.revenueMicros
    }
    yield { touches, sums }
  }
  for (const { place, day, activity, sums, seed, variables } of inserted) {
    if (day < span.from || day > span.to || String(place.configuration?.id) !== configurationId) continue
    const touch = { kind: 'Click' as const, number: 1, of: 1, conversionId: `i${seed}`, hours: 0 }
    yield { touches: [{ place, day, activity, touch, variables }], sums }
  }
}
