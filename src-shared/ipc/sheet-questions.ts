import { z } from 'zod'

/** Maximum number of rows to ask for at once. */
export const maxSheetPage = 1_000
/** Maximum size of a spreadsheet that’s dropped on a list, in bytes. Larger ones can be opened. */
export const maxDroppedSheet = 50_000_000

/** Rows of a spreadsheet that someone imports. One is open at a time, and opening another closes it. */
export const sheetQuestions = {
  /** Asks which file to read. Null if the user cancels. */
  'sheet/open': z.object({}),
  'sheet/dropped': z.object({
    name: z.string().max(1_000),
    bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= maxDroppedSheet),
  }),
  /** Reads another sheet of the workbook that's open. */
  'sheet/choose': z.object({ id: z.number().int(), sheet: z.string().max(1_000) }),
  'sheet/rows': z.object({
    id: z.number().int(),
    from: z.number().int().nonnegative(),
    count: z.number().int().min(1).max(maxSheetPage),
  }),
  'sheet/close': z.object({ id: z.number().int() }),
} as const

export interface SheetFacts {
  id: number
  /** Number of rows, with the header and empty ones. */
  rows: number
  /** True for separated values, in which texts may be guarded against formulas. */
  separated: boolean
  /** True if numbers have decimal commas. */
  commas: boolean
  /** Of a workbook with several visible sheets: the name of the one that was read, at first the first one, and all names. */
  sheet?: { name: string; names: readonly string[] }
  /** True for text that isn't Unicode, and was read as Western European (Windows-1252). */
  legacy?: true
}

export interface SheetAnswers {
  'sheet/open': (SheetFacts & { name: string }) | null
  'sheet/dropped': SheetFacts & { name: string }
  'sheet/choose': SheetFacts
  /** Cells as text. Rows may be shorter than the header. */
  'sheet/rows': string[][]
  'sheet/close': null
}
