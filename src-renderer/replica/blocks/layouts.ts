import { calendarLayout } from './calendar-layout'
import { wholeLayout, type Layout } from './layout'

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

/** Those of the collections that this computer keeps. Any that is not named is small. */
export const layouts = layoutsOf({ events: calendarLayout })
