import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { shapeSchema, type TableShape } from '#shared/results/questions'

/** Layout of a report's table: its shape, and widths by column. */
export interface Layout {
  shape?: TableShape
  widths?: Readonly<Record<string, number>>
}

const storageKey = 'flightplan.report-layouts'
/** Maximum number of remembered layouts. The least recently used ones are dropped. */
const maxLayouts = 200
const schema = z.array(
  z.tuple([
    z.string(),
    z.object({ shape: shapeSchema.optional().catch(undefined), widths: z.record(z.string(), z.number()).optional() }),
  ]),
)

function read(): [string, Layout][] {
  try {
    const found = safeParse(schema, JSON.parse(localStorage.getItem(storageKey) ?? '[]'))
    return found.success ? (found.data as [string, Layout][]) : []
  } catch {
    return []
  }
}

/** The remembered layout, or an empty one. */
export const layoutOf = (name: string): Layout => read().find(([known]) => known === name)?.[1] ?? {}

export function keepLayout(name: string, layout: Layout): void {
  const others = read().filter(([known]) => known !== name)
  try {
    localStorage.setItem(storageKey, JSON.stringify([[name, layout], ...others].slice(0, maxLayouts)))
  } catch {
    // Ignore a full disk: only the layout is lost.
  }
}
