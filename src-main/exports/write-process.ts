import { setFlagsFromString } from 'node:v8'
import { FaultError } from '#shared/fault'
import { tableHeadSchema, tablePageSchema, type TableHead, type TableRowsSent } from '#shared/reports/export-table'
import { answerParent, type Answering } from '../ipc/child-process'
import { exportTable, type Exported } from './export-file'
import type { ExportTable } from './export-table'
import type { WriteContract, WriteProgress, WriteTo } from './write-away'

// Collects the rows of one table and writes them, in its own process. Answers once. Then the parent ends the process.

// A table that needs more memory ends this process instead of using up the computer's.
setFlagsFromString('--max-old-space-size=3072')

/** Rows by their number. Missing ones are empty. */
const gathered: TableRowsSent = []
let finish: (to: WriteTo) => void

answerParent<WriteContract>({
  write: async (head, { signal, tell }) => {
    const to = new Promise<WriteTo>((resolve, reject) => {
      finish = resolve
      signal.addEventListener('abort', () =>
        reject(new FaultError({ code: 'aborted', message: 'Canceled. Nothing was saved.' })),
      )
    })
    return write(tableHeadSchema.parse(head), await to, { signal, tell })
  },
  rows: (page) => {
    const { rows, at } = tablePageSchema.parse(page)
    rows.forEach((row, index) => (gathered[at?.[index] ?? gathered.length] = row))
    return null
  },
  finish: (to) => {
    finish(to)
    return null
  },
})

async function write(
  head: TableHead,
  { path, options }: WriteTo,
  { signal, tell }: Pick<Answering<WriteProgress>, 'signal' | 'tell'>,
): Promise<Exported> {
  const rows = gathered.filter(() => true)
  const value = (row: number, column: number): string | number | null => rows[row]![column] ?? null
  const table: ExportTable = {
    ...head,
    length: rows.length,
    value,
    text: (row, column) => String(value(row, column) ?? ''),
  }
  let said = -Infinity
  const onrows = (done: number): void => {
    if (done < rows.length && done - said < rows.length / 100) return
    said = done
    tell({ done, of: rows.length })
  }
  return exportTable(path, table, { ...options, signal, onrows })
}
