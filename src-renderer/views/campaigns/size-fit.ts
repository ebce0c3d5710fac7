import { sizesOf } from '#shared/checks/size'
import { recordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { Replica } from '../../replica/api'
import { adLists } from './ad-lists'

/** Lists whose records are to have each other's sizes. */
const joined = Object.values(adLists)

/**
 * Sizes, such as `300x250`, of what a reference is to fit: of an ad's placements for its creatives, and the other way round.
 * Undefined if anything fits.
 * @param path of the reference, such as `placementAssignments.0.placementId`
 */
export async function sizesFor(
  replica: Pick<Replica, 'readAll'>,
  path: string,
  record: JsonObject,
  parent: string | null,
): Promise<ReadonlySet<string> | undefined> {
  const own = joined.find(({ list, field }) => path.startsWith(`${list}.`) && path.endsWith(`.${field}`))
  const other = own && joined.find((one) => one !== own)
  const entries = other && valueAt(record, other.list)
  if (!Array.isArray(entries) || entries.length === 0) return undefined
  const keys = entries.flatMap((entry) => {
    const id = isJsonObject(entry) ? entry[other!.field] : undefined
    return typeof id === 'string' ? [recordKey(other!.collection, parent, id)] : []
  })
  const rows = await replica.readAll(keys)
  const sizes = keys.map((key) => sizesOf(rows.get(key)?.value ?? {}))
  return sizes.some((own) => own.length === 0) ? undefined : new Set(sizes.flat())
}
