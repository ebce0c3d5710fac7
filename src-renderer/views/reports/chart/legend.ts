import { fitted, type Mark, type Space } from './drawing'

/** Series names in rows, for drawings without line ends to label. `y` is the top edge. */
export function legend(
  names: readonly string[],
  y: number,
  { width, textWidth }: Space,
): { marks: Mark[]; height: number } {
  const marks: Mark[] = []
  let [x, line] = [0, 0]
  names.forEach((name, series) => {
    const text = fitted(name, Math.max(40, width - 24), 11, textWidth)
    const wide = textWidth(text, 11) + 34
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1]
    const top = y + line * 20
    marks.push({ kind: 'bar', x, y: top, width: 12, height: 12, series, patterned: true })
    marks.push({ kind: 'text', x: x + 18, y: top + 10, text, anchor: 'start', tone: 'soft', size: 11 })
    x += wide
  })
  return { marks, height: (line + 1) * 20 }
}
