import { expect, it } from 'vitest'
import type { QuickAddOffer } from '#shared/ipc/desktop-questions'
import { readItem } from '../../../src-renderer/app/quick-add/quick-add-reading'

const now = Date.parse('2026-06-10T08:00:00+02:00')
const offer = {
  accountId: 'a',
  email: 'alex@example.com',
  zone: 'Europe/Berlin',
  minutes: 30,
  hour12: false,
  weekStart: 1,
  theme: 'system',
  calendar: 'alex@example.com',
  calendars: [{ id: 'alex@example.com', name: 'Alex' }],
  lists: [{ id: 'list', title: 'My tasks', name: 'My tasks' }],
} as unknown as QuickAddOffer
const words = (line: string): string => readItem(line, 'event', offer, now).words

it('quick add says everything that it reads: recurrence, reminder, and that an event is in the past', () => {
  expect(words('Lunch tomorrow 12-13 every week remind me 30 min before')).toBe(
    'Lunch · Thursday 11 June, 12:00 to 13:00 · every week on Thursday · reminder 30 min before · Alex',
  )
  expect(words('Lunch 1 jan 2020 9:00')).toBe('Lunch · Wednesday 1 January 2020, 09:00 to 09:30 · already ended · Alex')
})
