import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { currentLabel } from '#shared/former-words'
import type { Notice } from './api'
import type { Tx } from './tx'
import { stepOf, type UndoSteps } from './undo-steps'

/** Key of a mark stored while a bulk edit is running, because a crash leaves part of the edit. */
export const interruptedEditMeta = 'half-done'

const interruptedEditSchema = z.object({ group: z.string(), count: z.number() })

export const markEditStarted = (tx: Tx, group: string, count: number): void =>
  tx.putMeta(interruptedEditMeta, { group, count })
export const markEditEnded = (tx: Tx): void => void tx.writes.push({ table: 'meta', remove: interruptedEditMeta })

/** Alert at startup about an interrupted bulk edit. Undefined if nothing of it was saved. */
export function interruptedEditAlert(
  meta: ReadonlyMap<string, unknown>,
  undo: UndoSteps,
  at: number,
): Notice | undefined {
  const read = safeParse(interruptedEditSchema, meta.get(interruptedEditMeta))
  if (!read.success) return undefined
  const { group, count } = read.data
  const parts = [...undo.keys()].map((id) => undo.get(id)!).filter((part) => stepOf(part) === group)
  const [first] = parts
  if (!first) return undefined
  const changes = parts.reduce((sum, { items }) => sum + items.length, 0)
  const [done, verb] = [changes.toLocaleString('en'), changes === 1 ? 'was' : 'were']
  const of = count.toLocaleString('en')
  const label = currentLabel(first.label).replaceAll('*', '')
  const text =
    first.stack === 'undo'
      ? `Flightplan closed during “${label}”. ${done} of ${of} changes ${verb} saved. You can undo these changes, or repeat the edit to make all of them.`
      : `Flightplan closed while undoing “${label}”. ${done} of ${of} changes ${verb} undone. Undo again to finish.`
  return {
    id: `half-done-${group}`,
    level: 'warning',
    title: 'A bulk change was interrupted',
    text,
    at,
  }
}
