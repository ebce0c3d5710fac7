import { safeParse } from '#shared/safe-parse'
import { findRule, maxRuleName, ownRuleSchema, plainRuleName, withRules, type OwnRule } from '#shared/checks/own-rules'
import type { SharedRule } from '#shared/checks/rules-file'
import type { Around, Checked, Rule } from '#shared/checks/rule'
import type { Collection } from '#shared/facts/collection'
import type { CollectionName } from '#shared/facts/names'
import { collectionOf } from '#shared/facts/references'
import type { Condition } from '#shared/fields/condition'
import { kindAt } from '#shared/fields/kind'
import { nameAt, valueAt } from '#shared/fields/path'
import { sameJson, type Json } from '#shared/json'
import { patternsIn, testOf } from '../../replica/tables/condition'
import { computedColumns, needsMore, ratesAt } from './computed'
import { allColumns, isReference, type GridColumn } from './grid-columns'
import { titleOfKind } from './kinds'

/** Stored rules of an account. Those that can't be read are left out, and so is the second of two with the same name. */
export function readOwnRules(stored: unknown): OwnRule[] {
  const found = new Map<string, OwnRule>()
  for (const one of Array.isArray(stored) ? stored : []) {
    const read = safeParse(ownRuleSchema, one)
    if (read.success && !found.has(plainRuleName(read.data.name))) found.set(plainRuleName(read.data.name), read.data)
  }
  return [...found.values()]
}
/** Stored rules that can't be read, such as those of a newer version. */
export const unreadRules = (stored: unknown): unknown[] =>
  Array.isArray(stored) ? stored.filter((one) => !safeParse(ownRuleSchema, one).success) : []

/** Kinds that rules can look at: those that people edit. */
export const ruleKinds = (kinds: readonly Collection[]): Collection[] => kinds.filter(({ writable }) => writable)

/**
 * Columns that a rule can have conditions on: those of the grid, except for counts of other records and results, which
 * aren't known for a part of an account, and `archived`, because archived records aren't checked.
 */
export const ruleColumns = (kind: Collection): GridColumn[] =>
  allColumns(kind).filter(({ path }) => path !== 'archived' && !needsMore(path, kind.name))

/** Why a rule can't have a name. Undefined if it can. `own`: its name until now. */
export function ruleNameProblem(rules: readonly OwnRule[], name: string, own?: string): string | undefined {
  if (name.trim() === '') return 'Enter a name'
  if (name.trim().length > maxRuleName) return `Use at most ${maxRuleName} characters`
  const other = findRule(rules, name)
  return other && other.name !== own ? 'Another rule has this name' : undefined
}

/** Why a rule doesn't apply to an account, such as a field that only another version has. Undefined if it does. */
export function ruleProblem(kinds: readonly Collection[], { kind, when }: SharedRule): string | undefined {
  const collection = ruleKinds(kinds).find(({ name }) => name === kind)
  if (!collection) return `This account has no records of the type “${kind}” to check`
  const columns = new Set(ruleColumns(collection).map(({ path }) => path))
  const unknown = when.find(({ column }) => !columns.has(column))
  return unknown && `${titleOfKind(collection)} have no column “${unknown.column}”`
}

/** Why a pattern of a rule can't be used. Undefined if all can. */
export async function rulePatternProblem({ when }: Pick<SharedRule, 'when'>): Promise<string | undefined> {
  const patterns = await patternsIn(when)
  const wrong = when.findIndex((one) => {
    const source = 'matches' in one ? one.matches : 'matchesNot' in one ? one.matchesNot : undefined
    return source !== undefined && patterns?.(source) === undefined
  })
  return wrong < 0 ? undefined : `The pattern of condition ${wrong + 1} isn’t supported`
}

/** True for a condition on words in the names of referenced records. */
const isOnNames = (kind: Collection, condition: Condition): boolean =>
  ('has' in condition || 'hasNot' in condition) && isReference(kindAt(kind, condition.column))

