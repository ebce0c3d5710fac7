import { fieldName } from '#shared/fields/field-name'
import { insideSentence } from '#shared/fields/heads'
import { collections } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Replica } from '../../replica/api'
import { decisionsOf, isAboutMoney, isDeletion, questionsOf, usualChoices, type Question, type Side } from './conflict'

type Choice = Parameters<Replica['resolve']>[1]

/** How several conflicts are resolved at once. `both`: sides that changed different places. */
export type Policy = Side | 'newer' | 'both'

/** Conflicts of one kind of record about the same places. */
export interface ConflictGroup {
  id: string
  entries: readonly OutboxEntry[]
  /** Names of the places in question, for use in a sentence. */
  heads: readonly string[]
  /** True if any of them is about money, which nothing decides unless people say so. */
  money: boolean
  /** True if the service says when someone else changed any of the records, so that the newer side is known. */
  newer: boolean
}

/** True if a conflict can be resolved with others: both sides changed fields of a campaign record. */
const isPlain = (entry: OutboxEntry): boolean =>
  entry.conflict !== undefined &&
  entry.conflict.made === undefined &&
  (entry.conflict.unseen ?? []).length === 0 &&
  !isDeletion(entry) &&
  collections[entry.collection].references

/** Questions that the sides don't answer on their own. */
export function openQuestions(entry: OutboxEntry): Question[] {
  const questions = questionsOf(entry)
  const usual = usualChoices(questions)
  return questions.filter(({ name }) => usual[name] === undefined)
}

/** The group that a conflict forms on its own. Undefined if it can't be resolved with others. */
export function groupOf(entry: OutboxEntry): ConflictGroup | undefined {
  if (!isPlain(entry)) return undefined
  const open = openQuestions(entry)
  return {
    id: [entry.collection, ...open.map(({ name }) => name)].join('\n'),
    entries: [entry],
    heads: open.map(({ name, place }) => insideSentence(place?.head ?? fieldName(name, entry.collection))),
    money: open.some((one) => isAboutMoney(entry, one)),
    newer: changedAt(entry) !== undefined,
  }
}

/** Two or more conflicts that are alike, in the order of their first. Others aren’t part of any group. */
export function conflictGroups(entries: readonly OutboxEntry[]): ConflictGroup[] {
  const found = new Map<string, ConflictGroup[]>()
  for (const entry of entries) {
    const group = groupOf(entry)
    if (!group) continue
    const alike = found.get(group.id)
    if (alike) alike.push(group)
    else found.set(group.id, [group])
  }
  return [...found.values()]
    .filter((alike) => alike.length > 1)
    .map((alike) => ({
      ...alike[0]!,
      entries: alike.flatMap(({ entries }) => entries),
      money: alike.some(({ money }) => money),
      newer: alike.some(({ newer }) => newer),
    }))
}

/** When someone else changed the record of a conflict, in epoch milliseconds. Undefined if the service doesn’t say. */
function changedAt({ conflict }: OutboxEntry): number | undefined {
  const time = valueAt(conflict?.remote ?? undefined, 'lastModifiedInfo.time')
  const at = typeof time === 'string' ? Number(time) : NaN
  return Number.isFinite(at) ? at : undefined
}

/** The side that a policy takes. Undefined if the newer one isn't known. */
export function sideOf(policy: Policy, entry: OutboxEntry): Side | undefined {
  if (policy === 'both') return undefined
  if (policy !== 'newer') return policy
  const theirs = changedAt(entry)
  if (theirs === undefined) return undefined
  return theirs > (entry.editedAt ?? entry.madeAt) ? 'theirs' : 'mine'
}

/**
 * The decisions of a policy about one conflict. Undefined if it leaves the conflict to people, as it does with money
 * unless they say so.
 */
export function decide(entry: OutboxEntry, policy: Policy, money: boolean): Choice | undefined {
  const side = sideOf(policy, entry)
  return decideEach(entry, (question) => (money || !isAboutMoney(entry, question) ? side : undefined))
}

/**
 * The decisions about one conflict, with a side for each open question. Places that only one side changed keep that
 * change. Undefined if a question has no side, or if the conflict can't be resolved with others.
 */
export function decideEach(entry: OutboxEntry, sideFor: (question: Question) => Side | undefined): Choice | undefined {
  if (!isPlain(entry)) return undefined
  const questions = questionsOf(entry)
  const chosen = usualChoices(questions)
  for (const question of openQuestions(entry)) {
    const side = sideFor(question)
    if (side === undefined) return undefined
    chosen[question.name] = side
  }
  return { fields: decisionsOf(entry, questions, chosen) }
}
