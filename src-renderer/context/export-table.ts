import { faultOf, type Fault } from '#shared/fault'
import { tooLarge } from '#shared/reports/export-formats'
import type { TableFormat, TableHead, TablePage, TableRowsSent } from '#shared/reports/export-table'
import { ask } from '../bridge'
import { counted } from '../ui/counted'
import type { AppContext } from './context'
import { formatOf, formats } from './export-formats'
import type { ExportEnd } from './export-presets.svelte'

/** A table as the window shows it. */
export interface ShownTable extends TableHead {
  suggestedName: string
  length: number
  /** Number of rows without filters. */
  of: number
  /** Loads rows from an index on. Rows that no longer exist are left out. */
  rows: (from: number, count: number) => TableRowsSent | Promise<TableRowsSent>
  /**
   * Replaces `rows` if another order is faster. Yields all remaining rows with their positions. `done` counts all rows
   * so far.
   */
  scattered?: (signal: AbortSignal) => AsyncIterable<TablePage & { done: number }>
  /** Additional notes after its rows were read, in sentences. */
  notes?: () => readonly string[]
}

/** Number of rows to read and send at once before yielding to the window. */
const page = 250

let lastFormat: TableFormat = formatOf(formats[0]!)

const shortened = (bytes: number): string =>
  bytes < 10_000 ? `${bytes.toLocaleString('en')} bytes` : `${Math.round(bytes / 1024).toLocaleString('en')} KB`

/** Says that no file was written, and why. */
export const notWritten = ({ message }: Fault): string =>
  /nothing was (written|saved)|no file was/i.test(message) ? message : `${message} Nothing was saved.`

async function* inOrder({ length, rows }: ShownTable): AsyncGenerator<TablePage & { done: number }> {
  for (let from = 0; from < length; from += page) {
    const count = Math.min(page, length - from)
    yield { rows: await rows(from, count), done: from + count }
  }
}

/**
 * Exports a table to a chosen file or folder, page by page and in its own process. Shows progress with a way to stop.
 */
export async function exportShown(
  app: AppContext,
  table: ShownTable,
  format = lastFormat,
  folder?: string,
): Promise<ExportEnd> {
  lastFormat = formatOf(format)
  const { suggestedName, title, columns, length, of } = table
  const narrowed = length < of ? `${length.toLocaleString('en')} of ${counted(of, 'row')} (filtered)` : ''
  const refusal = tooLarge(lastFormat.format, length, columns.length)
  if (refusal !== undefined) {
    app.toasts.show(refusal, { level: 'error' })
    return { how: 'none' }
  }
  const about = narrowed ? [['Rows', narrowed] as [string, string], ...table.about] : table.about
  const control = new AbortController()
  let stopped = false
  let id = 0
  const tell = (words: string, done: number): void => {
    app.toasts.show(`${words} ${done.toLocaleString('en')} of ${counted(length, 'row')}…`, {
      seconds: 60,
      passing: true,
      survivesAccountSwitch: true,
      action: {
        label: 'Stop',
        run: () => {
          stopped = true
          control.abort()
          void ask(app.bridge, 'table/stop', { id }).catch(() => undefined)
        },
      },
    })
  }
  const off = app.bridge.on('table/progress', (progress) => {
    if (progress.id === id && !stopped) tell('Saving', progress.done)
  })
  try {
    const begun = await ask(app.bridge, 'table/begin', {
      suggestedName,
      ...(folder !== undefined && { folder }),
      ...lastFormat,
      head: { title, about, columns },
    })
    if (!begun) return { how: 'none' }
    id = begun.id
    let reported = length > page * 4 ? -Infinity : Infinity
    const gathering = (done: number): void => {
      if (done - reported >= page * 10) tell('Preparing', (reported = done))
    }
    gathering(0)
    for await (const { done, ...sent } of table.scattered?.(control.signal) ?? inOrder(table)) {
      if (stopped) break
      await ask(app.bridge, 'table/rows', { id, ...sent })
      gathering(done)
    }
    const { path, rows, bytes, notes: written } = await ask(app.bridge, 'table/end', { id })
    const notes = [...written, ...(table.notes?.() ?? [])]
    const said = rows === length ? narrowed || counted(rows, 'row') : counted(rows, 'row')
    const text = [`Saved ${path.split(/[\\/]/).at(-1) ?? path}, ${said}, ${shortened(bytes)}.`, ...notes].join(' ')
    app.announce(text)
    app.toasts.show(text, {
      survivesAccountSwitch: true,
      ...(rows < length && { level: 'error' }),
      action: { label: 'Show in folder', run: () => void ask(app.bridge, 'app/reveal-file', { path }) },
    })
    return { how: 'written' }
  } catch (error) {
    if (id > 0) void ask(app.bridge, 'table/stop', { id }).catch(() => undefined)
    const fault = faultOf(error)
    if (folder !== undefined && id === 0 && fault.code === 'notFound') return { how: 'noFolder', words: fault.message }
    if (stopped) app.toasts.show('Stopped. Nothing was saved.', { survivesAccountSwitch: true })
    else app.toasts.show(notWritten(fault), { level: 'error', survivesAccountSwitch: true })
    return { how: 'none' }
  } finally {
    off()
    app.toasts.endProgress()
  }
}
