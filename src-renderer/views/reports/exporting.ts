import { faultOf } from '#shared/fault'
import { ask } from '../../bridge'
import type { AppContext } from '../../context/context'
import { formatOf, formats, type Format } from '../../context/export-formats'
import type { FigureTable } from './grid/table.svelte'
import { counted } from '../../ui/counted'
import { sizeWords } from './run-words'

export const exportFormats: readonly (Format & { label: string })[] = formats.map((one) => ({
  ...one,
  label: `${one.label}…`,
}))

/** What was last exported to: the key for exporting does the same again. */
let lastFormat: Format = formatOf(formats[0]!)

/** Writes what is shown to where the person says; told as it goes, with a way to stop. */
export async function exportView(
  app: AppContext,
  figures: FigureTable | null,
  suggestedName: string,
  format: Format = lastFormat,
): Promise<void> {
  const { table, view } = figures ?? {}
  if (!table || !view) return
  lastFormat = formatOf(format)
  const all = view.rows === view.of || figures!.shape.group.length > 0
  const off = app.bridge.on('figures/progress', ({ table: of, doing, done, of: most }) => {
    // Exports that follow runs are written meanwhile.
    if (doing !== 'writing' || of !== table.table) return
    app.toasts.show(`Writing ${done.toLocaleString('en')} of ${counted(most, 'row')} …`, {
      seconds: 60,
      action: { label: 'Stop', run: () => void ask(app.bridge, 'figures/cancel', { table: table.table }) },
    })
  })
  try {
    const file = await ask(app.bridge, 'figures/export', { view: view.view, suggestedName, ...lastFormat })
    if (!file) return
    const rows = all
      ? counted(file.rows, 'row')
      : `filtered: ${file.rows.toLocaleString('en')} of ${counted(view.of, 'row')}`
    const text = [`Saved ${nameOf(file.path)}, ${rows}, ${sizeWords(file.bytes)}.`, ...file.notes].join(' ')
    app.announce(text)
    app.toasts.show(text, {
      action: { label: 'Show', run: () => void ask(app.bridge, 'app/reveal-file', { path: file.path }) },
    })
  } catch (error) {
    const fault = faultOf(error)
    if (fault.code === 'aborted') app.toasts.show('Stopped. Nothing was written.')
    else app.toasts.show(`${fault.message} Nothing was written.`, { level: 'error' })
  } finally {
    off()
  }
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path
