import type { Collection } from './collection'
import type { Facts } from './facts'

const collator = new Intl.Collator('en', { numeric: true })

/** Every kind of record that belongs to campaigns and can be listed: what people choose from, then what that brings, then the rest. */
export function kindsOf({ all }: Pick<Facts, 'all'>): Collection[] {
  const place = ({ pull, keep }: Collection): number =>
    pull?.when === 'index' ? 0 : pull?.when === 'chosen' ? (keep === 'window' ? 1 : 2) : pull?.when === 'log' ? 4 : 3
  const order = ({ pull }: Collection): number => pull?.order ?? 0
  return all
    .filter((one) => one.references && one.list !== undefined && one.pull?.when !== 'root')
    .map((kind) => ({ kind, at: place(kind) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        (a.at === 0 ? order(a.kind) - order(b.kind) : collator.compare(a.kind.words.many, b.kind.words.many)),
    )
    .map(({ kind }) => kind)
}
