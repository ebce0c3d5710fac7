import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { sentenceCase } from '../../context/record-words'
import { byName } from '../../ui/by-name'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/** Every kind of record that belongs to campaigns and can be listed: what people choose from, then what that brings, then the rest. */
export function kindsOf({ all }: Facts): Collection[] {
  const place = ({ pull, keep }: Collection): number =>
    pull?.when === 'index' ? 0 : pull?.when === 'chosen' ? (keep === 'window' ? 1 : 2) : pull?.when === 'log' ? 4 : 3
  return all
    .filter((one) => one.references && one.list !== undefined && one.pull?.when !== 'root')
    .map((kind) => ({ kind, at: place(kind), name: titleOfKind(kind) }))
    .sort((a, b) => a.at - b.at || (a.at === 0 ? (a.kind.pull?.order ?? 0) - (b.kind.pull?.order ?? 0) : byName(a, b)))
    .map(({ kind }) => kind)
}
