import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { numbers } from './numbers'

/** Number of distinct texts per dimension except the last, whose IDs are unique. IDs have 19 digits. */
export const wideDimensions = [12, 28, 30, 5, 400, 12_000, 50, 7, 90, 3, 12_000, 400]
/** Its metrics. With the thirteen dimensions, they're twenty columns. */
export const wideMetrics = [
  'Impressions',
  'Clicks',
  'Media Cost',
  'Total Conversions',
  'Total Revenue',
  'Video Plays',
  'Booked Clicks',
]
/** A dimension's text for this number. */
export const wideText = (dimension: number, text: number): string =>
  dimension > 10 ? `9${String(text).padStart(18, '0')}` : `Placement ${text} of ${dimension}`
export const wideHead = (dimension: number): string => `Dimension ${dimension}${dimension > 10 ? ' ID' : ''}`

/** The written values by row: text numbers of the first six dimensions, and impressions. */
export interface WideReport {
  codes: Uint16Array[]
  impressions: Int32Array
}

/** Writes a report with this many rows and twenty columns as the service would, about 270 bytes a row. */
export async function writeWideReport(path: string, rows: number): Promise<WideReport> {
  const next = numbers(7)
  const out = createWriteStream(path)
  const all = [...wideDimensions, rows]
  out.write(`${[...all.map((_count, at) => wideHead(at)), ...wideMetrics].join(',')}\r\n`)
  const texts = wideDimensions.map((count, at) => Array.from({ length: count }, (_, text) => wideText(at, text)))
  const codes = wideDimensions.slice(0, 6).map(() => new Uint16Array(rows))
  const impressions = new Int32Array(rows)
  for (let from = 0; from < rows; from += 1_000) {
    let lines = ''
    for (let row = from; row < Math.min(rows, from + 1_000); row++) {
      for (const [at, of] of texts.entries()) {
        const code = next(of.length)
        if (at < codes.length) codes[at]![row] = code
        lines += `${of[code]},`
      }
      const seen = (impressions[row] = next(1e6))
      lines += `${wideText(wideDimensions.length, row)},${seen},${next(1e4)},${next(1e3)}.${10 + next(90)},`
      lines += `${next(100)},${next(1e3)}.50,${next(50)},0\r\n`
    }
    if (!out.write(lines)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
  return { codes, impressions }
}
