import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { sentenceCase } from '../../context/record-words'
import { byName } from '../../ui/by-name'

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/**
 * Every kind of record that belongs to campaigns and can be listed: those that people live in first, in the order of their
 * sheets, then the rest by name.
 */
export function kindsOf({ all }: Facts): Collection[] {
  const place = ({ sheet, pull }: Collection): number => sheet.place ?? (pull?.when === 'log' ? 900 : 1_000)
  return all
    .filter((one) => one.references && one.list !== undefined && one.pull?.when !== 'root' && (one.pull ?? one.insert))
    .map((kind) => ({ kind, at: place(kind), name: titleOfKind(kind) }))
    .sort((a, b) => a.at - b.at || byName(a, b))
    .map(({ kind }) => kind)
}

/** Under which head a kind stands in a list of all of them. */
export const groupOfKind = ({ sheet, pull }: Collection): string =>
  sheet.place !== undefined ? 'Campaigns' : pull?.when === 'log' ? 'History' : 'Lists and the rest'
