import { mount, unmount } from 'svelte'
import { Announcer } from '../../../src-renderer/ui/announcer.svelte'
import Chart from '../../../src-renderer/views/reports/chart/Chart.svelte'
import type { ChartForm } from '../../../src-renderer/views/reports/chart/form'
import type { Drawing } from '../../../src-renderer/views/reports/chart/drawing'
import { lightPalette } from '../../../src-renderer/views/reports/chart/light-palette'
import { pictureOf } from '../../../src-renderer/views/reports/chart/picture'
import { pngOf } from '../../../src-renderer/views/reports/chart/png-file'
import { screenWidth } from '../../../src-renderer/views/reports/chart/screen-text'
import { svgText } from '../../../src-renderer/views/reports/chart/svg-file'
import PacingList from '../../../src-renderer/views/reports/pacing/PacingList.svelte'
import '../../../src-renderer/ui/tokens.css'
import '../../../src-renderer/ui/base.css'
import '../../../src-renderer/ui/controls.css'
import '../../../src-renderer/ui/layout.css'
import { chartSamples } from '../../helpers/chart-data'
import { pacingAsOf, pacingSample } from '../../helpers/pacing-rows'

const announcer = new Announcer()
export const spoken = (): string => announcer.polite.at(-1)?.text ?? ''

type Shown = { current: () => { drawing: Drawing; summary: string } | undefined }
let shown: object[] = []
const charts = new Map<string, Shown>()

function cleared(): HTMLElement {
  for (const one of shown) void unmount(one)
  charts.clear()
  const target = document.querySelector('main')!
  target.replaceChildren()
  return target
}
function placed(target: HTMLElement, css: string): HTMLElement {
  const place = document.createElement('section')
  place.style.cssText = css
  target.append(place)
  return place
}

/** Shows these charts below each other, as wide as the window or as given. */
export function show(names: readonly string[], width?: number): void {
  const target = cleared()
  shown = names.map((name) => {
    const { source, form, currency, unsettledFrom } = chartSamples[name]!
    const place = placed(target, `padding: 16px; ${width === undefined ? '' : `width: ${width}px`}`)
    const chart = mount(Chart, {
      target: place,
      props: { source, form: form as ChartForm, title: name, currency, unsettledFrom, announcer },
    })
    charts.set(name, chart as Shown)
    return chart
  })
}

/** Records opened from the pacing list. */
export const opened: string[] = []

export function showPacing(count = pacingSample.length): void {
  const rows = pacingSample.slice(0, count)
  const target = placed(cleared(), 'height: 640px; padding-top: 16px')
  const onopen = (key: string): void => void opened.push(key)
  shown = [mount(PacingList, { target, props: { rows, asOf: pacingAsOf, currencyOf: () => 'EUR', onopen } })]
}

/** A visible chart as a file: SVG text, or PNG bytes in base64. */
export async function file(name: string, kind: 'svg' | 1 | 2): Promise<string> {
  const { drawing, summary } = charts.get(name)!.current()!
  const picture = pictureOf(drawing, name, screenWidth)
  if (kind === 'svg') return svgText(picture, { title: name, desc: summary }, lightPalette())
  const bytes = await pngOf(picture, lightPalette(), kind)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
export const names = Object.keys(chartSamples)
