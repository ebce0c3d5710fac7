import type { Day } from './days'
import { measureIndex as at, newSums, type Sums } from './measures'
import type { Activity, Place } from './tree'

/** A conversion that a client sent, with the place it is attributed to. */
export interface InsertedConversion {
  place: Place
  /** Position of the placement in the campaign, if any. */
  position?: number
  day: Day
  activity?: Activity
  /** Only conversion metrics. Negative if a conversion was retracted. */
  sums: Sums
  /** Derived from the user ID, so that the same person always has the same place and audience. */
  seed: number
  /** Custom variables by type: `U1` and so on. */
  variables?: Readonly<Record<string, string>>
  /** Indexes of ad group, keyword, and ad in the campaign, for a conversion from the search service. */
  search?: { adGroup?: number; keyword?: number; ad?: number }
}

/** One conversion after a click. A quantity below 1 doesn't count. */
export function conversionSums(quantity: number, revenueMicros: number, sale: boolean, sign = 1): Sums {
  const sums = newSums()
  if (quantity <= 0) return sums
  sums[at.clickConversions] = sign
  sums[at.quantity] = sign * quantity
  sums[at.clickRevenueMicros] = sign * revenueMicros
  if (sale) sums[at.clickTransactions] = sign
  return sums
}
