import { recordKey, type CollectionName } from '#shared/domain/collections'
import { referencesIn } from '#shared/facts/references'
import type { JsonObject } from '#shared/json'
import type { Replica } from '../replica/api'
import { recordTitle } from './record-words'

type Names = Pick<Replica, 'facts' | 'peek' | 'read'>
export interface Referring {
  collection: CollectionName
  parent: string | null
  value: JsonObject
}
type NameOf = (collection: string, id: string) => string | undefined

/** The outermost of the records around one: for campaigns the profile. */
export const outermost = (parent: string | null): string | null => parent?.split('/')[0] ?? null

/** Returns a function that looks up names in memory, for records below the same outermost parent. */
export function namesIn(replica: Names, parent: string | null): NameOf {
  const around = outermost(parent)
  return (collection, id) => {
    const facts = replica.facts.find(collection)
    return facts && recordTitle(facts, replica.peek(recordKey(facts.name, around, id))?.value)
  }
}

/** Names of records that a record refers to, also from disk, by collection and ID. */
export async function readNames(
  replica: Names,
  { collection, parent, value }: Referring,
): Promise<ReadonlyMap<string, string>> {
  const facts = replica.facts.of(collection)
  const found = new Map<string, string>()
  if (!facts.references) return found
  const around = outermost(parent)
  const references = referencesIn(facts.table, facts.schema, value)
  const wanted = new Map(references.map((one) => [`${one.collection} ${one.id}`, one]))
  await Promise.all(
    [...wanted].map(async ([name, reference]) => {
      const target = replica.facts.find(reference.collection)
      const row = target && (await replica.read(recordKey(target.name, around, reference.id)))
      const title = target && recordTitle(target, row?.value)
      if (title !== undefined) found.set(name, title)
    }),
  )
  return found
}

/** Names that a component needs for a record: those in memory at once, those on disk a moment later. */
export function liveNames(replica: Names, referring: () => Referring | null): NameOf {
  let read = $state.raw<ReadonlyMap<string, string>>(new Map())
  $effect(() => {
    const about = referring()
    let stale = false
    if (about)
      void readNames(replica, about).then(
        (names) => !stale && (read = names),
        // A record without a readable name shows its number.
        () => undefined,
      )
    return () => (stale = true)
  })
  return (collection, id) =>
    namesIn(replica, referring()?.parent ?? null)(collection, id) ?? read.get(`${collection} ${id}`)
}