/** Names of the records that a field refers to. Undefined for those that aren’t on this computer. */
const namesAt = (path: string, cell: Json | undefined, around: Around): (string | undefined)[] =>
  [cell ?? []].flat().map((id) => {
    const found = around.find(collectionOf(nameAt(path)) ?? '', String(id))
    const title = found && around.facts(found.collection).title
    const name = title === undefined ? undefined : valueAt(found!.value, title)
    return typeof name === 'string' ? name : undefined
  })

/** An own rule as the check runs it. `zone`: of the days that moments are in. */
export async function runnable(own: OwnRule, kind: Collection, zone: string): Promise<Rule> {
  const { name, severity, when, words } = own
  const patterns = await patternsIn(when)
  const onNames = when.filter((one) => isOnNames(kind, one))
  const onCells = when.filter((one) => !onNames.includes(one)).map((one) => testOf(one, patterns))
  const paths = when.map(({ column }) => column)
  const computed = (today: string): ReturnType<typeof computedColumns> =>
    computedColumns(kind.name, paths, { today, zone }, () => undefined)
  let [day, values] = ['', {} as ReturnType<typeof computedColumns>]
  return {
    ...{ id: `own.${plainRuleName(name)}`, severity, kinds: [kind.name as CollectionName], title: name, isOwn: true },
    names: onNames.map(({ column }) => column),
    find(record: Checked, around) {
      const { today } = around
      if (record.value['archived'] === true) return []
      if (day !== today) [day, values] = [today, computed(today)]
      const cell = (path: string): Json | undefined => valueAt(record.value, path)
      const holds =
        onCells.every(
          ({ column, test }) =>
            ratesAt(cell, column)?.some(test) ??
            test(Object.hasOwn(values, column) ? values[column]!(cell, record.key) : cell(column)),
        ) &&
        onNames.every((one) => {
          const { test } = testOf(one)
          const names = namesAt(one.column, cell(one.column), around)
          // Nothing is known about a name that isn’t here.
          const fits = (name: string | undefined): boolean => name !== undefined && test(name)
          return 'has' in one ? names.some(fits) : names.every(fits)
        })
      return holds ? [{ path: when[0]!.column, words }] : []
    },
  }
}

/** Own rules as the check runs them: those that are on and apply to the account. */
export async function runnables(
  rules: readonly OwnRule[],
  kinds: readonly Collection[],
  zone: string,
): Promise<readonly Rule[]> {
  const usable = rules.filter((one) => one.on && ruleProblem(kinds, one) === undefined)
  return Promise.all(
    usable.map((one) =>
      runnable(
        one,
        kinds.find(({ name }) => name === one.kind)!,
        zone,
      ),
    ),
  )
}

/** Differences between two rules with the same name. */
export function ruleDifferences(before: SharedRule, after: SharedRule): string[] {
  return [
    ...(before.kind === after.kind ? [] : ['record type']),
    ...(before.severity === after.severity ? [] : ['severity']),
    ...(sameJson(before.when, after.when) ? [] : ['conditions']),
    ...(before.words === after.words ? [] : ['finding']),
    ...(before.name === after.name ? [] : ['spelling of the name']),
  ]
}

/** The rules with a change undone, except for those that were changed again since. */
export function undoneRules(
  now: readonly OwnRule[],
  before: readonly OwnRule[],
  after: readonly OwnRule[],
): readonly OwnRule[] {
  let found = now
  for (const name of new Set([...before, ...after].map((one) => plainRuleName(one.name)))) {
    const [was, became, is] = [findRule(before, name), findRule(after, name), findRule(now, name)]
    if (sameJson(was, became) || !sameJson(is, became)) continue
    found = was ? withRules(found, [was]) : found.filter((one) => one !== is)
  }
  return found
}

/** A rule to start from, if the account has landing pages. */
export const exampleRule: OwnRule = {
  name: 'Landing pages use https',
  kind: 'advertiserLandingPages',
  severity: 'warning',
  when: [{ column: 'url', matchesNot: '^https://' }],
  words: 'The address doesn’t start with https://',
  on: true,
}
