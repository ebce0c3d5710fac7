import { Tooltip } from 'bits-ui'

export interface Hint {
  /** Omitted if the button shows its label. */
  label?: string
  keys?: string
  side: 'top' | 'right' | 'bottom' | 'left'
}

/** Joins whatever has a hint with the one tooltip of the window, which outlives it. */
export const tooltips = Tooltip.createTether<Hint>()
