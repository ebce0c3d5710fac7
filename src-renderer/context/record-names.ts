import { recordKey } from '#shared/domain/collections'
import type { Replica } from '../replica/api'
import { recordTitle } from './record-words'

type NameOf = (collection: string, id: string) => string | undefined

/** The outermost of the records around one: for campaigns the profile. */
export const outermost = (parent: string | null): string | null => parent?.split('/')[0] ?? null

/** Returns a function that looks up names of records below the same outermost parent. */
export function namesIn(replica: Pick<Replica, 'facts' | 'peek' | 'peekField'>, parent: string | null): NameOf {
  const around = outermost(parent)
  return (collection, id) => {
    const facts = replica.facts.find(collection)
    if (!facts) return undefined
    const key = recordKey(facts.name, around, id)
    const value = replica.peek(key)?.value
    if (value || facts.title === undefined) return recordTitle(facts, value)
    return recordTitle(facts, { [facts.title]: replica.peekField(key, facts.title) ?? null })
  }
}
