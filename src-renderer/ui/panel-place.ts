/** Pixels a panel may be wide. */
export const panelWidths = { min: 300, max: 640, usual: 372 } as const

/**
 * Places a panel in a frame (the window without the rail) by width: docked from a certain width if enough of the main pane
 * is left, covering all of it if there is no room, otherwise over its edge.
 * @param taken width of panel and sidebar, in CSS pixels
 * @param docksFrom minimum width of the frame to dock it
 */
export function panelPlace(frame: number, taken: number, docksFrom: number): 'docked' | 'over' | 'covering' {
  if (frame < 844) return 'covering'
  return frame >= docksFrom && hasRoom(frame, taken) ? 'docked' : 'over'
}

/** True if the main pane has enough room next to panels. */
const hasRoom = (frame: number, taken: number): boolean => frame - taken >= 560

/** True if a panel only docks without the sidebar. Covering what a panel is about would be worse. */
export const sidebarYields = (frame: number, panel: number, sidebar: number, docksFrom: number): boolean =>
  panelPlace(frame, panel, docksFrom) === 'docked' && !hasRoom(frame, panel + sidebar)
