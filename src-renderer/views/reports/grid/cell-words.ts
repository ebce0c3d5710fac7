import { numberWords } from '#shared/results/number-words'
import type { OpenTable } from '#shared/results/questions'
import { isNumeric, type ColumnAbout, type CellKind } from '#shared/results/result-columns'
import { counted } from '../../../ui/counted'

/** An instant, in the zone that its column names. */
const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z$/

/** Formats a cell. Shows a dash for the service's placeholder for no value. */
export const cellWords = (text: string, kind: CellKind): string =>
  text === '' || text === '---' ? '–' : numberWords(text, kind).replace(instant, '$1 $2')

/** Explains which rows don't add up to the totals of the report. Says nothing without doubts. */
export function doubtWords(doubts: OpenTable['doubts'], columns: readonly ColumnAbout[]): string {
  const [first, ...others] = doubts
  if (!first) return ''
  const kind = columns.find(({ head }) => head === first.head)?.kind ?? 'number'
  const [sum, said] = [cellWords(first.sum, kind), cellWords(first.said, kind)]
  const words = `The rows of ${first.head} add up to ${sum}, but the report says ${said}.`
  return others.length === 0
    ? words
    : `${words} ${counted(others.length, 'other metric differs', 'other metrics differ')}, too.`
}

/** Default column width in pixels. */
export function usualWidth({ kind, head, longest = 0 }: ColumnAbout): number {
  const words = Math.min(220, Math.max(72, head.length * 7 + 34))
  if (isNumeric(kind)) return Math.max(92, words)
  if (kind === 'id') return Math.max(120, words, Math.min(220, longest * 9 + 18))
  return kind === 'text' ? Math.max(190, words) : Math.max(104, words)
}

export const atRight = ({ kind }: ColumnAbout): boolean => isNumeric(kind)
