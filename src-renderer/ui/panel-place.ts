/** Pixels a panel may be wide. */
export const panelWidths = { min: 300, max: 640, usual: 372 } as const

/**
 * Places a panel in a frame (the window without the rail) by width: docked from a window of 1400 px if enough of the
 * main pane is left, covering all of it if there is no room, otherwise over its edge.
 * @param taken width of panel and sidebar, in CSS pixels
 */
export function panelPlace(frame: number, taken: number, docks: boolean): 'docked' | 'over' | 'covering' {
  if (frame < 844) return 'covering'
  return docks && frame >= 1328 && frame - taken >= 560 ? 'docked' : 'over'
}
