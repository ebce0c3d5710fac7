/** Dashes of lines and patterns of areas distinguish series without relying on color. */
export const dashes: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2]]

export interface Pattern {
  /** A path in a tile of eight by eight. */
  d: string
  /** Filled, else stroked. */
  filled: boolean
}
export const tile = 8

const speck = (x: number, y: number): string => `M${x - 1.2},${y}a1.2,1.2,0,1,0,2.4,0a1.2,1.2,0,1,0,-2.4,0Z`

export const patterns: readonly (Pattern | null)[] = [
  null,
  { d: 'M-2,2L2,-2M0,8L8,0M6,10L10,6', filled: false },
  { d: speck(2, 2) + speck(6, 6), filled: true },
  { d: 'M-2,6L2,10M0,0L8,8M6,-2L10,2', filled: false },
  { d: 'M0,2H8M0,6H8', filled: false },
  { d: 'M2,0V8M6,0V8', filled: false },
]
/** Opacity of a pattern. */
export const patternStrength = { filled: 0.42, stroked: 0.32 }
export const hatchWidth = 1.5

/** Styles of values that may still change: hatching behind them, or wide stripes over bars. */
export const unsettledHatch = {
  d: 'M-2,2L2,-2M0,8L8,0M6,10L10,6',
  behind: { width: 1.5, strength: 0.4 },
  over: { width: 3, strength: 0.75 },
} as const

/** Background opacity of a cell, by level. */
export const cellStrength = (level: number): number => 0.04 + level * 0.085
