import { Tooltip } from 'bits-ui'

export interface Hint {
  /** Omitted if the button shows its label. */
  label?: string
  keys?: string
  side: 'top' | 'right' | 'bottom' | 'left'
}

/** Connects elements to the window's single tooltip, which outlives them. */
export const tooltips = Tooltip.createTether<Hint>()
