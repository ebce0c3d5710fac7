import type { PacingState } from '#shared/pacing/pacing'
import type { PacingRow } from '#shared/pacing/pacing-rows'

export const pacingSides = ['all', 'behind', 'ahead'] as const
export type PacingSide = (typeof pacingSides)[number]

const sides: Readonly<Partial<Record<PacingState, PacingSide>>> = {
  farBehind: 'behind',
  behind: 'behind',
  short: 'behind',
  ahead: 'ahead',
  farAhead: 'ahead',
  over: 'ahead',
}

export const onSide = (rows: readonly PacingRow[], side: PacingSide): PacingRow[] =>
  rows.filter(({ pacing }) => side === 'all' || sides[pacing.state] === side)

/** Key of a row. Includes the kind, because rows of both kinds can have the same ID. */
export const rowKey = ({ kind, id }: PacingRow): string => `${kind} ${id}`
