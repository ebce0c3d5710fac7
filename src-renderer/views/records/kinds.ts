import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { sentenceCase } from '../../context/record-words'
import { byName } from '../../ui/by-name'

export interface KindGroup {
  title: string
  kinds: readonly Collection[]
}

export const titleOfKind = ({ words }: Pick<Collection, 'words'>): string => sentenceCase(words.many)

/** Kinds of records that have no view of their own, by what they are for. */
export function kindGroups({ all }: Facts): KindGroup[] {
  const own = all.filter((one) => one.references && one.list !== undefined)
  const named = (kinds: readonly Collection[]): Collection[] =>
    kinds
      .map((kind) => ({ kind, name: titleOfKind(kind) }))
      .sort(byName)
      .map(({ kind }) => kind)
  const when = (...wanted: readonly string[]): Collection[] =>
    own.filter(({ pull }) => wanted.includes(pull?.when ?? ''))
  const groups = [
    { title: 'Campaigns', kinds: [...when('index'), ...named(when('chosen'))] },
    { title: 'History', kinds: when('log') },
    { title: 'Used by campaigns', kinds: named(when('root', 'reference', 'perParent', 'perRecord')) },
  ]
  return groups.filter(({ kinds }) => kinds.length > 0)
}
