import { figureWords } from '#shared/figures/figure-words'
import { isFigure, type ColumnAbout, type FigureKind } from '#shared/figures/kinds'

/** Formats a cell. Shows a dash for the service's placeholder for no value. */
export const cellWords = (text: string, kind: FigureKind): string =>
  text === '' || text === '---' ? '–' : figureWords(text, kind)

/** Default column width in pixels. */
export function usualWidth({ kind, head }: ColumnAbout): number {
  const words = Math.min(220, Math.max(72, head.length * 7 + 34))
  if (isFigure(kind)) return Math.max(92, words)
  if (kind === 'id') return Math.max(120, words)
  return kind === 'text' ? Math.max(190, words) : Math.max(104, words)
}

export const atRight = ({ kind }: ColumnAbout): boolean => isFigure(kind)
