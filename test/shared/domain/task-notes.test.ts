import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  extrasLine,
  nextDue,
  readNotes,
  readRepeat,
  repeatsFrom,
  repeatWords,
  tagsOf,
  withMarkerLast,
  writeNotes,
  type Repeat,
} from '#shared/domain/task-notes'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const next = (words: string, due: string, today = due): string =>
  new Date(nextDue(readRepeat(words)!, day(due), day(today))).toISOString().slice(0, 10)

describe('extras in the notes of a task', () => {
  it('are words in the last line, which any client can show', () => {
    const repeat: Repeat = { every: 2, unit: 'week', weekdays: [1, 4] }
    const notes = writeNotes({ text: 'Ask Mina\n', extras: { repeat, important: true } })
    expect(notes).toBe('Ask Mina\n\n↻ every 2 weeks on Mon, Thu · ! important')
    expect(readNotes(notes)).toEqual({ text: 'Ask Mina', extras: { repeat, important: true } })
    expect(readNotes(`${notes}\n`).extras).toEqual({ repeat, important: true })
    expect(writeNotes({ text: '', extras: { repeat } })).toBe('↻ every 2 weeks on Mon, Thu')
  })

  it('also hold a time and tags', () => {
    const extras = { time: 15 * 60, important: true, tags: ['#work', '#Büro-2'] } as const
    const notes = writeNotes({ text: 'Ask Mina', extras })
    expect(notes).toBe('Ask Mina\n\nat 15:00 · ! important · #work #Büro-2')
    expect(readNotes(notes)).toEqual({ text: 'Ask Mina', extras })
    expect(readNotes('at 00:05').extras).toEqual({ time: 5 })
    expect(tagsOf('Call #home and #Work', extras)).toEqual(['#work', '#Büro-2', '#home'])
  })

  it('leave notes with anything else in the last line alone', () => {
    for (const notes of [
      '',
      'Ask Mina',
      '↻ every now and then',
      '↻ every day · then rest',
      'every day',
      '↻ every week',
      'at 24:00',
      'at 9:00',
      'at noon',
      'at 09:00 · at 10:00',
      '#1',
      '#work #Work',
      '#work  #home',
      '#work · #home',
      'Ask #work',
      'at 09:00\nmore',
      '#work\nmore',
    ])
      expect(readNotes(notes)).toEqual({ text: notes, extras: {} })
  })

  it.each([
    ['↻ every day\nmore', 'more', '↻ every day'],
    ['↻ every day\n\nmore\n', 'more', '↻ every day'],
    [
      'Ask Mina\n\n↻ every day · at 15:00\n-- \nSent from my phone',
      'Ask Mina\n\n-- \nSent from my phone',
      '↻ every day · at 15:00',
    ],
    ['Ask Mina\n! important · #work\nmore', 'Ask Mina\nmore', '! important · #work'],
    ['↻ every day\n#work', '#work', '↻ every day'],
    ['↻ every day\n↻ every year on 1 Feb', '↻ every day', '↻ every year on 1 Feb'],
  ])('are found above text that another app added: %j', (notes, text, line) => {
    const read = readNotes(notes)
    expect([read.text, extrasLine(read.extras)]).toEqual([text, line])
    expect(readNotes(writeNotes(read))).toEqual(read)
    expect(withMarkerLast(notes, line).length).toBeLessThanOrEqual(notes.length)
    expect(readNotes(withMarkerLast(notes, line)).extras).toEqual(read.extras)
  })

  it('are read as they were written', () => {
    const repeat = fc.record({ every: fc.integer({ min: 1, max: 999 }), day: fc.integer({ min: 0, max: 20_000 }) })
    fc.assert(
      fc.property(repeat, ({ every, day }) => {
        for (const rule of Object.values(repeatsFrom(day * 86_400_000))) {
          const own = { ...rule, every }
          expect(readRepeat(repeatWords(own))).toEqual(own)
          const due = nextDue(own, day * 86_400_000, (day + 40) * 86_400_000)
          expect(due).toBeGreaterThan((day + 40) * 86_400_000)
          expect(due % 86_400_000).toBe(0)
        }
      }),
    )
  })
})

describe('the next due date', () => {
  it('follows the rule from the due date', () => {
    expect(next('every day', '2026-06-10')).toBe('2026-06-11')
    expect(next('every weekday', '2026-06-12')).toBe('2026-06-15')
    expect(next('every week on Mon', '2026-06-08')).toBe('2026-06-15')
    expect(next('every 2 weeks on Mon, Thu', '2026-06-08')).toBe('2026-06-11')
    expect(next('every 2 weeks on Mon, Thu', '2026-06-11')).toBe('2026-06-22')
    expect(next('every month on 31', '2026-01-31')).toBe('2026-02-28')
    expect(next('every month on 31', '2026-02-28')).toBe('2026-03-31')
    expect(next('every year on 29 Feb', '2024-02-29')).toBe('2025-02-28')
    expect(next('every year on 29 Feb', '2027-02-28')).toBe('2028-02-29')
  })

  it('is after today for a task that is late, and in the same rhythm', () => {
    expect(next('every day', '2026-06-01', '2026-06-10')).toBe('2026-06-11')
    expect(next('every 3 days', '2026-06-01', '2026-06-10')).toBe('2026-06-13')
    expect(next('every 2 weeks on Mon', '2026-06-01', '2026-06-10')).toBe('2026-06-15')
    expect(next('every month on 5', '2026-03-05', '2026-06-10')).toBe('2026-07-05')
  })

  it('of a task done early is after its due date', () => {
    expect(next('every week on Mon', '2026-06-15', '2026-06-10')).toBe('2026-06-22')
  })
})
