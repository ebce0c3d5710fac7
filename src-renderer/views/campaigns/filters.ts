import { readDay } from '#shared/domain/quick-add/one-field'
import type { Collection } from '#shared/facts/collection'
import { maxConditionText } from '#shared/fields/condition'
import { kindAt, type FieldKind } from '#shared/fields/kind'
import { fieldAt, nameAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import { instantOfWall } from '#shared/time/zones'
import type { Field } from '#shared/wire/table'
import type { Condition } from '../../replica/api'
import { counted } from '../../ui/counted'
import { dayMs } from '../../ui/dates'
import { cellWords } from './cells'
import { computedOf } from './computed'
import { headFor, isReference, type GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { findByName } from './parse-cell'
import { typedText } from './typed'

export type FilterHow =
  | 'is'
  | 'isNot'
  | 'has'
  | 'hasNot'
  | 'matches'
  | 'matchesNot'
  | 'longer'
  | 'between'
  | 'above'
  | 'below'
  | 'empty'
  | 'filled'

const howWords: Readonly<Record<FilterHow, string>> = {
  is: 'is',
  isNot: 'is not',
  has: 'contains',
  hasNot: 'doesn’t contain',
  matches: 'matches pattern',
  matchesNot: 'doesn’t match pattern',
  longer: 'is longer than',
  between: 'is between',
  above: 'is above',
  below: 'is below',
  empty: 'is empty',
  filled: 'is not empty',
}

type Compared = Pick<GridColumn, 'kind'> & { path?: string }

/** Type by which a column's cells compare: computed numbers and amounts like those of records. */
export const comparedKind = ({ kind, path = '' }: Compared): FieldKind =>
  kind === 'computed' ? (computedOf(path)?.format ?? 'text') : kind

const isTime = (kind: FieldKind): boolean => kind === 'date' || kind === 'moment'

/** Name of an operator for a column. Days and moments are before or after others. */
export function wordsOfHow(how: FilterHow, column: Compared): string {
  const time = isTime(comparedKind(column))
  if (time && how === 'above') return 'is after'
  if (time && how === 'below') return 'is before'
  return howWords[how]
}

/** Operators for a column, with the most common first. `named`: conditions can compare names of referenced records. */
export function waysOf(column: Compared, named = false): FilterHow[] {
  const kind = comparedKind(column)
  if (isTime(kind) || kind === 'number' || kind === 'money')
    return ['between', 'is', 'above', 'below', 'empty', 'filled']
  if (named && isReference(kind)) return ['is', 'isNot', 'has', 'hasNot', 'empty', 'filled']
  if (isPicked({ kind })) return ['is', 'isNot', 'empty', 'filled']
  return ['has', 'hasNot', 'is', 'isNot', 'matches', 'matchesNot', 'longer', 'empty', 'filled']
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
  if ('hasNot' in condition) return { ...draft, how: 'hasNot', typed: condition.hasNot }
  if ('matches' in condition) return { ...draft, how: 'matches', typed: condition.matches }
  if ('matchesNot' in condition) return { ...draft, how: 'matchesNot', typed: condition.matchesNot }
  if ('longer' in condition) return { ...draft, how: 'longer', typed: String(condition.longer) }
  if ('above' in condition) return { ...draft, how: 'above', typed: shown(condition.above) }
  if ('below' in condition) return { ...draft, how: 'below', typed: shown(condition.below) }
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

/** Parses text as a cell does. With `last`, a day includes its end. */
export type Read = (text: string, last?: boolean) => { value: string } | { problem: string }

/** The condition of a draft, or why it's incomplete. Patterns aren't checked. */
export function conditionOf(
  { path, how, picked, typed, to }: ConditionDraft,
  read: Read,
): Condition | { problem: string } {
  const nothing = { problem: 'Enter a value' }
  if (how === 'empty' || how === 'filled') return { column: path, empty: how === 'empty' }
  const text = typed.trim()
  if (['has', 'hasNot', 'matches', 'matchesNot', 'longer', 'above', 'below'].includes(how) && text === '')
    return nothing
  if (text.length > maxConditionText)
    return { problem: `Use at most ${maxConditionText.toLocaleString('en')} characters` }
  if (how === 'has') return { column: path, has: text }
  if (how === 'hasNot') return { column: path, hasNot: text }
  if (how === 'matches') return { column: path, matches: text }
  if (how === 'matchesNot') return { column: path, matchesNot: text }
  if (how === 'longer')
    return /^\d{1,6}$/.test(text) ? { column: path, longer: Number(text) } : { problem: 'Enter a number of characters' }
  if (how === 'above' || how === 'below') {
    const found = read(text, how === 'above')
    return 'problem' in found
      ? found
      : how === 'above'
        ? { column: path, above: found.value }
        : { column: path, below: found.value }
  }
  if (how === 'between') {
    const [first, last] = [typed, to].map((text, index) =>
      text.trim() === '' ? undefined : read(text.trim(), index === 1),
    )
    if (!first && !last) return nothing
    if (first && 'problem' in first) return first
    if (last && 'problem' in last) return last
    return { column: path, ...(first && { from: first.value }), ...(last && { to: last.value }) }
  }
  const texts = typed.split('|').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
  const found = texts.map((one) => read(one))
  const wrong = found.find((one) => 'problem' in one)
  if (wrong) return wrong
  const values = [...picked, ...found.flatMap((one) => ('value' in one ? [one.value] : []))]
  if (values.length === 0) return nothing
  const last = texts.length === 1 && how === 'is' ? read(texts[0]!, true) : undefined
  // A day contains all of its moments.
  if (values.length === 1 && last && 'value' in last && last.value !== values[0])
    return { column: path, from: values[0]!, to: last.value }
  return how === 'is' ? { column: path, is: values } : { column: path, isNot: values }
}

/** Describes a condition of a kind, with values as in cells. */
export function conditionWords(model: CampaignsModel, condition: Condition, kind: Collection = model.kind): string {
  const { context, app, scope } = model
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
  const column = { path: condition.column, kind: kindOfColumn(kind, condition.column) }
  const how = (one: FilterHow): string => `${head} ${wordsOfHow(one, column)}`
  if ('is' in condition) return `${head}: ${condition.is.map(words).join(' or ')}`
  if ('isNot' in condition) return `${how('isNot')} ${condition.isNot.map(words).join(' or ')}`
  if ('has' in condition) return `${how('has')} “${condition.has}”`
  if ('hasNot' in condition) return `${how('hasNot')} “${condition.hasNot}”`
  if ('matches' in condition) return `${how('matches')} ${condition.matches}`
  if ('matchesNot' in condition) return `${how('matchesNot')} ${condition.matchesNot}`
  if ('longer' in condition) return `${how('longer')} ${counted(condition.longer, 'character')}`
  if ('above' in condition) return `${how('above')} ${words(condition.above)}`
  if ('below' in condition) return `${how('below')} ${words(condition.below)}`
  if ('empty' in condition) return how(condition.empty ? 'empty' : 'filled')
  const { from, to } = condition
  return `${head}${from === undefined ? '' : ` from ${words(from)}`}${to === undefined ? '' : ` to ${words(to)}`}`
}

const kindOfColumn = (kind: Collection, path: string): GridColumn['kind'] =>
  path.startsWith('fx.') ? 'computed' : (kindAt(kind, path) ?? 'text')

/** Formats a value of a condition as people type it. */
export const shownIn =
  (model: Pick<CampaignsModel, 'context'>, column: Compared) =>
  (value: string): string =>
    typedText(comparedKind(column), value, model.context.zone)

/** Parses typed text into the format of cells, including dates and amounts in words. */
export function readerOf(
  model: CampaignsModel,
  collection: Collection,
  column: Pick<GridColumn, 'path' | 'kind'>,
): Read {
  const { path } = column
  const { today, zone } = model.context
  const kind = comparedKind(column)
  const field = column.kind === 'computed' ? computedFields[kind] : fieldAt(collection, path)
  return (text, last = false) => {
    if (!field) return { value: text }
    const day = last && kind === 'moment' ? readDay(text, today) : undefined
    // A day without a time includes all of it.
    const whole = day && 'value' in day ? new Date(instantOfWall(day.value + dayMs, zone) - 1).toISOString() : text
    const found = readField(
      collection.table,
      column.kind === 'computed' ? `${kind}Nanos` : nameAt(path),
      field,
      whole,
      {
        today,
        zone,
        currency: model.terms.currency,
        find: (target, name) => findByName(model, target, model.scope.profile, name),
      },
    )
    if ('problem' in found) return found
    return { value: typeof found.value === 'string' || typeof found.value === 'number' ? String(found.value) : text }
  }
}

/** Field type for input of computed numbers and amounts. */
const computedFields: Readonly<Partial<Record<FieldKind, Field>>> = {
  number: { type: 'number' },
  money: { type: 'string' },
}

/** Conditions with invalid patterns, and why they are. */
export async function patternProblems(
  drafts: readonly Pick<ConditionDraft, 'how' | 'typed'>[],
): Promise<(string | undefined)[]> {
  const isPattern = ({ how }: Pick<ConditionDraft, 'how'>): boolean => how === 'matches' || how === 'matchesNot'
  if (!drafts.some(isPattern)) return drafts.map(() => undefined)
  const { readExpression } = await import('#shared/fields/expression')
  return drafts.map((draft) => {
    if (!isPattern(draft) || draft.typed.trim() === '') return undefined
    const read = readExpression(draft.typed.trim(), true)
    return 'problem' in read ? read.problem : undefined
  })
}
