import { expect, it } from 'vitest'
import type { QuickAddOffer } from '#shared/ipc/desktop-questions'
import { itemsOf, maxLines, readLines, type TextLine } from '../../../../src-renderer/app/text-lines/lines'

const now = Date.parse('2026-06-10T06:00:00Z')
const offer: QuickAddOffer = {
  ...{
    accountId: 'a',
    email: 'alex@example.org',
    zone: 'Europe/Berlin',
    hour12: false,
    weekStart: 1,
    minutes: 60,
    theme: 'system',
  },
  calendars: [{ id: 'c1', name: 'Team' }],
  calendar: 'c1',
  lists: [{ id: 'l1', name: 'Home' }],
}
const read = (text: string, about = offer): TextLine[] => {
  const lines = readLines(text, about, now)
  if (typeof lines === 'string') throw new Error(lines)
  return lines
}

it('each line is an event, a task, or refused, without marks of a list', () => {
  const lines = read(
    '- Lunch with Mina tomorrow 12-13\r\n\r\n* Buy milk\n[ ] Standup every day every week 9:00\n3) Call Dad fri\n',
  )
  expect(lines.map(({ text, kind }) => [text, kind])).toEqual([
    ['Lunch with Mina tomorrow 12-13', 'event'],
    ['Buy milk', 'task'],
    ['Standup every day every week 9:00', 'none'],
    ['Call Dad fri', 'event'],
  ])
  expect(lines[0]!.event.words).toBe('Lunch with Mina · Thursday 11 June, 12:00 to 13:00 · Team')
  expect(lines[1]!.task.words).toBe('Buy milk · Home')
  expect(lines[3]!.task.words).toBe('Call Dad · due Friday 12 June · Home')
  expect(lines[2]!.event.words).not.toBe('')
  expect(lines[2]!.task.words).toBe('Standup every day every week 9:00 · without a date · Home')
})

it('adds what was chosen, in the order of the lines', () => {
  const lines = read('Lunch tomorrow 12-13\nBuy milk\nCall Dad fri\nPay rent every month')
  const items = itemsOf(lines, ['event', 'none', 'task', 'task'])
  expect(
    items.map((item) =>
      item.kind === 'event' ? item.value['summary'] : [item.title, item.due, item.notes].filter(Boolean),
    ),
  ).toEqual([
    'Lunch',
    ['Call Dad', '2026-06-12T00:00:00.000Z'],
    ['Pay rent', '2026-06-10T00:00:00.000Z', '↻ every month on 10'],
  ])
})

it('adds nothing where no calendar or list can take it', () => {
  const lines = read('Lunch tomorrow 12-13\nBuy milk', { ...offer, calendars: [], calendar: undefined, lists: [] })
  expect(lines.map(({ kind }) => kind)).toEqual(['none', 'none'])
  expect(itemsOf(lines, ['event', 'task'])).toEqual([])
})

it('refuses a text that is too long, and takes an empty one for nothing', () => {
  expect(readLines('x\n'.repeat(maxLines + 1), offer, now)).toMatch(/too long/)
  expect(readLines('x'.repeat(70_000), offer, now)).toMatch(/too long/)
  expect(read('x\n'.repeat(maxLines))).toHaveLength(maxLines)
  expect(read(' \n\t\n')).toEqual([])
  const [line] = read('x'.repeat(1_500))
  expect(itemsOf([line!], ['task'])).toEqual([])
})
