import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { countTags, readTags, tagsIn, takeTags } from '#shared/domain/task-tags'

it('finds tags between words, each once', () => {
  expect(
    tagsIn('#work call (#home), #Work. a#b #1 #a/b ##c https://x.org/#top https://x.org/?(#b) f(#x) #main.ts #ok'),
  ).toEqual(['#work', '#home', '#ok'])
})

it('takes tags out of a line, whose other words keep their places', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('#work', 'call', '#1', ' ', '#ü_2', '-')), (words) => {
      const line = words.join(' ')
      const { text, tags } = takeTags(line)
      expect(text).toHaveLength(line.length)
      expect(tagsIn(text)).toEqual([])
      expect(tags).toEqual(tagsIn(line))
    }),
  )
})

it('gives the punctuation around tags that it takes to the words next to them', () => {
  const taken = (line: string): unknown[] => {
    const { text, tags } = takeTags(line)
    expect(text).toHaveLength(line.length)
    return [text.replace(/\s+/g, ' ').trim(), ...tags]
  }
  for (const [line, ...found] of [
    ['Call (#work) today', 'Call today', '#work'],
    ['Call (#work, #home).', 'Call.', '#work', '#home'],
    ['Fix it, #work, call Jo', 'Fix it, call Jo', '#work'],
    ['Read #work: chapter 3', 'Read: chapter 3', '#work'],
    ['#work: read', 'read', '#work'],
    ['Really #work?!', 'Really?!', '#work'],
    ['Call (see #work)', 'Call (see)', '#work'],
    ['Call (#work and home)', 'Call (and home)', '#work'],
    ['Call #a,#b #c', 'Call', '#a', '#b', '#c'],
    ['Fix #main.ts and f(#x)', 'Fix #main.ts and f(#x)'],
    ['See https://x.org/a?(#b) and #42', 'See https://x.org/a?(#b) and #42'],
  ] as const)
    expect(taken(line)).toEqual(found)
})

it('reads a field of tags, with and without their sign', () => {
  expect(readTags(' work, #home  WORK ')).toEqual(['#work', '#home'])
  expect(readTags('')).toEqual([])
  expect(readTags('work 1')).toBeNull()
  expect(readTags('#a#b')).toBeNull()
})

it('counts tags whatever their case', () => {
  expect(countTags([['#work', '#a'], ['#Work'], []])).toEqual([
    { tag: '#a', count: 1 },
    { tag: '#work', count: 2 },
  ])
})
