/** File formats of tables, named like their extensions. */
export const exportFormats = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'pdf'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Dialects of separated values, for programs or for spreadsheets. */
export const dialects = ['plain', 'spreadsheet'] as const
export const papers = ['A4', 'Letter'] as const

/** Labels of the formats. */
export const formatWords: Readonly<Record<ExportFormat, string>> = {
  csv: 'Comma-separated values',
  tsv: 'Tab-separated values',
  xlsx: 'Workbook',
  json: 'JSON',
  ndjson: 'JSON Lines',
  pdf: 'PDF',
}

/** Maximum number of cells in a PDF, because the accessibility tags of each stay in memory. */
const maxDocumentCells = 1_000_000

/** Why a table is too large for a format, or undefined. */
export function tooLarge(format: ExportFormat, rows: number, columns: number): string | undefined {
  const cells = rows * columns
  if (format !== 'pdf' || cells <= maxDocumentCells) return undefined
  return `A PDF can have up to ${maxDocumentCells.toLocaleString('en')} cells, and this table has ${cells.toLocaleString('en')}. Show fewer rows or columns, or export a workbook or CSV.`
}
