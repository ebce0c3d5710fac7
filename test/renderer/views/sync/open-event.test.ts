import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { AppContext } from '../../../../src-renderer/context/context'
import type { CalendarItem, Change } from '../../../../src-renderer/replica/api'
import { SyncModel } from '../../../../src-renderer/views/sync/model.svelte'
import { deviceOf, type Device } from '../../../helpers/device'
import { serviceForEach } from '../../../helpers/for-file'
import { primary, times } from '../../../helpers/some-event'

const service = serviceForEach()
let device: Device
beforeEach(async () => {
  device = await deviceOf(service)
  await device.settled()
  await device.replica.setOffline(true)
})
afterEach(() => device.close())

const edit = (change: Change): Promise<{ keys: readonly string[] }> => device.replica.edit([change], { label: 'Edit' })
const added = async (value: JsonObject): Promise<string> =>
  (await edit({ kind: 'create', collection: 'events', parent: primary, value: { ...times, ...value } })).keys[0]!
const occurrences = (): CalendarItem[] => [
  ...device.replica.items(Date.parse('2026-05-01'), Date.parse('2026-06-01'), { zone: 'Europe/Berlin' }),
]

/** The event and the day that the calendar shows for the latest pending change. */
function shown(): { item: CalendarItem | undefined; day: unknown } {
  let place: JsonObject = {}
  const app = {
    replica: device.replica,
    navigation: { go: (_view: string, params: JsonObject) => (place = params) },
    preferences: { zone: 'Europe/Berlin', hour12: false },
    clock: { today: () => 0 },
  } as unknown as AppContext
  new SyncModel(app).open(device.replica.outbox().at(-1)!)
  return { item: occurrences().find(({ itemKey }) => itemKey === place['item']), day: place['day'] }
}

describe('the record of a pending change', () => {
  it('is an event on its day', async () => {
    const key = await added({ summary: 'Once' })
    expect(shown()).toMatchObject({ item: { itemKey: key }, day: Date.parse('2026-05-04') })
  })
  it('is an occurrence of a series', async () => {
    await added({ summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY'] })
    expect(shown()).toMatchObject({ item: { title: 'Weekly' }, day: Date.parse('2026-05-04') })
  })
  it('is the next occurrence if the first is gone', async () => {
    const key = await added({ summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY'] })
    await device.replica.setOffline(false)
    await device.settled()
    await device.replica.setOffline(true)
    await edit({ kind: 'delete', key: occurrences()[0]!.itemKey })
    await edit({ kind: 'change', key, patch: { summary: 'Renamed' } })
    expect(shown()).toMatchObject({ item: { title: 'Renamed' }, day: Date.parse('2026-05-11') })
  })
  it('is the occurrence that was changed', async () => {
    await added({ summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY'] })
    await edit({ kind: 'change', key: occurrences()[2]!.itemKey, patch: { summary: 'Once different' } })
    expect(shown()).toMatchObject({ item: { title: 'Once different' }, day: Date.parse('2026-05-18') })
  })
})
