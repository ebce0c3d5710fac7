import { folded } from './search'

/** A guest, an organizer, or someone a calendar is shared with. */
export interface Person {
  /** In lowercase. */
  email: string
  /** Empty if unknown. */
  name: string
  /** Sum of encounters, weighted by recency. */
  score: number
  /** Times of the last and the next event with this person, in epoch milliseconds. */
  last?: number
  next?: number
}

/** An event with a person, or a calendar they share. `at`: epoch milliseconds, undefined for a shared calendar. */
export interface Encounter {
  email: string
  name?: string | undefined
  at?: number | undefined
}

const dayMs = 86_400_000
/** Age in milliseconds at which an encounter counts half. */
const halfLife = 60 * dayMs
/** Score of someone who shares a calendar, but was in no event. */
const shared = 0.2

/** Addresses of calendars and rooms, which aren’t people. */
const notPeople = /@(group|resource|import)\.(v\.)?calendar\.|^(no-?reply|calendar-notification)@/

/** The people among encounters, those met most often and most recently first. Without yourself. */
export function peopleOf(encounters: Iterable<Encounter>, now: number, own: ReadonlySet<string>): Person[] {
  const found = new Map<string, Person>()
  for (const { email: written, name, at } of encounters) {
    const email = written.trim().toLowerCase()
    if (!email.includes('@') || own.has(email) || notPeople.test(email)) continue
    const person: Person = found.get(email) ?? { email, name: '', score: 0 }
    if (!person.name && name && name.toLowerCase() !== email) person.name = name
    if (at !== undefined && at > now) person.next = Math.min(at, person.next ?? at)
    else if (at !== undefined) person.last = Math.max(at, person.last ?? at)
    person.score += at === undefined ? shared : 0.5 ** (Math.abs(now - at) / halfLife)
    found.set(email, person)
  }
  return [...found.values()].sort(byScore)
}

const byScore = (a: Person, b: Person): number => b.score - a.score || (a.email < b.email ? -1 : 1)

/**
 * People that typed text may mean, best first: names that have it as whole words, then names or addresses that begin with it,
 * then other words that begin with it, then any that contain it. Without text, the people met most.
 * @param taken addresses to leave out
 */
export function suggestPeople(
  people: readonly Person[],
  typed: string,
  taken: ReadonlySet<string>,
  limit: number,
): Person[] {
  const words = folded(typed.trim())
  return people
    .filter(({ email }) => !taken.has(email))
    .flatMap((person) => {
      const rank = words === '' ? 0 : rankOf(person, words)
      return rank === undefined ? [] : [{ person, rank }]
    })
    .sort((a, b) => a.rank - b.rank || byScore(a.person, b.person))
    .slice(0, limit)
    .map(({ person }) => person)
}

function rankOf({ name, email }: Person, words: string): number | undefined {
  const [known, address] = [folded(name), email]
  if (` ${known.replaceAll('-', ' ')} `.includes(` ${words.replaceAll('-', ' ')} `)) return 0
  if (known.startsWith(words) || address.startsWith(words)) return 1
  const parts = [...known.split(/[\s-]+/), ...address.split(/[.@_+-]/)]
  if (parts.some((part) => part.startsWith(words))) return 2
  return known.includes(words) || address.includes(words) ? 3 : undefined
}
