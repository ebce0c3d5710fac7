import type { Collection } from './collection'
import type { Facts } from './facts'

const collator = new Intl.Collator('en', { numeric: true })

/**
 * All campaign collections that can be listed. Common ones come first, in the order of their sheets, then the rest by
 * name.
 */
export function kindsOf({ all }: Pick<Facts, 'all'>): Collection[] {
  const place = ({ sheet, pull }: Collection): number => sheet.place ?? (pull?.when === 'log' ? 900 : 1_000)
  return all
    .filter((one) => one.references && one.list !== undefined && one.pull?.when !== 'root' && (one.pull ?? one.insert))
    .sort((a, b) => place(a) - place(b) || collator.compare(a.words.many, b.words.many))
}
