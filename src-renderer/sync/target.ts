import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { collectionNames, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Json } from '#shared/json'

/** Part of a list that belongs to one record: the parameters that select it, and the field that confirms it, if any. */
export interface Part {
  params: Readonly<Record<string, string | number | string[]>>
  id: string
  field?: string
}

/** Something to pull: a collection, in one parent if it has any, or a part or a single record of it. */
export interface Target {
  key: string
  collection: CollectionName
  parent: string | null
  id?: string
  part?: Part
}

export function targetOf(collection: CollectionName, parent: string | null = null, id?: string, part?: Part): Target {
  const name = part ? `?${Object.keys(part.params).join('&')}=${part.id}` : ''
  return {
    key: recordKey(collection, parent, id ?? name),
    collection,
    parent,
    ...(id !== undefined && { id }),
    ...(part && { part }),
  }
}

const storedSchema = z.object({
  collection: z.enum(collectionNames),
  parent: z.string().nullable(),
  part: z
    .object({
      params: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
      id: z.string(),
      field: z.string().optional(),
    })
    .optional(),
})

/** Stored form of a target. */
export const storedTarget = ({ collection, parent, part }: Target): Json => ({
  collection,
  parent,
  ...(part && { part: { ...part, params: { ...part.params } } }),
})

/** Readable stored targets. */
export const targetsFrom = (stored: readonly Json[]): Target[] =>
  stored.flatMap((one) => {
    const read = safeParse(storedSchema, one)
    if (!read.success) return []
    const { collection, parent, part } = read.data
    if (!part) return [targetOf(collection, parent)]
    const { field, ...rest } = part
    return [targetOf(collection, parent, undefined, { ...rest, ...(field !== undefined && { field }) })]
  })
