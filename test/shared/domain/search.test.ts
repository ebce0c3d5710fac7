import { describe, expect, it } from 'vitest'
import { byNearness, folded, matchesIn, qualityOf, search, termsOf, textOf, withinSlips } from '#shared/domain/search'

const hour = 3_600_000
const now = Date.UTC(2026, 5, 10, 8)
interface Thing {
  name: string
  start: number
  end: number
}
const at = (name: string, hours: number): Thing => ({ name, start: now + hours * hour, end: now + (hours + 1) * hour })
const find = (query: string, things: readonly [Thing, string?][], limit = 8): string[] =>
  search<Thing>(
    query,
    (visit) => things.forEach(([thing, rest = '']) => visit(thing, textOf(thing.name, rest))),
    limit,
    (a, b) => byNearness(a, b, now),
  ).map(({ name }) => name)
const names = (query: string, ...titles: string[]): string[] =>
  find(
    query,
    titles.map((name, n) => [at(name, n)]),
  )

describe('search results', () => {
  it('contain all words, in any order and case, with or without accents', () => {
    expect(names('NORD cafe', 'Café Nord', 'Café Süd', 'Nordlicht')).toEqual(['Café Nord'])
    expect(names('strasse', 'Lange Straße')).toEqual(['Lange Straße'])
    expect(names('café', 'Cafe Nord')).toEqual(['Cafe Nord'])
    expect(names('', 'Anything')).toEqual([])
  })

  it('allow one typo in a short word, two in a long one, and none in three letters', () => {
    for (const slip of ['dentsit', 'dentit', 'denntist', 'demtist', 'edntist', 'dentsi'])
      expect(names(slip, 'Dentist', 'Tennis'), slip).toEqual(['Dentist'])
    expect(names('presnetatoin', 'Presentation', 'Presents')).toEqual(['Presentation'])
    expect(names('dnttsi', 'Dentist')).toEqual([])
    expect(names('gmy', 'Gym')).toEqual([])
    expect(names('standup', 'Stand-up', 'Understand')).toEqual(['Stand-up'])
    expect(names('dentsit anna', 'Dentist with Anna', 'Dentist with Ben')).toEqual(['Dentist with Anna'])
  })

  it('allow typos only when few exact matches exist', () => {
    const things = ['Team one', 'Team two', 'Team three', 'Team four', 'Tram']
    expect(names('team', ...things)).not.toContain('Tram')
    expect(names('team', ...things.slice(3))).toEqual(['Team four', 'Tram'])
  })
})

describe('the order of results', () => {
  it('ranks by match before time', () => {
    expect(
      find('plan', [
        [at('Exploration', 1), 'an explanation'],
        [at('Anything', 2), 'the plan'],
        [at('Airplane', 3)],
        [at('Plan the year', 4)],
        [at('Media planning', 5)],
        [at('Plan', 6)],
      ]),
    ).toEqual(['Plan the year', 'Plan', 'Media planning', 'Airplane', 'Anything', 'Exploration'])
  })

  it('has a nearer title that starts with the word before an exact one', () => {
    expect(find('dentist', [[at('Dentist', 900)], [at('Dentist call', 20)]])).toEqual(['Dentist call', 'Dentist'])
  })

  it('tells an exact title from its beginning, a word, a part of one, other words, and a typo', () => {
    const qualities = [
      'Dark',
      'Dark mode',
      'Theme: dark',
      'Mode for dark rooms',
      'Undarkened',
      'Settings',
      'Market',
    ].map((title) => qualityOf('dark', title))
    expect(qualities).toEqual([0, 1, 2, 2, 3, 5, 6])
  })

  it('has current and next ones first, then the most recent', () => {
    const things = ['far', 'next', 'running', 'yesterday', 'long ago'].map((name) => `Dentist ${name}`)
    const hours = [900, 5, -0.5, -24, -900]
    expect(
      find(
        'dentist',
        things.map((name, n) => [at(name, hours[n]!)]),
      ),
    ).toEqual(['Dentist running', 'Dentist next', 'Dentist far', 'Dentist yesterday', 'Dentist long ago'])
    expect(byNearness(null, at('x', 1), now)).toBe(1)
    expect(byNearness(null, null, now)).toBe(0)
  })

  it('ranks all matches, however few are requested', () => {
    const things = Array.from({ length: 500 }, (_, n) => [at(`Event ${n}`, ((n * 7919) % 500) - 250)] as [Thing])
    const whole = find('event', things, 500)
    for (const limit of [1, 8, 50]) expect(find('event', things, limit)).toEqual(whole.slice(0, limit))
  })
})

describe('typos', () => {
  it.each([
    ['dentist', 'dentist', 0],
    ['dentsit', 'dentist', 1],
    ['dentit', 'dentist', 1],
    ['dentisst', 'dentist', 1],
    ['dentizt', 'dentist', 1],
    ['detnsit', 'dentist', 2],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
  ])('from %s to %s number %i', (a, b, count) => {
    expect(withinSlips(a, b, count)).toBe(true)
    expect(withinSlips(b, a, count)).toBe(true)
    if (count > 0) expect(withinSlips(a, b, count - 1)).toBe(false)
  })

  it('folding changes only accents', () => {
    expect(folded('Zürich – Genève: 12:30 Ärger')).toBe('zurich – geneve: 12:30 arger')
    expect(folded('plain TEXT\nof two lines')).toBe('plain text\nof two lines')
  })
})

describe('where terms occur in a text', () => {
  const marked = (text: string, query: string): string[] =>
    matchesIn(text, termsOf(query)).map(([from, to]) => text.slice(from, to))

  it('ignores case and accents, and keeps the letters of the text', () => {
    expect(marked('Café Nord', 'cafe')).toEqual(['Café'])
    expect(marked('Lange Straße 5', 'strasse')).toEqual(['Straße'])
    expect(marked('Lange Straße', 'stras')).toEqual(['Straß'])
    expect(marked('🎉 Party 🎉', 'party')).toEqual(['Party'])
    expect(marked('Cafe\u0301 Nord', 'café')).toEqual(['Cafe\u0301'])
  })

  it('joins what overlaps or touches, and finds each occurrence', () => {
    expect(marked('banana', 'an')).toEqual(['anan'])
    expect(marked('Budget budget', 'budget bud')).toEqual(['Budget', 'budget'])
    expect(marked('abc', 'ab bc')).toEqual(['abc'])
    expect(marked('Anything', 'nothing')).toEqual([])
    expect(marked('Anything', '')).toEqual([])
  })
})
