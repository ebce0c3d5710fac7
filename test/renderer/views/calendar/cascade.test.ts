import { describe, expect, it } from 'vitest'
import { dayMs } from '../../../../src-renderer/ui/dates'
import { narrowestColumn, stripHeight } from '../../../../src-renderer/views/calendar/layout/cascade'
import type { Block, Rest } from '../../../../src-renderer/views/calendar/layout/block'
import { dayLayout } from '../../../../src-renderer/views/calendar/layout/day-columns'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'

const day = Date.UTC(2026, 6, 13)
const hourHeight = 48
const strip = (stripHeight / hourHeight) * 60

function entry(key: string, from: number, length: number): Entry {
  const start = day + from * 60_000
  const end = start + length * 60_000
  return { key, title: key, allDay: false, start, end, firstDay: day, lastDay: day, bar: false, mark: 'synced' }
}
const layout = (entries: Entry[], width: number): { blocks: Block[]; rests: Rest[] } =>
  dayLayout(entries, day, 4, { width, hourHeight })

/** Twelve entries that overlap: some start together, some shortly after, some are short. */
const crowd = [0, 0, 0, 15, 15, 30, 45, 60, 60, 60, 90, 120].map((from, at) =>
  entry(`e${String(at).padStart(2, '0')}`, 540 + from, [120, 60, 30, 90, 15, 180][at % 6]!),
)

describe('overlapping entries', () => {
  it('stand side by side where columns are wide enough, and lie over each other otherwise', () => {
    const two = [entry('a', 540, 60), entry('b', 570, 60)]
    expect(layout(two, 2 * narrowestColumn).blocks.map(({ column, cascade }) => [column, cascade])).toEqual([
      [0, undefined],
      [1, undefined],
    ])
    expect(layout(two, 2 * narrowestColumn - 1).blocks.map(({ cascade }) => cascade)).toEqual([
      { top: 540, bottom: 600, indent: 0, clear: 570 },
      { top: 570, bottom: 630, indent: 14, clear: 630 },
    ])
  })

  it('that start together are drawn a strip apart, and the fifth strip counts the rest', () => {
    const eight = Array.from({ length: 8 }, (_, at) => entry(`e${at}`, 540, 60))
    const { blocks, rests } = layout(eight, 130)
    expect(blocks.map(({ cascade }) => cascade!.top)).toEqual([540, 540 + strip, 540 + 2 * strip, 540 + 3 * strip])
    expect(rests).toMatchObject([{ count: 4, cascade: { top: 540 + 4 * strip } }])
    expect([...rests[0]!.keys]).toEqual(['e4', 'e5', 'e6', 'e7'])
  })

  it('are all drawn on paper', () => {
    const { blocks, rests } = dayLayout(crowd, day, 4, { width: 130, hourHeight, paperEnd: 1440 })
    expect([blocks.length, rests]).toEqual([crowd.length, []])
    const tops = blocks.map(({ cascade }) => cascade!.top).sort((a, b) => a - b)
    for (const [at, top] of tops.entries()) if (at > 0) expect(top - tops[at - 1]!).toBeGreaterThanOrEqual(strip - 0.01)
    for (const { cascade } of blocks) expect(cascade!.indent).toBeLessThan(130 / 2)
  })

  it('go back to the left once those before have ended', () => {
    const { blocks } = layout([entry('a', 540, 60), entry('b', 550, 120), entry('c', 620, 60)], 130)
    expect(blocks.map(({ entry, cascade }) => [entry.key, cascade!.indent])).toEqual([
      ['a', 0],
      ['b', 14],
      ['c', 0],
    ])
  })

  it('count a draft never among the rest', () => {
    const eight = Array.from({ length: 8 }, (_, at) => entry(`e${at}`, 540, 60))
    const draft: Entry = { ...entry('z', 540, 60), draft: { color: '#000' } }
    expect(layout([...eight, draft], 130).blocks.some(({ entry }) => entry.draft)).toBe(true)
  })

  it.each([40, 76, 131, 180, 312])('of a crowd keep their titles free, in order of start, at %i px', (width) => {
    const { blocks, rests } = layout(crowd, width)
    const drawn = [...blocks, ...rests].flatMap(({ cascade }) => (cascade ? [cascade] : []))
    expect(blocks.length + rests.reduce((sum, { count }) => sum + count, 0)).toBe(crowd.length)
    for (const a of drawn)
      for (const b of drawn) {
        if (a === b || b.top < a.top || b.top >= a.bottom) continue
        expect(b.top - a.top).toBeGreaterThanOrEqual(strip - 0.01)
        expect(a.clear - a.top).toBeGreaterThanOrEqual(strip - 0.01)
      }
    const tops = blocks.map(({ cascade, from }) => cascade?.top ?? from)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    for (const { cascade, from, to } of blocks)
      if (cascade) expect([cascade.top >= from, cascade.bottom >= to]).toEqual([true, true])
  })

  it('that are drawn below their ends leave the title of the next entry free', () => {
    const short = Array.from({ length: 14 }, (_, at) => entry(`e${String(at).padStart(2, '0')}`, 540, 30))
    const { blocks, rests } = layout([...short, entry('next', 600, 30), entry('later', 780, 30)], 130)
    const tops = [...blocks.map(({ cascade, from }) => cascade?.top ?? from), rests[0]!.cascade!.top]
    tops.sort((a, b) => a - b)
    for (const [at, top] of tops.slice(1).entries()) expect(top - tops[at]!).toBeGreaterThanOrEqual(strip - 0.01)
    expect(rests).toMatchObject([{ count: 10 }])
    expect(blocks.find(({ entry }) => entry.key === 'later')?.cascade).toBeUndefined()
  })

  it('leave other days alone', () => {
    expect(layout(crowd, 130).blocks.every(({ entry }) => entry.firstDay === day)).toBe(true)
    expect(dayLayout(crowd, day + dayMs, 4, { width: 130, hourHeight }).blocks).toEqual([])
  })
})
