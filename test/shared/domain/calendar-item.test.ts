import { expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { itemFields } from '#shared/domain/calendar-item'

const at = (hour: string): JsonObject => ({ dateTime: `2026-06-10T${hour}:00:00+02:00`, timeZone: 'Europe/Berlin' })
const event = { created: '2026-06-01T06:00:00.000Z', start: at('18'), end: at('19') }
const title = (more: JsonObject): string | undefined => itemFields('a', { ...event, ...more })?.title

it.each(['private', 'confidential'])('an event whose details are hidden is titled Busy: %s', (visibility) => {
  expect(title({ visibility })).toBe('Busy')
})

it('an event without a title has none if its details are visible, or only here so far', () => {
  expect(title({})).toBe('')
  expect(title({ visibility: 'private', creator: { email: 'me@example.com' } })).toBe('')
  expect(itemFields('a', { start: at('18'), end: at('19'), visibility: 'private' })?.title).toBe('')
  expect(title({ visibility: 'private', summary: 'Dentist' })).toBe('Dentist')
})
