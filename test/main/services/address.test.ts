import { describe, expect, it } from 'vitest'
import { operation } from '#shared/wire/services'
import { pathAndQuery } from '../../../src-main/services/address'

const get = operation('calendar.events.get', {}).method
const path = (calendarId: string, eventId = 'e'): string => pathAndQuery(get, { calendarId, eventId }).path

describe("a call's address", () => {
  it('keeps an ID in one path segment, whatever it contains', () => {
    const plain = path('mine').split('/')
    for (const id of ['a/b', 'a?b=c', 'a#b', 'a b', 'ä', '../settings', '%2e%2e']) {
      const parts = path(id).split('/')
      expect([id, parts.length]).toEqual([id, plain.length])
      expect(parts.map((part) => decodeURIComponent(part))).toContain(id)
    }
  })

  it('rejects an ID with path traversal or a missing one', () => {
    for (const id of ['.', '..', '']) expect(() => path('mine', id)).toThrow(RangeError)
  })
})
