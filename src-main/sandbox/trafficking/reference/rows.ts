import type { Stored } from '../stored'

/** Rows of a table, created when the module loads and shared: never changed. */
export const rows = (list: readonly Stored[]): readonly Stored[] => list.map((row) => Object.freeze(row))

/** The non-empty lines of a table, their cells apart by `|`. */
export const cells = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()))
