import type { Day } from './days'
import type { Sums } from './measures'
import type { Service } from '../operation'
import type { Activity, Place, Tree } from './tree'

/** A conversion that a client sent, with the place it is attributed to. */
export interface InsertedConversion {
  place: Place
  day: Day
  activity?: Activity
  /** Only the measures of conversions; below zero where a conversion was taken back. */
  sums: Sums
  /** From the user identifier: the same person belongs to the same place and audience. */
  seed: number
  /** Custom variables by type: `U1` and so on. */
  variables?: Readonly<Record<string, string>>
}

/** What clients inserted through either service. */
export function insertedConversions(_service: Service, _tree: Tree, _zone: string): InsertedConversion[] {
  return []
}
