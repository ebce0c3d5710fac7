import { textAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import { sizesOf } from '#shared/checks/size'
import type { JsonObject } from '#shared/json'

/** Columns by the advertiser and the sizes of their creatives, which rule out most of them. */
export class FittingColumns {
  /** By advertiser, then by size. Empty if a creative has none. */
  readonly #columns = new Map<string, Map<string, number[]>>()
  readonly #numbers: ReadonlyMap<string, number>
  readonly #known = new Map<string, readonly number[]>()

  constructor(creatives: readonly Checked[]) {
    this.#numbers = new Map(creatives.map(({ id }, column) => [id, column]))
    for (const [column, { value }] of creatives.entries()) {
      const advertiser = textAt(value, 'advertiserId') ?? ''
      const bySize = this.#columns.get(advertiser) ?? new Map<string, number[]>()
      this.#columns.set(advertiser, bySize)
      const sizes = sizesOf(value)
      for (const size of sizes.length > 0 ? sizes : ['']) bySize.set(size, [...(bySize.get(size) ?? []), column])
    }
  }

  /** Numbers of the columns that may fit a placement, and of assigned creatives, in order. */
  of(placement: JsonObject, assigned: readonly string[]): readonly number[] {
    const [advertiser, sizes] = [textAt(placement, 'advertiserId') ?? '', sizesOf(placement)]
    const name = [advertiser, ...sizes].join(' ')
    let fitting = this.#known.get(name)
    if (!fitting) this.#known.set(name, (fitting = inOrder(this.#find(advertiser, sizes))))
    const others = assigned.flatMap((id) => this.#numbers.get(id) ?? [])
    return others.every((column) => fitting.includes(column)) ? fitting : inOrder([...fitting, ...others])
  }

  #find(advertiser: string, sizes: readonly string[]): number[] {
    const advertisers = advertiser === '' ? [...this.#columns.keys()] : [advertiser, '']
    return advertisers.flatMap((one) => {
      const bySize = this.#columns.get(one) ?? new Map<string, number[]>()
      return (sizes.length === 0 ? [...bySize.keys()] : [...sizes, '']).flatMap((size) => bySize.get(size) ?? [])
    })
  }
}

const inOrder = (columns: readonly number[]): number[] => [...new Set(columns)].sort((a, b) => a - b)
