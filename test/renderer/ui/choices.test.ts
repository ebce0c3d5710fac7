import { describe, expect, it } from 'vitest'
import { findChoices, listRows, nextRow, placeList, plainWords, type Choice } from '../../../src-renderer/ui/choices'

const cities: Choice[] = [
  {
    value: 'America/Sao_Paulo',
    label: 'Sao Paulo',
    aside: 'GMT−3',
    words: 'America/Sao_Paulo UTC−3',
    group: 'America',
  },
  { value: 'Europe/Berlin', label: 'Berlin', aside: 'GMT+1', words: 'Europe/Berlin', group: 'Europe' },
  { value: 'America/New_York', label: 'New York', aside: 'GMT−5', words: 'America/New_York', group: 'America' },
  { value: 'Europe/Zurich', label: 'Zürich', aside: 'GMT+1', words: 'Europe/Zurich', group: 'Europe', disabled: true },
  {
    value: 'America/Porto_Velho',
    label: 'Porto Velho',
    aside: 'GMT−4',
    words: 'America/Porto_Velho',
    group: 'America',
  },
]
const found = (typed: string): string[] => findChoices(cities, typed).map(({ label }) => label)

describe('typed words', () => {
  it('match everything in order when empty', () => {
    expect(found('')).toEqual(cities.map(({ label }) => label))
    expect(found('  ')).toHaveLength(cities.length)
  })
  it('rank label starts first, then word starts, then the rest', () => {
    expect(found('po')).toEqual(['Porto Velho'])
    expect(found('e')).toEqual(['Berlin', 'Zürich', 'Sao Paulo', 'New York', 'Porto Velho'])
    expect(found('york')).toEqual(['New York'])
  })
  it('rank labels with the whole word before longer words', () => {
    const labels = ['Johnston', 'St Johns', 'Johannesburg'].map((label) => ({ value: label, label }))
    const ranked = (typed: string): string[] => findChoices(labels, typed).map(({ label }) => label)
    expect(ranked('johns')).toEqual(['St Johns', 'Johnston'])
    expect(ranked('joh')).toEqual(['Johnston', 'Johannesburg', 'St Johns'])
    expect(ranked('johns st')).toEqual(['St Johns', 'Johnston'])
  })
  it('must all match, in any order, ignoring accents and case', () => {
    expect(found('york new')).toEqual(['New York'])
    expect(found('ZURICH')).toEqual(['Zürich'])
    expect(found('zürich europe')).toEqual(['Zürich'])
    expect(found('berlin york')).toEqual([])
  })
  it('match region and offset, with either minus sign', () => {
    expect(found('gmt-5')).toEqual(['New York'])
    expect(found('gmt−5')).toEqual(['New York'])
    expect(found('utc-3')).toEqual(['Sao Paulo'])
    expect(plainWords('America/New_York')).toBe('america new york')
  })
  it('search ten thousand entries', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      value: String(index),
      label: `Placement ${index} north`,
    }))
    expect(findChoices(many, 'north 9999')).toHaveLength(1)
  })
})

describe('the rows of a list', () => {
  it('are grouped under headings', () => {
    const rows = listRows(cities, { grouped: true })
    expect(
      rows.map((row) => (row.kind === 'choice' ? row.choice.label : row.kind === 'group' ? row.name : 'new')),
    ).toEqual(['America', 'Sao Paulo', 'New York', 'Porto Velho', 'Europe', 'Berlin', 'Zürich'])
  })
  it('end with an add row named after the typed text', () => {
    expect(listRows([], { grouped: false, makes: 'North' })).toEqual([{ kind: 'new', words: 'North' }])
  })
  it('skip headings and disabled entries', () => {
    const rows = listRows(cities, { grouped: true })
    expect(nextRow(rows, 0, 1)).toBe(1)
    expect(nextRow(rows, 4, 1)).toBe(5)
    expect(nextRow(rows, 4, -1)).toBe(3)
    expect(nextRow(rows, 6, 1)).toBe(-1)
  })
})

describe('the position of a list', () => {
  const window = { width: 1280, height: 800 }
  it('is below its field, above it without room, and always inside the window', () => {
    expect(placeList({ left: 100, top: 100, bottom: 130, width: 300 }, 336, window)).toMatchObject({
      top: 134,
      height: 336,
    })
    expect(placeList({ left: 100, top: 700, bottom: 730, width: 300 }, 336, window)).toMatchObject({
      top: 360,
      height: 336,
    })
    for (let top = 0; top < 780; top += 20)
      for (const left of [0, 600, 1200]) {
        const box = placeList({ left, top, bottom: top + 28, width: 90 }, 336, window)
        expect(box.top).toBeGreaterThanOrEqual(8)
        expect(box.top + box.height).toBeLessThanOrEqual(792)
        expect(box.left + box.width).toBeLessThanOrEqual(1272)
        expect(box.left).toBeGreaterThanOrEqual(8)
      }
  })
})
