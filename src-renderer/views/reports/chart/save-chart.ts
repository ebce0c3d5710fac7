import { faultOf } from '#shared/fault'
import { ask } from '../../../bridge'
import type { AppContext } from '../../../context/context'
import type { Drawing } from './drawing'
import { lightPalette } from './light-palette'
import { pictureOf } from './picture'
import { pngOf } from './png-file'
import { screenWidth } from './screen-text'
import { svgText } from './svg-file'

export const pictureFormats = [
  { format: 'svg', label: 'Picture, scalable (.svg)…' },
  { format: 'png', scale: 1, label: 'Picture (.png)…' },
  { format: 'png', scale: 2, label: 'Picture, twice the pixels (.png)…' },
] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** Writes a chart to where the person says; told where it is, or why nothing was written. */
export async function saveChart(
  app: AppContext,
  { drawing, summary }: { drawing: Drawing; summary: string },
  title: string,
  chosen: PictureFormat,
): Promise<void> {
  try {
    const palette = lightPalette()
    const picture = pictureOf(drawing, title, screenWidth)
    const content =
      chosen.format === 'svg'
        ? { format: 'svg' as const, text: svgText(picture, { title, desc: summary }, palette) }
        : { format: 'png' as const, bytes: await pngOf(picture, palette, chosen.scale) }
    const saved = await ask(app.bridge, 'export/chart', { suggestedName: title, ...content })
    if (!saved) return
    const text = `Saved ${saved.path}.`
    app.announce(text)
    app.toasts.show(text, {
      seconds: 15,
      action: { label: 'Show in folder', run: () => void app.bridge.ask('app/reveal-file', { path: saved.path }) },
    })
  } catch (error) {
    app.toasts.show(faultOf(error).message, { level: 'error' })
  }
}
