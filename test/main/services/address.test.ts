import { describe, expect, it } from 'vitest'
import { operation } from '#shared/wire/services'
import { pathAndQuery } from '../../../src-main/services/address'

const get = operation('calendar.events.get', {}).method
const path = (calendarId: string, eventId = 'e'): string => pathAndQuery(get, { calendarId, eventId }).path

describe('the address of a call', () => {
  it('keeps an ID one part of the path, whatever stands in it', () => {
    const plain = path('mine').split('/')
    for (const id of ['a/b', 'a?b=c', 'a#b', 'a b', 'ä', '../settings', '%2e%2e']) {
      const parts = path(id).split('/')
      expect([id, parts.length]).toEqual([id, plain.length])
      expect(parts.map((part) => decodeURIComponent(part))).toContain(id)
    }
  })

  it('refuses an ID that would go up, and one that is missing', () => {
    for (const id of ['.', '..', '']) expect(() => path('mine', id)).toThrow(RangeError)
  })
})
