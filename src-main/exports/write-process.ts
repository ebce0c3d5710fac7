import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { faultOf } from '#shared/fault'
import { tableHeadSchema, tablePageSchema, type TableHead, type TableRowsSent } from '#shared/reports/export-table'
import { onParentMessage, tellParent } from '../ipc/child-process'
import { exportTable } from './export-file'
import type { ExportTable } from './export-table'
import type { WriteOrder, WriteSaid } from './write-away'

// Collects the rows of one table and writes them, in its own process. Answers once. Then the parent ends the process.

// A table that needs more memory ends this process instead of using up the computer's.
setFlagsFromString('--max-old-space-size=3072')

const orderSchema = z.union([
  z.object({ head: tableHeadSchema }),
  tablePageSchema,
  z.object({ path: z.string(), options: z.record(z.string(), z.unknown()) }),
  z.object({ stop: z.literal(true) }),
])

const say = (said: WriteSaid): void => tellParent(said)
const control = new AbortController()
/** Rows by their number. Missing ones are empty. */
const gathered: TableRowsSent = []
let head: TableHead = { title: '', about: [], columns: [] }

onParentMessage((message) => {
  // The parent created these options, so they're trusted.
  const order = orderSchema.parse(message) as WriteOrder
  if ('head' in order) head = order.head
  else if ('rows' in order) order.rows.forEach((row, index) => (gathered[order.at?.[index] ?? gathered.length] = row))
  else if ('stop' in order) control.abort()
  else void write(order)
})

async function write({ path, options }: Extract<WriteOrder, { path: string }>): Promise<void> {
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
    say({ done, of: rows.length })
  }
  try {
    say({ written: await exportTable(path, table, { ...options, signal: control.signal, onrows }) })
  } catch (error) {
    say({ fault: faultOf(error) })
  }
}
