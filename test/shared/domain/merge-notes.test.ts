import { expect, it } from 'vitest'
import { joinNotes, mergeNotes } from '#shared/domain/merge-notes'

const rule = '↻ every week on Wed'

it.each([
  [
    'a time and a tag',
    `Ask\n\n${rule}`,
    `Ask\n\n${rule} · at 15:00`,
    `Ask\n\n${rule} · #work`,
    `Ask\n\n${rule} · at 15:00 · #work`,
  ],
  ['two tags', '#a', '#a #b', '#a #c', '#a #c #b'],
  ['a tag that the other side removed', '#a', '#a #b', '', '#b'],
  ['text and no rule', `Ask\n\n${rule}`, 'Ask', `Ask Tom\n\n${rule}`, 'Ask Tom'],
  ['the same time', '', 'at 15:00', 'at 15:00', 'at 15:00'],
  ['text below the marker', rule, `${rule} · #work`, `${rule}\nmore`, `more\n\n${rule} · #work`],
  ['two times', '', 'at 15:00', 'at 16:00', undefined],
  ['another rule and none', `Ask\n\n${rule}`, 'Ask', `Ask\n\n↻ every day`, undefined],
  ['different words', 'Ask', 'Ask Tom', 'Ask Jo', undefined],
])('merges %s', (_what, base, mine, theirs, merged) => {
  expect(mergeNotes(base, mine, theirs)).toBe(merged)
})

it('joins notes that can’t be merged without losing a word', () => {
  expect(joinNotes(`Ask Tom\n\n${rule} · at 15:00 · #a`, `Ask Jo\n\n↻ every day · at 16:00 · ! important · #b`)).toBe(
    `Ask Tom\nAsk Jo\nAlso ↻ every day · at 16:00\n\n${rule} · at 15:00 · ! important · #a #b`,
  )
  expect(joinNotes(rule, `Ask\n\n${rule}`)).toBe(`Ask\n\n${rule}`)
})
