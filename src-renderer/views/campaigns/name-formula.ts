import { respelled } from '#shared/fields/heads'
import { DateTime } from 'luxon'
import type { Collection } from '#shared/facts/collection'
import { eitherWords, listWords } from '#shared/list-words'
import { rowTexts } from './cell-text'
import { allColumns, hasParts, type GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import type { PreviewRow } from './replace'

/** A formula that writes the texts of a column from other columns, such as `{campaign}-{start:yyyyMM}-{n:2}`. */
export interface Formula {
  /** The columns that it reads. */
  columns: readonly GridColumn[]
  /** True if it numbers the rows. */
  numbered: boolean
  /** The text for a row, and the columns that are empty there. `number`: the number of the row. */
  write(row: PreviewRow, number: number): { text: string; empty: GridColumn[] }
}

type Piece = string | { column: GridColumn | null; format: string }

/** The field that numbers the rows. */
export const numberField = 'n'
/** Luxon’s tokens for parts of dates and times. Others, such as `D`, depend on the locale. */
const dateTokens = /^(?:[yMLdEcqQWkoHhmsa]|[^a-zA-Z])+$/
const cases = new Map([
  ['upper', (text: string) => text.toUpperCase()],
  ['lower', (text: string) => text.toLowerCase()],
])
const token = /\{\{|\}\}|\{([^{}:]*)(?::([^{}]*))?\}|[{}]|[^{}]+/g

/** Columns that a formula can read. */
export const formulaColumns = (collection: Collection): GridColumn[] =>
  allColumns(collection).filter(({ kind }) => !hasParts(kind))

/** Text columns that a formula can write. */
export const formulaTargets = (collection: Collection): GridColumn[] =>
  allColumns(collection).filter(({ kind, typed }) => kind === 'text' && typed)

/** How formulas name a column. */
export const fieldName = ({ head }: GridColumn): string => head.toLowerCase()

/**
 * Reads a formula. Fields are in braces: names of columns or their first words, and `n` for the number of the row. A
 * format may follow a colon: parts of a date such as `yyyyMM`, `upper` or `lower`, and the number of digits for `n`.
 * A doubled brace is a brace.
 * @returns the problem if it can't be read
 */
export function readFormula(
  model: Pick<CampaignsModel, 'app' | 'columns' | 'contextOf'>,
  collection: Collection,
  text: string,
): Formula | { problem: string } {
  const all = formulaColumns(collection)
  const pieces: Piece[] = []
  for (const [whole, name, format = ''] of text.matchAll(token)) {
    if (whole === '{' || whole === '}') return { problem: `Unmatched “${whole}”. Type it twice to use it as text` }
    if (name === undefined) {
      pieces.push(whole === '{{' || whole === '}}' ? whole[0]! : whole)
      continue
    }
    const column = name.trim().toLowerCase() === numberField ? null : columnFor(model, all, name)
    if (column && 'problem' in column) return column
    const problem = formatProblem(column, format.trim())
    if (problem !== undefined) return { problem: `Can’t use ${whole}. ${problem}` }
    pieces.push({ column, format: format.trim() })
  }
  const columns = [...new Set(pieces.flatMap((piece) => (typeof piece === 'object' && piece.column) || []))]
  const textsOf = rowTexts(model, collection, columns)
  return {
    columns,
    numbered: pieces.some((piece) => typeof piece === 'object' && piece.column === null),
    write: ({ key, cell }, number) => {
      const textOf = textsOf(key, cell)
      const written = columns.map((_column, at) => textOf(at))
      const texts = pieces.map((piece) => {
        if (typeof piece === 'string') return piece
        const { column, format } = piece
        if (!column) return String(number).padStart(Number(format || 1), '0')
        const plain = written[columns.indexOf(column)]!
        if (format === '' || plain === '') return sized(column, plain)
        const recased = cases.get(format)?.(plain)
        return recased ?? momentOf(column, cell(column.path), model.contextOf(key).zone).toFormat(format)
      })
      return { text: texts.join(''), empty: columns.filter((_column, at) => written[at] === '') }
    },
  }
}

/** Names have sizes as `300x250`. */
const sized = ({ kind }: GridColumn, text: string): string =>
  kind === 'size' || kind === 'sizes' ? text.replaceAll(' × ', 'x') : text

const isDated = ({ kind }: GridColumn): boolean => kind === 'date' || kind === 'moment'

function momentOf({ kind }: GridColumn, value: unknown, zone: string): DateTime {
  const text = String(value)
  if (kind === 'date') return DateTime.fromISO(text.slice(0, 10), { zone: 'utc', locale: 'en' })
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return DateTime.fromMillis(at, { zone, locale: 'en' })
}

function formatProblem(column: GridColumn | null, format: string): string | undefined {
  if (format === '') return undefined
  if (!column) return /^[1-9]$/.test(format) ? undefined : 'Use a number of digits, such as {n:2}'
  if (cases.has(format)) return undefined
  if (!isDated(column)) return 'Use upper or lower'
  return dateTokens.test(format) ? undefined : 'Use parts of a date, such as yyyyMMdd or MMM yy'
}

/** The column of a name: its whole name or path, or the only one that begins with its words. Shown columns come first. */
function columnFor(
  { columns: shown }: Pick<CampaignsModel, 'columns'>,
  all: readonly GridColumn[],
  typed: string,
): GridColumn | { problem: string } {
  const name = typed.trim().replace(/\s+/g, ' ').toLowerCase()
  const whole =
    all.find((column) => fieldName(column) === name) ??
    // As older versions named it.
    all.find((column) => fieldName(column) === respelled(name).toLowerCase()) ??
    all.find(({ path }) => path.toLowerCase() === name)
  if (whole) return whole
  const own = new Set(shown.map(({ path }) => path))
  const usual = all.filter(({ path }) => own.has(path))
  for (const columns of name === '' ? [] : [usual, all]) {
    const [first, ...others] = columns.filter((column) => fieldName(column).startsWith(`${name} `))
    if (first && others.length === 0) return first
    if (first) return { problem: `{${typed}} could be ${eitherWords([first, ...others].map(inBraces))}` }
  }
  const usable = listWords([...usual.map(inBraces), `{${numberField}}`])
  return { problem: `No field {${typed}}. Use ${usable}, or insert another field` }
}

const inBraces = (column: GridColumn): string => `{${fieldName(column)}}`
