import type { Condition } from '../../replica/api'
import { cellWords } from './cells'
import { headFor, type GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'

export type FilterHow = 'is' | 'isNot' | 'has' | 'between' | 'empty' | 'filled'

export const howWords: Readonly<Record<FilterHow, string>> = {
  is: 'is',
  isNot: 'is not',
  has: 'contains',
  between: 'is between',
  empty: 'is empty',
  filled: 'is not empty',
}

/** Operators for a column, with the most common first. */
export function waysOf({ kind }: Pick<GridColumn, 'kind'>): FilterHow[] {
  if (kind === 'date' || kind === 'moment' || kind === 'number' || kind === 'money')
    return ['between', 'is', 'empty', 'filled']
  if (['choice', 'yesNo', 'reference', 'references', 'choices'].includes(kind))
    return ['is', 'isNot', 'empty', 'filled']
  return ['has', 'is', 'isNot', 'empty', 'filled']
}

/** A condition under construction: selected values, and unparsed text. */
export interface ConditionDraft {
  path: string
  how: FilterHow
  picked: readonly string[]
  /** Typed values, separated by ` | `, or the first and last value of a range. */
  typed: string
  to: string
}

/** Column kinds whose values are selected, not typed. */
const pickedKinds: ReadonlySet<GridColumn['kind']> = new Set(['choice', 'choices', 'yesNo', 'reference', 'references'])
export const isPicked = ({ kind }: Pick<GridColumn, 'kind'>): boolean => pickedKinds.has(kind)

export const newDraft = (column: Pick<GridColumn, 'path' | 'kind'>): ConditionDraft => ({
  path: column.path,
  how: waysOf(column)[0]!,
  picked: [],
  typed: '',
  to: '',
})

/** Returns the draft of a condition. @param shown formats a value as people type it */
export function draftOf(
  condition: Condition,
  column: Pick<GridColumn, 'path' | 'kind'>,
  shown: (value: string) => string,
): ConditionDraft {
  const draft = newDraft(column)
  if ('has' in condition) return { ...draft, how: 'has', typed: condition.has }
  if ('empty' in condition) return { ...draft, how: condition.empty ? 'empty' : 'filled' }
  if ('is' in condition || 'isNot' in condition) {
    const values = 'is' in condition ? condition.is : condition.isNot
    const how = 'is' in condition ? 'is' : 'isNot'
    return isPicked(column)
      ? { ...draft, how, picked: values }
      : { ...draft, how, typed: values.map(shown).join(' | ') }
  }
  const { from, to } = condition
  return {
    ...draft,
    how: 'between',
    typed: from === undefined ? '' : shown(from),
    to: to === undefined ? '' : shown(to),
  }
}

type Read = (text: string, last?: boolean) => { value: string } | { problem: string }

/**
 * The condition of a draft, or why it's incomplete.
 * @param read parses text as a cell does; with `last`, a day includes its end
 */
export function conditionOf(
  { path, how, picked, typed, to }: ConditionDraft,
  read: Read,
): Condition | { problem: string } {
  const nothing = { problem: 'Enter a value' }
  if (how === 'empty' || how === 'filled') return { column: path, empty: how === 'empty' }
  if (how === 'has') return typed.trim() === '' ? nothing : { column: path, has: typed.trim() }
  if (how === 'between') {
    const [first, last] = [typed, to].map((text, index) =>
      text.trim() === '' ? undefined : read(text.trim(), index === 1),
    )
    if (!first && !last) return nothing
    if (first && 'problem' in first) return first
    if (last && 'problem' in last) return last
    return { column: path, ...(first && { from: first.value }), ...(last && { to: last.value }) }
  }
  const found = typed.split('|').flatMap((one) => (one.trim() === '' ? [] : [read(one.trim())]))
  const wrong = found.find((one) => 'problem' in one)
  if (wrong) return wrong
  const values = [...picked, ...found.flatMap((one) => ('value' in one ? [one.value] : []))]
  if (values.length === 0) return nothing
  return how === 'is' ? { column: path, is: values } : { column: path, isNot: values }
}

/** Describes a condition, with values as in cells. */
export function conditionWords(model: CampaignsModel, condition: Condition): string {
  const { kind, context, app, scope } = model
  const head = headFor(kind, condition.column)
  const words = (text: string): string =>
    cellWords(
      app.replica.facts,
      kind,
      condition.column,
      () => (text === 'true' ? true : text === 'false' ? false : text),
      {
        ...context,
        ...model.contextOf(model.keyOf(kind.name, scope.profile)),
      },
    ) || 'empty'
  if ('is' in condition) return `${head}: ${condition.is.map(words).join(' or ')}`
  if ('isNot' in condition) return `${head} is not ${condition.isNot.map(words).join(' or ')}`
  if ('has' in condition) return `${head} contains “${condition.has}”`
  if ('empty' in condition) return `${head} ${condition.empty ? 'is empty' : 'is not empty'}`
  const { from, to } = condition
  return `${head}${from === undefined ? '' : ` from ${words(from)}`}${to === undefined ? '' : ` to ${words(to)}`}`
}
