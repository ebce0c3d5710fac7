import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { minColumnWidth, maxColumnWidth, type ColumnChoice } from './grid-columns'

const choice = z.object({
  shown: z.array(z.string().max(200)).max(100).optional().catch(undefined),
  widths: z.record(z.string(), z.number().min(minColumnWidth).max(maxColumnWidth)).optional().catch(undefined),
})

/** Column settings by kind. Falls back to the defaults if they can't be read. */
export function columnSettings(stored: unknown): Record<string, ColumnChoice> {
  const read = safeParse(z.record(z.string(), z.unknown()), stored)
  if (!read.success) return {}
  return Object.fromEntries(
    Object.entries(read.data).flatMap(([kind, value]) => {
      const one = safeParse(choice, value)
      if (!one.success) return []
      const { shown, widths } = one.data
      return [[kind, { ...(shown && shown.length > 0 && { shown }), ...(widths && { widths }) }]]
    }),
  )
}
