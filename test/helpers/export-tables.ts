import fc from 'fast-check'
import type { CellKind } from '#shared/results/result-columns'
import type { ExportColumn, ExportTable, ExportValue } from '../../src-main/exports/export-table'

export const column = (head: string, kind: CellKind, currency?: string): ExportColumn => ({
  head,
  kind,
  ...(currency !== undefined && { currency }),
})

/** A table of values. Percentages include their sign. */
export function tableOf(
  columns: readonly ExportColumn[],
  rows: readonly (readonly ExportValue[])[],
  more: Partial<ExportTable> = {},
): ExportTable {
  const value = (row: number, at: number): ExportValue => rows[row]![at]!
  return {
    title: 'Delivery by campaign',
    about: [
      ['Days', '2026-11-01 to 2026-11-21'],
      ['Time zone', 'Europe/Berlin'],
    ],
    columns,
    length: rows.length,
    value,
    text: (row, at) => written(columns[at]!.kind, value(row, at)),
    ...more,
  }
}

const written = (kind: CellKind, value: ExportValue): string =>
  value === null ? '' : kind === 'percent' ? `${(Number(value) * 100).toFixed(4)}%` : String(value)

/** A table of any length with cheap cells. */
export const rowsOf = (length: number, columns: readonly ExportColumn[]): ExportTable => {
  const value = (row: number, at: number): ExportValue => {
    const { kind } = columns[at]!
    if (kind === 'count') return row * 7 + at
    if (kind === 'money') return `${row % 10_000}.${String(100_000 + ((row * 31) % 900_000)).slice(0, 6)}`
    if (kind === 'percent') return (row % 1_000) / 1_000
    if (kind === 'day') return `2026-11-${String(1 + (row % 30)).padStart(2, '0')}`
    if (kind === 'id') return String(10n ** 18n + BigInt(row))
    return `Campaign ${row % 1_000} of ${at}`
  }
  return {
    title: 'Rows',
    about: [['Rows', String(length)]],
    columns,
    length,
    value,
    text: (row, at) => written(columns[at]!.kind, value(row, at)),
  }
}

export const manyColumns = (count: number): ExportColumn[] => {
  const kinds = ['text', 'id', 'day', 'count', 'money', 'percent', 'count', 'text'] as const
  return Array.from({ length: count }, (_unused, at) => column(`Column ${at + 1}`, kinds[at % kinds.length]!))
}

/** Texts that often break something. */
export const oddTexts = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '\uff1d1', '"=1', '\u0000=1', '\ufeff=1'],
  ...["'", "'=1", "''=1", "'plain", '"', 'say "no"', 'a,b', 'a;b', 'a\tb', 'two\nlines', 'two\r\nlines', 'one\rtwo'],
  ...['👩‍👩‍👧‍👦 🇪🇺', 'Ä\u0308', 'שלום', '\u0001', 'a\u0000b', '\u001f', '\ufffe', '\ud800', 'x\udc00y', '\ud83d\ude00'],
  ...[
    '_x0041_',
    '_x005F_',
    '_x1234\u0001',
    '__x0001_',
    '_X0041_',
    '&amp;<b>',
    ']]>',
    '  two  ',
    ' ',
    '9007199254740993',
  ],
  ...['{=1}', '---', '(not set)', '__proto__', 'constructor', '0123', '1e5', 'TRUE'],
]

const piece = fc.constantFrom(...oddTexts, ',', ';', '"', '\n', '\r', '_', 'x0041', 'a', ' ')
export const oddText = fc.oneof(
  fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)

/** A text after a UTF-8 round trip: lone surrogates are replaced. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()
