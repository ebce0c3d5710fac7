/** What a table is written as; the end of a file's name says which. */
export const exportFormats = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'pdf'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** How separated values are written: for programs, or for spreadsheets. */
export const dialects = ['plain', 'spreadsheet'] as const
export const papers = ['A4', 'Letter'] as const

/** What a file of that format is, in the words of a list to choose from. */
export const formatWords: Readonly<Record<ExportFormat, string>> = {
  csv: 'Comma-separated values',
  tsv: 'Tab-separated values',
  xlsx: 'Workbook',
  json: 'JSON',
  ndjson: 'JSON Lines',
  pdf: 'PDF',
}

/** Each cell of a document takes some memory until its end, for what screen readers need of it. */
const mostDocumentCells = 1_000_000

/** Why a table of this size is not written so; undefined where it is. */
export function tooLarge(format: ExportFormat, rows: number, columns: number): string | undefined {
  const cells = rows * columns
  if (format !== 'pdf' || cells <= mostDocumentCells) return undefined
  return `A PDF can have up to ${mostDocumentCells.toLocaleString('en')} cells, and this table has ${cells.toLocaleString('en')}. Show fewer rows or columns, or export a workbook or CSV.`
}
