import { beforeEach, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { Change } from '../../src-renderer/replica/api'
import { modelForEach } from './model/for-each'

const { clock, service, replica } = modelForEach(2_000)

const edit = async (change: Change): Promise<string> => (await replica.edit([change], { label: 'Edit' })).keys[0]!
const clear = (calendar: string): Promise<string> =>
  edit({ kind: 'action', key: recordKey('calendars', null, calendar), action: { name: 'clearCalendar' } })
const move = (key: string, destination: string): Promise<string> =>
  edit({ kind: 'action', key, action: { name: 'moveEvent', destination } })
const events = (calendar: string) => service.living(`events ${calendar}`).map(({ summary }) => summary)
let unreadable: boolean

/** The clearing waits until this calendar can be read. */
beforeEach(() => {
  unreadable = true
  service.trouble = ({ id, params }) =>
    unreadable && id === 'calendar.events.list' && params['calendarId'] === 'me' ? 'preconditionFailed' : undefined
})

async function made(parent: string): Promise<string> {
  const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
  const key = await edit({ kind: 'create', collection: 'events', parent, value: { summary: 'Review', ...times } })
  await clock.pass(10_000)
  await replica.setOffline(true)
  return key
}
async function sent(): Promise<void> {
  await replica.setOffline(false)
  await clock.pass(60_000)
  unreadable = false
  replica.syncNow()
  await clock.pass(600_000)
  expect(replica.outbox()).toEqual([])
}

it('an event that is moved to a calendar after that was cleared stays', async () => {
  const key = await made('work')
  await clear('me')
  await move(key, 'me')
  await sent()
  expect([events('work'), events('me')]).toEqual([[], ['Review']])
})

it('an event that is moved away, and back after its calendar was cleared, stays', async () => {
  const key = await made('me')
  const moved = await move(key, 'work')
  await clear('me')
  await move(moved, 'me')
  await sent()
  expect([events('work'), events('me')]).toEqual([[], ['Review']])
})
