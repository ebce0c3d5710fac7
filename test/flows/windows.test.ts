import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { Replica } from '../../src-renderer/replica/api'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'

const primary = 'alex.morgan@flightplan.example'
const day = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}

const service = serviceForEach()
let device: Device
let windows: Replica[]

beforeEach(async () => {
  device = await deviceOf(service)
  await device.settled()
  windows = [await device.openWindow()]
})
afterEach(async () => {
  for (const window of windows) await window.close()
  await device.close()
})

async function event(replica: Replica, summary: string, more: JsonObject = {}): Promise<string> {
  const { keys } = await replica.edit(
    [{ kind: 'create', collection: 'events', parent: primary, value: { summary, ...day, ...more } }],
    { label: `New event “${summary}”` },
  )
  return keys[0]!
}
const change = (replica: Replica, key: string, patch: JsonObject): Promise<unknown> =>
  replica.edit([{ kind: 'change', key, patch }], { label: 'Change' })
const titles = (replica: Replica): string[] =>
  replica
    .items(Date.parse('2026-05-01'), Date.parse('2026-06-01'))
    .map(({ title }) => title)
    .sort()
const shown = (replica: Replica): (() => string[]) => () => titles(replica)

describe('two windows of one account', () => {
  it('show the edits of either', async () => {
    const [other] = windows as [Replica]
    const key = await event(other, 'Made there')
    expect(titles(other)).toEqual(['Made there'])
    expect(titles(device.replica)).toEqual(['Made there'])
    await change(device.replica, key, { summary: 'Renamed here' })
    await expect.poll(shown(other)).toEqual(['Renamed here'])
    await device.settled()
    await expect.poll(async () => (await other.read(key))?.mark).toBe('synced')
    expect(other.outbox()).toEqual([])
  })
})
