import { describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { comingSchema } from '#shared/ipc/reminder-questions'
import type { JsonObject } from '#shared/json'
import { rfc3339 } from '#shared/time/zones'
import { comingOf } from '../../../../src-renderer/app/reminders/coming'
import { deviceOf, type Device } from '../../../helpers/device'
import { startService, type TestService } from '../../../helpers/service'
import { primary } from '../../../helpers/some-event'

const zone = 'Europe/Berlin'
const now = Date.parse('2026-06-10T08:00:00+02:00')
const context = { now, zone, hour12: false, tasksDueAt: 540 }

async function withDevice(run: (device: Device, service: TestService) => Promise<void>): Promise<void> {
  const service = await startService({ now: () => now })
  const device = await deviceOf(service)
  try {
    await device.settled()
    await run(device, service)
  } finally {
    await device.close()
    await service.stop()
  }
}

describe('what is coming up', () => {
  it('reminds of a task at its own time, and again if that changes', () =>
    withDevice(async (device) => {
      const { replica } = device
      const list = replica.rows('tasklists')[0]!.id
      const value = {
        title: 'Call Jo',
        status: 'needsAction',
        due: '2026-06-10T00:00:00.000Z',
        notes: 'at 15:00 · #work',
      }
      const { keys } = await replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value }], {
        label: 'Add',
      })
      await device.settled()
      const ringing = async (): Promise<{ key: string; when: string; at: string }> => {
        const found = (await comingOf(replica, context)).reminders.find(({ title }) => title === 'Call Jo')!
        return { key: found.key, when: found.when, at: rfc3339(found.at, zone) }
      }
      const first = await ringing()
      expect(first).toMatchObject({ when: '15:00', at: '2026-06-10T15:00:00+02:00' })
      await replica.edit([{ kind: 'change', key: keys[0]!, patch: { notes: 'at 16:00' } }], { label: 'Later' })
      const second = await ringing()
      expect(second.at).toBe('2026-06-10T16:00:00+02:00')
      expect(second.key).not.toBe(first.key)
    }))

  it('has an event of two calendars once, as that of the primary one', () =>
    withDevice(async (device) => {
      const { replica } = device
      const [calendar] = (
        await replica.edit([{ kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Harbor' } }], {
          label: 'Add',
        })
      ).keys
      await device.settled()
      const value = {
        summary: 'Review',
        start: { dateTime: '2026-06-10T09:00:00+02:00', timeZone: zone },
        end: { dateTime: '2026-06-10T09:30:00+02:00', timeZone: zone },
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] },
      }
      const harbor = parseRecordKey(replica.realKey(calendar!)).id
      await replica.edit(
        [harbor, primary].map((parent) => ({
          kind: 'create',
          collection: 'events',
          parent,
          id: 'sharedreview',
          value,
        })),
        { label: 'Add' },
      )
      const { agenda, reminders } = await comingOf(replica, context)
      expect(agenda.map(({ record }) => record)).toEqual([recordKey('events', primary, 'sharedreview')])
      expect(reminders.map(({ record }) => record)).toEqual([recordKey('events', primary, 'sharedreview')])
    }))

  it('has the reminders of events and tasks, without declined events and completed tasks', () =>
    withDevice(async (device) => {
      const { replica } = device
      const event = (summary: string, more: JsonObject = {}): JsonObject => ({
        summary,
        start: { dateTime: '2026-06-10T09:00:00+02:00', timeZone: zone },
        end: { dateTime: '2026-06-10T09:30:00+02:00', timeZone: zone },
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] },
        ...more,
      })
      const add = async (value: JsonObject): Promise<void> =>
        void (await replica.edit([{ kind: 'create', collection: 'events', parent: primary, value }], { label: 'Add' }))
      await add(event('Stand-up', { location: 'Room Fjord' }))
      await add(event('Declined', { attendees: [{ email: primary, self: true, responseStatus: 'declined' }] }))
      await add(event('Silent', { reminders: { useDefault: false } }))
      await add(event('Series', { recurrence: ['RRULE:FREQ=DAILY;COUNT=10'] }))
      await add(
        event('Fair', {
          start: { date: '2026-06-11' },
          end: { date: '2026-06-12' },
          reminders: { useDefault: false, overrides: [{ minutes: 10 }, { minutes: 1440 }] },
        }),
      )
      const list = replica.rows('tasklists')[0]!.id
      const task = async (title: string, status: string): Promise<void> => {
        const value = { title, status, due: '2026-06-10T00:00:00.000Z' }
        await replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value }], { label: 'Add' })
      }
      await task('Call the printer', 'needsAction')
      await task('Done', 'completed')

      await device.settled()
      const coming = await comingOf(replica, context)
      expect(comingSchema.parse(coming)).toEqual(coming)
      const times = coming.reminders.map(({ title, at }) => `${rfc3339(at, zone).slice(5, 16)} ${title}`)
      expect(times.sort()).toEqual([
        '06-10T08:50 Series',
        '06-10T08:50 Stand-up',
        '06-10T09:00 Call the printer',
        '06-10T17:00 Fair',
        '06-11T08:50 Series',
        '06-11T09:00 Fair',
        '06-12T08:50 Series',
      ])
      const standUp = coming.reminders.find(({ title }) => title === 'Stand-up')!
      expect(standUp).toMatchObject({
        kind: 'event',
        when: '09:00 to 09:30',
        location: 'Room Fjord',
        calendar: primary,
      })
      expect(standUp.record).toBe(recordKey('events', primary, standUp.record.split('\n')[2]!))
      expect(coming.agenda.map(({ title }) => title).sort()).toEqual(['Fair', 'Series', 'Series', 'Silent', 'Stand-up'])
    }))
})
