import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { factsOf } from '#shared/facts/facts'
import { alreadyHolds as holdsBy, withRemovals } from '#shared/merge/arrived'

const alreadyHolds = (schema: string, base: JsonObject | null, record: JsonObject, patch: JsonObject): boolean =>
  holdsBy(factsOf().all.find((one) => one.schema === schema)!.rules, base, record, patch)

const berlin = (text: string): JsonObject => ({ dateTime: text, timeZone: 'Europe/Berlin' })
const held = (base: JsonObject | null, stored: JsonObject, patch: JsonObject): boolean =>
  alreadyHolds('Event', base, stored, patch)

describe('an earlier attempt that arrived', () => {
  it('is recognized although the service added fields', () => {
    const patch = {
      start: { dateTime: '2026-03-02T09:00:00+01:00' },
      attendees: [{ email: 'mina@example.com' }],
      location: null,
    }
    const stored = {
      start: berlin('2026-03-02T08:00:00Z'),
      attendees: [{ email: 'mina@example.com', responseStatus: 'needsAction' }],
      updated: 'x',
    }
    expect(held({ location: 'Room 1' }, stored, patch)).toBe(true)
    expect(held({ location: 'Room 1' }, { ...stored, location: 'Room 1' }, patch)).toBe(false)
    expect(held({ location: 'Room 1' }, { ...stored, location: 'Room 2' }, patch)).toBe(false)
  })

  it('is recognized with a renamed time zone and reordered guests', () => {
    const start = { dateTime: '2026-03-02T09:00:00+05:30', timeZone: 'Asia/Calcutta' }
    const attendees = [{ email: 'a@example.com' }, { email: 'b@example.com' }]
    const stored = { start: { ...start, timeZone: 'Asia/Kolkata' }, attendees: [...attendees].reverse() }
    expect(held({ start: berlin('2026-03-02T09:00:00+01:00') }, stored, { start, attendees })).toBe(true)
  })

  it('interprets a time without an offset in its zone, on any computer', () => {
    const stored = { start: berlin('2026-07-02T09:00:00+02:00') }
    expect(held({}, stored, { start: berlin('2026-07-02T09:00:00') })).toBe(true)
    expect(held({}, stored, { start: berlin('2026-07-02T10:00:00') })).toBe(false)
  })
})

describe("an attempt that didn't arrive", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'a key removed from a list entry',
      { attendees: [{ email: 'a@example.com', optional: true }] },
      { attendees: [{ email: 'a@example.com' }] },
    ],
    [
      'a key removed from an object',
      { extendedProperties: { private: { a: '1', b: '2' } } },
      { extendedProperties: { private: { a: '1' } } },
    ],
    ['an object emptied', { source: { title: 'Brief', url: 'https://example.com' } }, { source: { title: '' } }],
    [
      'a list inside an object',
      { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] } },
      { reminders: { useDefault: false } },
    ],
    [
      'another zone with the same instant',
      { start: berlin('2026-03-02T09:00:00+01:00') },
      { start: { dateTime: '2026-03-02T09:00:00+01:00', timeZone: 'Europe/Paris' } },
    ],
    ['a cleared field', { location: 'Room 1' }, { location: null }],
  ])('is recognized by remaining values: %s', (_name, base, patch) => {
    expect(held(base, base, patch)).toBe(false)
    // Someone else's change next to it doesn't make it ours.
    expect(held(base, { ...base, summary: 'Other' }, patch)).toBe(false)
    expect(held(base, { ...base, ...patch }, patch)).toBe(true)
  })

  it("isn't taken for arrived after another guest was added", () => {
    const base = { attendees: [{ email: 'a@example.com', comment: 'late' }] }
    const stored = { attendees: [{ email: 'a@example.com', comment: 'late' }, { email: 'b@example.com' }] }
    expect(held(base, stored, { attendees: [{ email: 'a@example.com' }] })).toBe(false)
  })
})

describe('a patch for a service that merges objects', () => {
  it('clears removed keys at every depth and sends lists whole', () => {
    const current = {
      start: berlin('2026-03-02T09:00:00+01:00'),
      extendedProperties: { private: { a: '1', b: '2' }, shared: { c: '3' } },
      attendees: [{ email: 'a@example.com', comment: 'late' }],
    }
    const patch = {
      start: { date: '2026-03-02' },
      extendedProperties: { private: { a: '1' } },
      attendees: [{ email: 'a@example.com' }],
      location: null,
    }
    expect(withRemovals(current, patch)).toEqual({
      start: { date: '2026-03-02', dateTime: null, timeZone: null },
      extendedProperties: { private: { a: '1', b: null }, shared: null },
      attendees: [{ email: 'a@example.com' }],
      location: null,
    })
  })
})
