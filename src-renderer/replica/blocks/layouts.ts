import { factsOf, type Facts } from '#shared/facts/facts'
import { calendarLayout } from './calendar-layout'
import { fieldLayout, wholeLayout, type Layout } from './layout'

/** Layout of each collection. */
export interface Layouts {
  of(collection: string): Layout
  /** Names of the collections stored as windows. */
  windows: readonly string[]
}

export function layoutsOf(windows: Readonly<Record<string, Layout>>): Layouts {
  const known = new Map(Object.entries(windows))
  return { of: (collection) => known.get(collection) ?? wholeLayout, windows: [...known.keys()].sort() }
}

/** Collections whose columns in memory aren't fields. */
const drawn: Readonly<Record<string, Layout>> = { events: calendarLayout }

/**
 * Layouts of an account's collections. A window's columns are those of its grid, then the fields by which downloads select
 * records. Rows with the same value in the first of these fields are stored together.
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

/** Layouts for an account whose services use their newest versions. */
export const newestLayouts = layoutsFor(factsOf())
