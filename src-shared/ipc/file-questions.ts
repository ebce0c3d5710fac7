import { z } from 'zod'
import type { WrittenFile } from '#shared/results/questions'
import type { JsonObject } from '#shared/json'
import { tableFormatSchema, tableHeadSchema, tablePageSchema } from '#shared/reports/export-table'

/** Without a folder, asks the user. In a folder, never replaces an existing file. */
const fileChoice = z.object({ suggestedName: z.string().max(200), folder: z.string().min(1).max(4_096).optional() })
const eventsFile = z.object({
  calendarName: z.string(),
  timeZone: z.string(),
  /** Recipient of email reminders. */
  email: z.string().regex(/^\S*$/).optional(),
  events: z.array(z.record(z.string(), z.unknown())),
})
const tableFile = z.object({
  columns: z.array(z.string()).max(200),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
})

export interface SavedFile {
  path: string
  bytes: number
  rows: number
  /** Records that couldn't be written: their number, and the names of the first. */
  leftOut: { count: number; names: string[] }
}

export interface ImportedEvents {
  fileName: string
  /** Events in the calendar service's shape, with iCalUID and sequence; exceptions carry originalStartTime. */
  events: JsonObject[]
  notes: ImportNote[]
}

/** Something repaired in a file or skipped (`lost`), and how often. `words` continue after each name. */
export interface ImportNote {
  words: string
  lost: boolean
  count: number
  /** The first of them. */
  names: string[]
}

/** Maximum size of a file that’s dropped on the window, in bytes. Larger ones can be opened. */
export const maxDropped = 50_000_000

export const fileQuestions = {
  'export/ics': eventsFile.extend(fileChoice.shape),
  /** Writes events to a file that can be dragged out of the window. */
  'export/draggable': eventsFile.extend({ name: z.string() }),
  /** Lets the pressed pointer drag the file that was written last. */
  'export/drag': z.object({}),
  'export/csv': tableFile.extend(fileChoice.shape),
  /** A chart as the window drew it. */
  'export/chart': z.discriminatedUnion('format', [
    fileChoice.extend({ format: z.literal('svg'), text: z.string().max(20_000_000) }),
    fileChoice.extend({ format: z.literal('png'), bytes: z.instanceof(Uint8Array) }),
  ]),
  /**
   * Starts writing a table of the window to a file that the user chooses. Rows and end follow. Null if the user
   * cancels.
   */
  'table/begin': fileChoice.extend(tableFormatSchema.shape).extend({ head: tableHeadSchema }),
  'table/rows': tablePageSchema.extend({ id: z.number().int() }),
  /** Writes the received rows, completely or not at all. Announced as `table/progress`. */
  'table/end': z.object({ id: z.number().int() }),
  'table/stop': z.object({ id: z.number().int() }),
  'import/ics': z.object({}),
  /** Reads a file that was dropped on the window. */
  'import/dropped': z.object({
    name: z.string().max(1_000),
    bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= maxDropped),
  }),
  /** Cancels an import whose file is being read. The import fails with `aborted`. */
  'import/cancel': z.object({}),
} as const

export interface FileAnswers {
  /** null: the user closed the dialog without choosing. */
  'export/ics': SavedFile | null
  'export/draggable': Pick<SavedFile, 'leftOut'>
  'export/drag': null
  'export/csv': SavedFile | null
  'export/chart': Pick<SavedFile, 'path' | 'bytes'> | null
  'table/begin': { id: number } | null
  'table/rows': null
  'table/end': WrittenFile
  'table/stop': null
  'import/ics': ImportedEvents | null
  'import/dropped': ImportedEvents
  'import/cancel': null
}
