const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** `812 bytes`, `4.2 MB`. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const shown = bytes / 1_000 ** power
  const digits = power > 0 && shown < 10 ? 1 : 0
  return `${shown.toLocaleString('en', { maximumFractionDigits: digits })} ${units[power]}`
}
