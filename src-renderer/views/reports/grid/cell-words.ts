import { isFigure, type ColumnAbout, type FigureKind } from '#shared/figures/kinds'

/** Digits in groups of three; texts as long as these are exact. */
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

function numberWords(text: string, decimals?: number): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') return text
  if (decimals === undefined) return `${sign}${grouped(whole)}${rest && `.${rest}`}`
  return Number(text).toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

/** `3 Mar 2026` stays as it is sorted: `2026-03-03`. What a service writes for nothing is told from a value. */
export function cellWords(text: string, kind: FigureKind): string {
  if (text === '' || text === '---') return '–'
  switch (kind) {
    case 'count':
      return numberWords(text)
    case 'money':
      return numberWords(text, 2)
    case 'percent':
      return percentWords(text)
    case 'number':
      return numberWords(text)
    default:
      return text
  }
}

/** Trafficking writes `0.3579%`, search a share of one. */
function percentWords(text: string): string {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (!Number.isFinite(share)) return text
  return `${(share * 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}%`
}

/** Pixels that a column takes unless somebody drags it. */
export function usualWidth({ kind, head }: ColumnAbout): number {
  const words = Math.min(220, Math.max(72, head.length * 7 + 34))
  if (isFigure(kind)) return Math.max(92, words)
  if (kind === 'id') return Math.max(120, words)
  return kind === 'text' ? Math.max(190, words) : Math.max(104, words)
}

export const atRight = ({ kind }: ColumnAbout): boolean => isFigure(kind)
