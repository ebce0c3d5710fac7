import { anyPosition } from '#shared/fields/path'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ConflictRule } from '../../context/settings.svelte'
import type { ConflictChoice } from '../../replica/api'
import { isAboutMoney, type Question, type Side } from './conflict'
import { decideEach, openQuestions, sideOf } from './conflict-groups'

/** Rules that decide all open questions of conflicts alike, one per field. */
export function rulesFor(
  { collection }: OutboxEntry,
  questions: readonly Question[],
  { keep, money }: Pick<ConflictRule, 'keep' | 'money'>,
): ConflictRule[] {
  const fields = new Set(questions.map(({ name }) => anyPosition(name)))
  return [...fields].map((field) => ({ collection, field, keep, money }))
}

/** Rules with others added, which replace those about the same field. */
export const withRules = (rules: readonly ConflictRule[], added: readonly ConflictRule[]): ConflictRule[] => [
  ...rules.filter((rule) => !added.some((one) => one.collection === rule.collection && one.field === rule.field)),
  ...added,
]

/** The rule that decides a question. Undefined if it's left to people. */
export function ruleFor(
  entry: OutboxEntry,
  question: Question,
  rules: readonly ConflictRule[],
): ConflictRule | undefined {
  const field = anyPosition(question.name)
  const rule = rules.find((one) => one.collection === entry.collection && one.field === field)
  return rule && (rule.money || !isAboutMoney(entry, question)) ? rule : undefined
}

/** The side that rules take in a question. Undefined if they leave it to people. */
export function ruledSide(entry: OutboxEntry, question: Question, rules: readonly ConflictRule[]): Side | undefined {
  const rule = ruleFor(entry, question, rules)
  return rule && sideOf(rule.keep, entry)
}

/** Decisions of the rules about a conflict. Undefined if a question stays open, or if there is none. */
export const ruledChoice = (entry: OutboxEntry, rules: readonly ConflictRule[]): ConflictChoice | undefined =>
  rules.length === 0 || openQuestions(entry).length === 0
    ? undefined
    : decideEach(entry, (question) => ruledSide(entry, question, rules))
