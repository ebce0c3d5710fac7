import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { modelForEach } from './model/for-each'

const second = 1_000
const day = 86_400 * second

describe('a computer that was offline', () => {
  // With known quotas, lists are compared once a day.
  const { clock, service, device } = modelForEach(10 * second, () => (device.budgets = []))

  const create = async (collection: 'tasks' | 'events', title: string): Promise<string> => {
    const parent = collection === 'tasks' ? 'inbox' : 'me'
    const at = { start: { date: '2026-03-04' }, end: { date: '2026-03-05' } }
    const value = collection === 'tasks' ? { title } : { summary: title, ...at }
    const { keys } = await device.replica.edit([{ kind: 'create', collection, parent, value }], { label: title })
    return keys[0]!
  }
  const titles = async (collection: 'tasks' | 'events'): Promise<unknown[]> => {
    const rows = await device.stored(collection, collection === 'tasks' ? 'inbox' : 'me')
    return rows.flatMap(({ base }) => (base ? [base['title'] ?? base['summary']] : [])).sort()
  }
  const requests = (): number => service.calls.length
  /** What one sync of everything takes on this account, with nothing to send. */
  const least = async (): Promise<number> => {
    const before = requests()
    device.replica.syncNow()
    await clock.pass(10 * second)
    return requests() - before
  }
  const idOf = (collection: 'tasks inbox' | 'events me', title: string): string =>
    String(service.living(collection).find((one) => (one.title ?? one.summary) === title)!.id)

  it.each([false, true])(
    'for 30 days learns of deletions that the service has forgotten, and sends its own edits (restarted: %s)',
    async (restarted) => {
      for (const title of ['Kept', 'Gone']) {
        await create('tasks', title)
        await create('events', title)
      }
      await clock.pass(60 * second)
      const ids = [idOf('tasks inbox', 'Gone'), idOf('events me', 'Gone')]
      const keptTask = recordKey('tasks', 'inbox', idOf('tasks inbox', 'Kept'))
      const keptEvent = recordKey('events', 'me', idOf('events me', 'Kept'))
      await device.replica.setOffline(true)
      service.callAs('x', 'tasks.tasks.delete', { tasklist: 'inbox', task: ids[0]! })
      service.callAs('x', 'calendar.events.delete', { calendarId: 'me', eventId: ids[1]! })
      await device.replica.edit([{ kind: 'change', key: keptTask, patch: { title: 'Kept, edited' } }], { label: 'E' })
      await device.replica.edit([{ kind: 'change', key: keptEvent, patch: { summary: 'Kept, edited' } }], {
        label: 'E',
      })
      await create('tasks', 'New')
      if (restarted) device.crash()
      // The computer sleeps, so that no timer fires.
      clock.time += 30 * day
      // The service forgets what was deleted, and its old tokens.
      service.shelf('tasks inbox').drop(ids[0]!)
      service.shelf('events me').drop(ids[1]!)
      service.expireTokens()
      if (restarted) await device.start()
      await device.replica.setOffline(false)
      await clock.pass(600 * second)
      expect(device.replica.outbox()).toEqual([])
      expect(await titles('tasks')).toEqual(['Kept, edited', 'New'])
      expect(await titles('events')).toEqual(['Kept, edited'])
      expect(service.living('tasks inbox').map(({ title }) => title)).toEqual(['Kept, edited', 'New'])
    },
  )

  it.each(['before', 'after'] as const)(
    'every 2 seconds sends each edit once, without a storm of requests (%s)',
    async (when) => {
      await clock.pass(60 * second)
      const needed = await least()
      const failing = { now: false }
      service.trouble = (_call, moment) =>
        failing.now && moment === when ? (when === 'before' ? 'unreachable' : 'answerLost') : undefined
      const before = requests()
      const made = ['a', 'b', 'c', 'd', 'e']
      for (const title of made) await create('tasks', title)
      for (let flap = 0; flap < 60; flap++) {
        failing.now = flap % 2 === 0
        await clock.pass(2 * second)
      }
      const asked = requests() - before
      // One look at everything and the edits themselves would be enough.
      expect(asked).toBeLessThanOrEqual(1.2 * (needed + made.length))
      failing.now = false
      await clock.pass(300 * second)
      expect(device.replica.outbox()).toEqual([])
      expect(
        service
          .living('tasks inbox')
          .map(({ title }) => title)
          .sort(),
      ).toEqual(made)
    },
  )
})
