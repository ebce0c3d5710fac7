import { factsOf, type Facts } from '#shared/facts/facts'
import { calendarLayout } from './calendar-layout'
import { fieldLayout, wholeLayout, type Layout } from './layout'

/** What each collection is kept by. */
export interface Layouts {
  of(collection: string): Layout
  /** Names of the collections that are kept as windows. */
  windows: readonly string[]
}

export function layoutsOf(windows: Readonly<Record<string, Layout>>): Layouts {
  const known = new Map(Object.entries(windows))
  return { of: (collection) => known.get(collection) ?? wholeLayout, windows: [...known.keys()].sort() }
}

/** Collections of which memory holds something else than fields. */
const drawn: Readonly<Record<string, Layout>> = { events: calendarLayout }

/**
 * How an account keeps its collections. A window has the columns that a grid shows, in their order, and after these the
 * fields by which parts of it are read; rows of the widest of these parts lie together.
 */
export function layoutsFor({ all }: Pick<Facts, 'all'>): Layouts {
  const windows = all.filter(({ keep }) => keep === 'window')
  return layoutsOf(
    Object.fromEntries(
      windows.map(({ name, columns, cuts }): [string, Layout] => {
        const fields = cuts.flatMap(({ field }) => field ?? [])
        return [name, drawn[name] ?? fieldLayout([...new Set([...columns, ...fields])], fields[0])]
      }),
    ),
  )
}

/** Those of an account whose services speak their newest versions. */
export const newestLayouts = layoutsFor(factsOf())
