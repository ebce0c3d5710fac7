import { SaxesParser } from 'saxes'

/** Days between the last of 1899, from which workbooks count, and 1970; and how many more where they count from 1904. */
const untilUnix = 25_569
const later = 1_462

const letters = /[dy]/i

/** Whether a format shows a number as a day: `yyyy-mm-dd`, not `0.00 "days"`. */
function showsDays(format: number, codes: ReadonlyMap<number, string>): boolean {
  const code = codes.get(format)
  if (code === undefined) return (format >= 14 && format <= 17) || format === 22
  return letters.test(code.replace(/"[^"]*"|\\.|_.|\[[^\]]*\]/g, ''))
}

/** The styles of cells, by their place in `xl/styles.xml`, that show a number as a day. */
export function dayStyles(xml: string): ReadonlySet<number> {
  const codes = new Map<number, string>()
  const days = new Set<number>()
  let [inside, count] = [false, 0]
  const used: number[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
    else if (name === 'cellXfs') inside = true
    else if (name === 'xf' && inside) used[count++] = Number(attributes['numFmtId'] ?? 0)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'cellXfs') inside = false
  })
  parser.write(xml).close()
  for (const [style, format] of used.entries()) if (showsDays(format, codes)) days.add(style)
  return days
}

/** `2026-11-22`, with the time of day where there is one, of a number that is shown as a day; as it is where it is none. */
export function dayOfSerial(text: string, from1904: boolean): string {
  const serial = Number(text)
  // Sheets count a 29 February 1900 that never was.
  if (text === '' || !(serial >= 61) || serial > 2_958_466) return text
  const at = new Date(Math.round((serial + (from1904 ? later : 0) - untilUnix) * 86_400_000)).toISOString()
  return Number.isInteger(serial) ? at.slice(0, 10) : `${at.slice(0, 10)} ${at.slice(11, 19)}`
}
