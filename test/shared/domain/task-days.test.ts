import { describe, expect, it } from 'vitest'
import { byUrgency, dueDay, isShownTask, logbookDays, upcomingDays } from '#shared/domain/task-days'

const day = (date: number): number => Date.UTC(2026, 5, date)
const today = day(10)
const task = (id: string, due: number | null, completed?: number) => ({
  id,
  due: due === null ? null : day(due),
  done: completed !== undefined,
  completedAt: completed ?? null,
})
const ids = (tasks: readonly { id: string }[]): string[] => tasks.map(({ id }) => id)

describe('tasks by day', () => {
  it('reads the date of a due time, and no other text', () => {
    expect(dueDay({ due: '2026-06-10T00:00:00.000Z' })).toBe(today)
    expect(dueDay({ due: '2026-06-10T22:00:00.000Z' })).toBe(today)
    for (const due of [undefined, null, 5, '', 'soon']) expect(dueDay({ ...(due !== undefined && { due }) })).toBeNull()
  })

  it('shows neither deleted nor cleared tasks', () => {
    expect([{}, { deleted: true }, { hidden: true }, null].map((value) => isShownTask(value))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('sorts open tasks by how soon they are due', () => {
    const groups = byUrgency(
      [task('a', 9), task('b', 10), task('c', 11), task('d', 17), task('e', 18), task('f', null), task('g', 9, 1)],
      today,
    )
    expect(Object.entries(groups).map(([name, tasks]) => [name, ids(tasks)])).toEqual([
      ['overdue', ['a']],
      ['today', ['b']],
      ['next7', ['c', 'd']],
      ['later', ['e']],
      ['undated', ['f']],
    ])
  })

  it('lists every upcoming day, then only those with tasks', () => {
    const days = upcomingDays([task('later', 30), task('b', 12), task('today', 10), task('done', 12, 1)], today, 3)
    expect(days.map(({ day, tasks }) => [new Date(day).getUTCDate(), ids(tasks)])).toEqual([
      [11, []],
      [12, ['b']],
      [13, []],
      [30, ['later']],
    ])
  })

  it('keeps a logbook by day of completion, the newest first', () => {
    const at = (date: number, hour: number): number => day(date) + hour * 3_600_000
    const done = [task('a', null, at(9, 8)), task('b', null, at(9, 23)), task('c', 9, at(9, 12)), task('open', 9)]
    const berlin = (instant: number): number => Math.floor((instant + 7_200_000) / 86_400_000) * 86_400_000
    expect(logbookDays(done, berlin).map(({ day, tasks }) => [new Date(day).getUTCDate(), ids(tasks)])).toEqual([
      [10, ['b']],
      [9, ['c', 'a']],
    ])
  })
})
