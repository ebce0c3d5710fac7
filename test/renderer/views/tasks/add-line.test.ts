import { describe, expect, it } from 'vitest'
import { readLine } from '../../../../src-renderer/views/tasks/add-line'
import { taskProblem } from '../../../../src-renderer/views/tasks/limits'

const monday = Date.UTC(2026, 6, 13)
const day = (due: number | null): string | null => (due === null ? null : new Date(due).toISOString().slice(0, 10))

describe('a line for a new task', () => {
  it.each([
    ['Call the printer fri', 'Call the printer', '2026-07-17'],
    ['Call the printer by friday', 'Call the printer', '2026-07-17'],
    ['Book hotel 14 aug', 'Book hotel', '2026-08-14'],
    ['Book hotel fri 14 aug', 'Book hotel', '2026-08-14'],
    ['Pay rent tomorrow', 'Pay rent', '2026-07-14'],
    ['Send plan in 2 weeks', 'Send plan', '2026-07-27'],
    ['Send plan 2026-09-01', 'Send plan', '2026-09-01'],
  ])('reads the day at the end of “%s”', (line, title, due) => {
    const read = readLine(line, monday)
    expect([read.title, day(read.due)]).toEqual([title, due])
  })

  it.each(['Read chapter 5.6', 'Buy 3', 'Ask Mina what may', 'friday', 'Plan for 2027', 'Order 12 bottles'])(
    'keeps “%s” as words',
    (line) => {
      expect(readLine(line, monday)).toEqual({ title: line, due: null, words: '' })
    },
  )
})

describe('the limits of a task', () => {
  it('are the service’s own, told before anything is sent', () => {
    expect(taskProblem('Task', { title: 'x'.repeat(1024) })).toBeUndefined()
    expect(taskProblem('Task', { title: 'x'.repeat(1025) })).toMatch(/1,024 characters; this has 1,025/)
    expect(taskProblem('Task', { notes: 'x'.repeat(8193) })).toMatch(/8,192/)
    expect(taskProblem('TaskList', { title: 'x'.repeat(1025) })).toMatch(/1,024/)
  })
})
