import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Store } from '../../../../src-main/sandbox/store'
import { now, traffic } from './world'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'sandbox-traffic-'))
  folders.push(made)
  return made
}

it('objects, IDs, and change logs persist, and IDs are never reused', async () => {
  const dataDir = folder()
  const before = await traffic('v3.4', { dataDir })
  const made = await before.make('Campaign', 'campaigns')
  const { changeLogs } = (await before.list('changeLogs')).body
  await before.client.sandbox.stop()
  const after = await traffic('v3.4', { dataDir, seed: 'demo' })
  expect(after.ids).toEqual(before.ids)
  expect((await after.get('campaigns', made.id)).body).toEqual(made)
  expect((await after.list('changeLogs')).body.changeLogs).toEqual(changeLogs)
  const next = await after.make('Campaign', 'campaigns')
  expect(Number(next.id)).toBeGreaterThan(Number(made.id))
})

it('an old data folder without campaigns gets what clients need, and keeps the rest', async () => {
  const dataDir = folder()
  const first = await traffic('v3.4', { dataDir })
  const { body: event } = await first.client.post('/calendar/v3/calendars/primary/events', {
    summary: 'Old',
    start: { date: '2026-05-20' },
    end: { date: '2026-05-21' },
  })
  await first.client.sandbox.stop()
  const store = new Store(dataDir, () => now)
  for (const table of ['objects', 'counters']) store.run(`DELETE FROM ${table}`)
  store.setMeta('ids', JSON.stringify({ email: first.ids.email, taskListId: first.ids.taskListId }))
  store.close()
  const again = await traffic('v3.4', { dataDir })
  expect((await again.get('campaigns', again.ids.campaignId!)).status).toBe(200)
  expect((await again.client.get(`/calendar/v3/calendars/primary/events/${event.id}`)).body.summary).toBe('Old')
})

it('a rejected write is rolled back completely', async () => {
  const world = await traffic()
  const state = async () => (await world.client.get('/sandbox/v1/state')).body
  const before = await state()
  const placement = {
    name: 'Two new sizes, one unknown',
    campaignId: world.ids.campaignId,
    siteId: world.ids.siteId,
    compatibility: 'DISPLAY',
    paymentSource: 'PLACEMENT_AGENCY_PAID',
    size: { width: 1111, height: 222 },
    additionalSizes: [{ width: 1112, height: 222 }, { id: '77' }],
    tagFormats: ['PLACEMENT_TAG_STANDARD'],
    pricingSchedule: { pricingType: 'PRICING_TYPE_CPM', startDate: '2026-06-01', endDate: '2026-06-30' },
  }
  const refused = await world.insert('placements', placement)
  expect([refused.status, refused.location]).toEqual([400, 'additionalSizes[1].id'])
  expect(await state()).toEqual(before)
  expect((await world.list('sizes', { width: 1111 })).body.sizes).toEqual([])
  const taken = await world.insert('placements', { ...placement, additionalSizes: [] })
  expect(taken.body.size).toMatchObject({ width: 1111, height: 222 })
})
