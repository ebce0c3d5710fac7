import { faultOf } from '#shared/fault'
import type { TableShape } from '#shared/results/questions'
import { tooLarge } from '#shared/reports/export-formats'
import type { ExportChoice } from '#shared/reports/export-presets'
import { momentName, nameFrom, shapeName, type NameParts } from '#shared/reports/file-names'
import type { Run } from '#shared/reports/runs'
import { ask } from '../../bridge'
import type { AppContext } from '../../context/context'
import { formatOf, formats, type Format } from '../../context/export-formats'
import type { ExportEnd } from '../../context/export-presets.svelte'
import { notWritten } from '../../context/export-table'
import type { ResultTable } from './grid/table.svelte'
import { counted } from '../../ui/counted'
import { sizeWords } from '../../ui/size-words'

export const exportFormats: readonly (Format & { label: string })[] = formats.map((one) => ({
  ...one,
  label: `${one.label}…`,
}))

/** Shape of the whole table. */
const whole: TableShape = { filters: [], group: [], sort: [] }

interface Wanted {
  /** Returns the file name without extension for a shape. */
  name: (shape: TableShape) => string
  format: Format
  rows?: ExportChoice['rows']
  /** Target folder. If absent, the user is asked. */
  folder?: string | undefined
}

/** Exports a table, with progress and a Stop button in a toast. */
export async function exportView(
  app: AppContext,
  results: ResultTable | null,
  { name, format, rows: which = 'shown', folder }: Wanted,
): Promise<ExportEnd> {
  // Wait for the latest filter, grouping, or sort order to apply.
  await results?.settled()
  const { table, view: shown, viewShape = whole } = results ?? {}
  if (!table || !shown) return { how: 'none' }
  const off = app.bridge.on('results/progress', ({ table: of, doing, done, of: most }) => {
    // Automatic exports report progress at the same time.
    if (doing !== 'writing' || of !== table.table) return
    app.toasts.show(`Writing ${done.toLocaleString('en')} of ${counted(most, 'row')}…`, {
      seconds: 60,
      passing: true,
      survivesAccountSwitch: true,
      action: { label: 'Stop', run: () => void ask(app.bridge, 'results/cancel', { table: table.table }) },
    })
  })
  try {
    const view =
      which === 'shown' ? shown : await ask(app.bridge, 'results/shape', { table: table.table, shape: whole })
    const refusal = tooLarge(format.format, view.rows, view.columns.length)
    if (refusal !== undefined) {
      app.toasts.show(refusal, { level: 'error' })
      return { how: 'none' }
    }
    const all = view.rows === view.of || (which === 'shown' && viewShape.group.length > 0)
    const file = await ask(app.bridge, 'results/export', {
      view: view.view,
      suggestedName: name(which === 'shown' ? viewShape : whole),
      ...formatOf(format),
      ...(folder !== undefined && { folder }),
    })
    if (!file) return { how: 'none' }
    const rows = all
      ? counted(file.rows, 'row')
      : `${file.rows.toLocaleString('en')} of ${counted(view.of, 'row')} (filtered)`
    const text = [`Saved ${nameOf(file.path)}, ${rows}, ${sizeWords(file.bytes)}.`, ...file.notes].join(' ')
    app.announce(text)
    app.toasts.show(text, {
      survivesAccountSwitch: true,
      action: { label: 'Show in folder', run: () => void ask(app.bridge, 'app/reveal-file', { path: file.path }) },
    })
    return { how: 'written' }
  } catch (error) {
    const fault = faultOf(error)
    if (folder !== undefined && fault.code === 'notFound') return { how: 'noFolder', words: fault.message }
    if (fault.code === 'aborted') app.toasts.show('Stopped. Nothing was saved.', { survivesAccountSwitch: true })
    else app.toasts.show(notWritten(fault), { level: 'error', survivesAccountSwitch: true })
    return { how: 'none' }
  } finally {
    off()
    app.toasts.endProgress()
  }
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Exports a table with the options of the dialog. */
export function exportByChoice(
  app: AppContext,
  results: ResultTable | null,
  parts: NameParts,
  { format, rows, template, folder, ...more }: ExportChoice,
): Promise<ExportEnd> {
  if (format === 'svg' || format === 'png') return Promise.resolve({ how: 'none' })
  const name = (shape: TableShape): string => nameFrom(template, { ...parts, view: shapeName(shape) })
  return exportView(app, results, { name, format: { format, ...more }, rows, folder })
}

/** True if the view differs from the whole table. */
export const isNarrowed = ({ viewShape: shape, view }: ResultTable): boolean =>
  shape.group.length > 0 || shape.columns !== undefined || (view !== null && view.rows !== view.of)

/** Values for the placeholders in file names. */
export function namePartsOf(
  app: AppContext,
  { title, run, results }: { title: string; run: Run | undefined; results: ResultTable | null },
): NameParts {
  const { group = [], filters = [] } = results?.viewShape ?? {}
  return {
    report: title,
    account: app.account.label,
    run: momentName(run?.asked ?? app.clock.now, app.preferences.zone),
    view: shapeName({ group, filters }),
    ...(run?.range && { from: run.range.from, to: run.range.to }),
  }
}
