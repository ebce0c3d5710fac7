import type { Condition } from '../../replica/api'
import { cellWords } from './cells'
import { headFor, type GridColumn } from './columns'
import type { CampaignsModel } from './model.svelte'

export type FilterHow = 'is' | 'isNot' | 'has' | 'between' | 'empty' | 'filled'

export const howWords: Readonly<Record<FilterHow, string>> = {
  is: 'is',
  isNot: 'is not',
  has: 'contains',
  between: 'from … to',
  empty: 'is empty',
  filled: 'is filled',
}

/** How a column can be filtered, the usual way first. */
export function waysOf({ kind }: Pick<GridColumn, 'kind'>): FilterHow[] {
  if (kind === 'date' || kind === 'moment' || kind === 'number' || kind === 'money')
    return ['between', 'is', 'empty', 'filled']
  if (['choice', 'yesNo', 'reference', 'references', 'choices'].includes(kind))
    return ['is', 'isNot', 'empty', 'filled']
  return ['has', 'is', 'isNot', 'empty', 'filled']
}

/** A condition in words, values as they stand in cells. */
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
  if ('empty' in condition) return `${head} ${condition.empty ? 'is empty' : 'is filled'}`
  const { from, to } = condition
  return `${head}${from === undefined ? '' : ` from ${words(from)}`}${to === undefined ? '' : ` to ${words(to)}`}`
}
