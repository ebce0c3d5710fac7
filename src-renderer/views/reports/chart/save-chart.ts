import { faultOf } from '#shared/fault'
import { ask } from '../../../bridge'
import type { AppContext } from '../../../context/context'
import type { PictureFormat } from '../../../context/export-formats'
import type { ExportEnd } from '../../../context/export-presets.svelte'
import type { Drawing } from './drawing'
import { lightPalette } from './light-palette'
import { pictureOf } from './picture'
import { pngOf } from './png-file'
import { screenWidth } from './screen-text'
import { svgText } from './svg-file'

/** Saves a chart where the user chooses, or in a folder. Reports the location or the error. */
export async function saveChart(
  app: AppContext,
  { drawing, summary }: { drawing: Drawing; summary: string },
  title: string,
  chosen: PictureFormat,
  to: { name?: string; folder?: string | undefined } = {},
): Promise<ExportEnd> {
  const { name = title, folder } = to
  try {
    const palette = lightPalette()
    const picture = pictureOf(drawing, title, screenWidth)
    const content =
      chosen.format === 'svg'
        ? { format: 'svg' as const, text: svgText(picture, { title, desc: summary }, palette) }
        : { format: 'png' as const, bytes: await pngOf(picture, palette, chosen.scale ?? 1) }
    const saved = await ask(app.bridge, 'export/chart', {
      suggestedName: name.slice(0, 200),
      ...(folder !== undefined && { folder }),
      ...content,
    })
    if (!saved) return { how: 'none' }
    const text = `Saved ${saved.path}.`
    app.announce(text)
    app.toasts.show(text, {
      seconds: 15,
      action: { label: 'Show in folder', run: () => void app.bridge.ask('app/reveal-file', { path: saved.path }) },
    })
    return { how: 'written' }
  } catch (error) {
    const fault = faultOf(error)
    if (folder !== undefined && fault.code === 'notFound') return { how: 'noFolder', words: fault.message }
    app.toasts.show(fault.message, { level: 'error' })
    return { how: 'none' }
  }
}
