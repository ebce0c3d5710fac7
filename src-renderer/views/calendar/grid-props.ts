import type { Span } from './layout/drag'
import type { Entry } from './layout/entry'

/** Callbacks of a grid of days. */
export interface GridProps {
  onopen: (entry: Entry, anchor: HTMLElement) => void
  onedit: (entry: Entry) => void
  oncreate: (span: Span) => void
  /** Called to open the menu of what’s under the pointer or has the focus. `span`: free time there. */
  onmenu: (event: MouseEvent, span?: Span) => unknown
  onday: (day: number) => void
  /** `keys`: the entries that are hidden. All of the day’s if absent. */
  onmore: (day: number, anchor: HTMLElement, keys?: ReadonlySet<string>) => void
}
