import { recordKey, type CollectionName } from '#shared/domain/collections'
import { ask } from '../../../bridge'
import type { AppContext } from '../../../context/context'
import type { Replica } from '../../../replica/api'

/** Kinds of a mapping that trafficking has, too. */
const collections: Readonly<Record<string, 'campaigns' | 'advertisers'>> = {
  Campaign: 'campaigns',
  Advertiser: 'advertisers',
}

/**
 * The campaign record of an ID mapping row: by its previous ID, its new ID, or its unique name. Null if it isn't
 * downloaded. Undefined if Campaigns has no such kind.
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

/**
 * The downloaded ID mapping row, limited to its advertiser if given, with an ID of a search report. Undefined if not
 * found.
 * @throws FaultError
 */
export async function mappingRow(
  { bridge, account }: Pick<AppContext, 'bridge' | 'account'>,
  { collection, id, advertiserId }: { collection: CollectionName; id: string; advertiserId?: string },
): Promise<{ heads: string[]; cells: string[] } | undefined> {
  const type = Object.keys(collections).find((one) => collections[one] === collection)
  if (type === undefined) return undefined
  const accountId = account.id
  const { files } = await ask(bridge, 'search/files', { accountId })
  for (const file of files) {
    if (file.kind !== 'mapping' || (advertiserId !== undefined && file.advertiserId !== advertiserId)) continue
    const { table, columns } = await ask(bridge, 'search/open-file', { accountId, fileId: file.id })
    try {
      // The new ID first, because search reports use it.
      for (const head of ['New id', 'Previous id']) {
        const is = (column: string, text: string) => ({ column, condition: { how: 'is' as const, texts: [text] } })
        const shape = { filters: [is('Entity type', type), is(head, id)], group: [], sort: [] }
        const { view, rows } = await ask(bridge, 'results/shape', { table, shape })
        if (rows === 0) continue
        const [cells] = (await ask(bridge, 'results/page', { view, from: 0, count: 1 })).rows
        if (cells) return { heads: columns.map((column) => column.head), cells }
      }
    } finally {
      void ask(bridge, 'results/close', { table }).catch(() => undefined)
    }
  }
  return undefined
}
