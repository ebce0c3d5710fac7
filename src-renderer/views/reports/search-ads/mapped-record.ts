import { recordKey } from '#shared/domain/collections'
import type { Replica } from '../../../replica/api'

/** Kinds of a mapping that trafficking has, too. */
const collections: Readonly<Record<string, 'campaigns' | 'advertisers'>> = {
  Campaign: 'campaigns',
  Advertiser: 'advertisers',
}

/**
 * The campaign record that a row of an id mapping is about: by its previous id, else its new one, else by its name where one
 * alone is called so. Null where it is not on this computer; undefined where trafficking has nothing of the kind.
 */
export function mappedRecord(
  replica: Pick<Replica, 'peek' | 'rows'>,
  heads: readonly string[],
  cells: readonly string[],
): { key: string; collection: 'campaigns' | 'advertisers'; profile: string } | null | undefined {
  const cell = (head: string): string => cells[heads.indexOf(head)] ?? ''
  const collection = collections[cell('Entity type')]
  if (!collection) return undefined
  for (const id of [cell('Previous id'), cell('New id')])
    for (const { id: profile } of replica.rows('userProfiles')) {
      const row = id === '' ? undefined : replica.peek(recordKey(collection, profile, id))
      if (row) return { key: row.key, collection, profile }
    }
  const named = replica.rows(collection).filter((row) => row.value?.['name'] === cell('Name'))
  const [only] = named
  return only && named.length === 1 ? { key: only.key, collection, profile: only.parent ?? '' } : null
}
