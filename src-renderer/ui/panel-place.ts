/** Pixels a panel may be wide. */
export const panelWidths = { least: 300, most: 640, usual: 372 } as const

/**
 * Where a panel stands in a frame of so many pixels, which is the window without the rail: beside the main pane from
 * 1400 px of window on where enough of that is left, over all of it where there is no room, otherwise over its edge.
 * @param taken pixels that panel and sidebar take
 */
export function panelPlace(frame: number, taken: number, docks: boolean): 'docked' | 'over' | 'covering' {
  if (frame < 844) return 'covering'
  return docks && frame >= 1328 && frame - taken >= 560 ? 'docked' : 'over'
}
