/** Dialects of separated values, for programs or for spreadsheets. */
export const dialects = ['plain', 'spreadsheet'] as const
export const papers = ['A4', 'Letter'] as const

/** One entry of the menu for a format. */
interface Choice {
  label: string
  dialect?: (typeof dialects)[number]
  paper?: (typeof papers)[number]
}

/** File formats of tables, named like their extensions, each with its name and its entries in menus. */
const formats = {
  csv: {
    words: 'Comma-separated values',
    choices: [
      { label: 'CSV for spreadsheets', dialect: 'spreadsheet' },
      { label: 'CSV (plain)', dialect: 'plain' },
    ],
  },
  tsv: { words: 'Tab-separated values', choices: [{ label: 'Tab-separated', dialect: 'plain' }] },
  xlsx: { words: 'Workbook', choices: [{ label: 'Workbook (.xlsx)' }] },
  json: { words: 'JSON', choices: [{ label: 'JSON' }] },
  ndjson: { words: 'JSON Lines', choices: [{ label: 'JSON Lines' }] },
  pdf: {
    words: 'PDF',
    choices: [
      { label: 'PDF, A4', paper: 'A4' },
      { label: 'PDF, Letter', paper: 'Letter' },
    ],
  },
} satisfies Record<string, { words: string; choices: readonly Choice[] }>

export type ExportFormat = keyof typeof formats
export const exportFormats = Object.keys(formats) as [ExportFormat, ...ExportFormat[]]

/** Name of a format. */
export const formatWords = (format: ExportFormat): string => formats[format].words

/** Entries of the menu, the workbook first. */
export const formatChoices: readonly (Choice & { format: ExportFormat })[] = exportFormats
  .flatMap((format) => formats[format].choices.map((choice: Choice) => ({ format, ...choice })))
  .sort((a, b) => Number(b.format === 'xlsx') - Number(a.format === 'xlsx'))

/** Maximum number of cells in a PDF, because the accessibility tags of each stay in memory. */
const maxDocumentCells = 1_000_000

/** Why a table is too large for a format, or undefined. */
export function tooLarge(format: ExportFormat, rows: number, columns: number): string | undefined {
  const cells = rows * columns
  if (format !== 'pdf' || cells <= maxDocumentCells) return undefined
  return `A PDF can have up to ${maxDocumentCells.toLocaleString('en')} cells, and this table has ${cells.toLocaleString('en')}. Show fewer rows or columns, or export a workbook or CSV.`
}
