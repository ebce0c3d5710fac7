import { beforeEach, expect, it, vi } from 'vitest'
import type { AppContext } from '../../../../src-renderer/context/context'
import type { CalendarItem } from '../../../../src-renderer/replica/api'
import { FreeBusy, ownBusy } from '../../../../src-renderer/views/calendar/free-busy.svelte'

const hour = 3_600_000
const now = Date.UTC(2026, 5, 10, 8)
const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

const asked: unknown[] = []
function app({ at = now, offline = false, fails = false } = {}): AppContext {
  asked.length = 0
  const ask = (_name: string, question: { body: { items: { id: string }[] } }): Promise<unknown> => {
    const ids = question.body.items.map(({ id }) => id)
    asked.push(ids)
    const busy = [{ start: '2026-06-10T10:00:00Z', end: '2026-06-10T11:00:00Z' }, { start: 'soon' }]
    const all = { 'mina@example.com': { busy }, 'ruth@example.com': { errors: [{ reason: 'notFound' }] } }
    const calendars = Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)))
    return Promise.resolve(fails ? { ok: false } : { ok: true, value: { calendars } })
  }
  return {
    clock: { now: at },
    account: { id: 'one' },
    replica: { status: { offline } },
    bridge: { ask },
  } as unknown as AppContext
}

it('knows who is busy when, and who doesn’t share it, also after an offline restart', async () => {
  const first = new FreeBusy(app())
  await first.load(['mina@example.com', 'ruth@example.com'], now)
  const later = new FreeBusy(app({ at: now + 2 * hour, offline: true }))
  await later.load(['mina@example.com'], now)
  expect(asked).toEqual([])
  expect(later.of('MINA@example.com', now, now + hour)).toMatchObject({
    at: now,
    busy: [[now + 2 * hour, now + 3 * hour]],
  })
  expect(later.of('ruth@example.com', now, now)?.busy).toBeNull()
  expect(later.of('jonas@example.com', now, now)).toBeUndefined()
})

it('asks again only for others and for what is old', async () => {
  const one = app()
  const times = new FreeBusy(one)
  await times.load(['mina@example.com'], now)
  await times.load(['mina@example.com', 'ruth@example.com'], now)
  expect(asked).toEqual([['mina@example.com'], ['ruth@example.com']])
  Object.assign(one.clock, { now: now + hour })
  await times.load(['mina@example.com', 'ruth@example.com'], now)
  expect(asked).toHaveLength(3)
})

it('covers the days it asked for, and nothing else', async () => {
  const times = new FreeBusy(app())
  await times.load(['mina@example.com'], now)
  expect(times.of('mina@example.com', now + 60 * 24 * hour, now + 61 * 24 * hour)).toBeUndefined()
})

it('asks again for an event whose next two weeks reach beyond what it knows', async () => {
  const times = new FreeBusy(app())
  await times.load(['mina@example.com'], now)
  expect(times.ahead('mina@example.com', now)).toBeDefined()
  await times.load(['mina@example.com'], now + 15 * hour)
  expect(asked).toHaveLength(1)
  const later = now + 10 * 24 * hour
  expect(times.ahead('mina@example.com', later)).toBeUndefined()
  await times.load(['mina@example.com'], later)
  expect(asked).toHaveLength(2)
  expect(times.ahead('mina@example.com', later)).toBeDefined()
})

it('still knows earlier days after it asked about later ones, for a search that goes on', async () => {
  const times = new FreeBusy(app())
  const later = now + 5 * 24 * hour
  await times.load(['mina@example.com', 'ruth@example.com'], now)
  await times.load(['mina@example.com', 'ruth@example.com'], later)
  for (const from of [now, later]) {
    expect(times.ahead('mina@example.com', from)?.busy).toEqual([[now + 2 * hour, now + 3 * hour]])
    expect(times.ahead('ruth@example.com', from)?.busy).toBeNull()
  }
  await times.load(['mina@example.com'], now)
  expect(asked).toHaveLength(2)
})

it('ignores stored times it can’t read, and keeps known times if the service fails', async () => {
  kept.set('flightplan.free-busy.one', '{"mina@example.com":{"at":"soon"}}')
  const times = new FreeBusy(app({ fails: true }))
  await times.load(['mina@example.com'], now)
  expect(times.loading).toBe(false)
  expect(times.of('mina@example.com', now, now)).toBeUndefined()
})

it('asks about everyone in questions that the service takes, and knows the answers of all', async () => {
  const times = new FreeBusy(app())
  const emails = Array.from({ length: 120 }, (_, at) => `guest-${at}@example.com`)
  const loaded = times.load(emails, now)
  expect(times.loading).toBe(true)
  await loaded
  expect(times.loading).toBe(false)
  expect(asked.map((ids) => (ids as string[]).length)).toEqual([50, 50, 20])
  // The service says nothing about them, which isn't asked again.
  expect(emails.filter((email) => times.of(email, now, now)?.busy !== null)).toEqual([])
  await times.load(emails, now)
  expect(asked).toHaveLength(3)
})

it.each([
  ['an event', { start: now, end: now + hour }, [{ start: now + hour, end: now + 2 * hour }]],
  ['a day off', { allDay: true, start: 0, end: 24 * hour }, [{ start: 0, end: 24 * hour }]],
  ['a day marked as free', { allDay: true, start: 0, end: 24 * hour, transparent: true }, []],
  ['a declined day', { allDay: true, start: 0, end: 24 * hour, response: 'declined' }, []],
  ['a day of a team calendar', { allDay: true, start: 0, end: 24 * hour, calendarId: 'team' }, []],
] as const)('the user is busy by %s', (_, item, walls) => {
  const items = [{ calendarId: 'mine', allDay: false, ...item }] as unknown as CalendarItem[]
  expect(
    ownBusy(
      items,
      (id) => id === 'mine',
      (instant) => instant + hour,
    ),
  ).toEqual(walls)
})
