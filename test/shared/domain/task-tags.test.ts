import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { countTags, readTags, tagsIn, takeTags } from '#shared/domain/task-tags'

it('finds tags between words, each once', () => {
  expect(tagsIn('#work call (#home), #Work. a#b #1 #a/b ##c https://x.org/#top #ok')).toEqual(['#work', '#home', '#ok'])
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
