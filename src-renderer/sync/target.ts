import { recordKey, type CollectionName } from '#shared/domain/collections'

/** What belongs to one record, of a list: the parameters that ask for it, and the field that says so, where one does. */
export interface Part {
  params: Readonly<Record<string, string | number | string[]>>
  id: string
  field?: string
}

/** One thing to pull: a collection, of one parent where it has one, a part of that, or one record of it. */
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
