import { dueDay } from '../domain/task-days'
import { nextDue, readNotes, readRepeat } from '../domain/task-notes'
import type { JsonObject } from '../json'
import type { Once } from './entry'

const dayMs = 86_400_000

/** True if a record makes a creation with this condition unnecessary. */
export const meetsCondition = (value: JsonObject, once: Once): boolean =>
  Object.entries(once).every(([field, wanted]) => {
    const text = typeof value[field] === 'string' ? value[field] : ''
    if ('is' in wanted) return text === wanted.is
    if ('since' in wanted) return follows(dueDay({ due: text }), wanted)
    const lines = text.trimEnd().split('\n')
    if ('ends' in wanted) return lines.at(-1) === wanted.ends
    const { time } = readNotes(text).extras
    // Someone may have given it a time since, or taken it away.
    if (time !== undefined && wanted.time !== undefined && time !== wanted.time) return false
    return lines.some((line) => line.trim().split(' · ').includes(wanted.has))
  })

/** True for no day, the day `since`, and later days on which a task repeats. */
function follows(day: number | null, { since, by }: { since: string; by: string }): boolean {
  const [repeat, from] = [readRepeat(by), dueDay({ due: since })]
  if (day === null || from === null || !repeat || day === from) return true
  return day > from && nextDue(repeat, from, day - dayMs) === day
}
