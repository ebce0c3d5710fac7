import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { blockCreation, tasksById } from '../../src-renderer/context/time-blocks'
import { timesOfSpan } from '../../src-renderer/views/calendar/times'
import { launchApp } from '../helpers/app'
import { deviceOf } from '../helpers/device'
import { clockFromMoment } from '../helpers/moment'
import { nothingPending, workOffline } from '../helpers/page'
import { startService } from '../helpers/service'

const primary = 'alex.morgan@flightplan.example'
const hourMs = 3_600_000
const today = Date.UTC(2026, 5, 10)
const titles = ['Brief', 'Budget', 'Call', 'Draft', 'Edit', 'File']
/** Hours of the day at which the tasks are planned. */
const hours: Readonly<Record<string, number>> = { Brief: 9, Budget: 10, Call: 11, Draft: 12, Edit: 13, File: 14 }

it('a day planned offline on two computers has each task once, and no block without its task', async () => {
  const clock = clockFromMoment()
  const service = await startService({ now: clock.now })
  const there = await deviceOf(service)
  await there.settled()
  const list = there.replica.rows('tasklists')[0]!.id
  const due = new Date(today).toISOString()
  await there.replica.edit(
    titles.map((title) => ({ kind: 'create', collection: 'tasks', parent: list, value: { title, due } as JsonObject })),
    { label: 'Add tasks' },
  )
  await there.settled()

  const app = await launchApp({ clock, service: service.sandbox, size: { width: 1280, height: 900 } })
  const { page } = app
  const { keyboard, mouse } = page
  const task = (title: string): Locator =>
    page.getByRole('complementary', { name: 'Tasks to plan' }).getByRole('button', { name: new RegExp(`^${title},`) })
  const block = (title: string): Locator =>
    page.getByRole('button', { name: new RegExp(`^Time block[^,]*, ${title},`) })
  const announced = (text: string): Promise<void> =>
    page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached' })
  await nothingPending(page)
  await workOffline(page)
  await there.replica.setOffline(true)

  // Three by drag, three by keys.
  for (const key of ['2', 't', 'Control+.']) await keyboard.press(key)
  await page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 8 * 48))
  const column = page.locator('.column').nth(2)
  for (const title of titles.slice(0, 3)) {
    const from = (await task(title).boundingBox())!
    const to = (await column.boundingBox())!
    await mouse.move(from.x + 10, from.y + 8)
    await mouse.down()
    await mouse.move(to.x + to.width / 2, to.y + ((hours[title]! + 0.1) / 24) * to.height, { steps: 4 })
    await mouse.up()
    await announced(`“${title}” planned for Wednesday 10 June`)
  }
  for (const title of titles.slice(3)) {
    await task(title).focus()
    await keyboard.press('b')
    const at = page.getByRole('dialog').getByRole('textbox', { name: 'Time' })
    await at.fill(`${hours[title]}:00`)
    await at.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await announced(`“${title}” planned for Wednesday 10 June`)
  }
  await expect.poll(() => page.locator('.columns .plans').count()).toBe(6)

  // Two move, one is done, and one block is deleted.
  for (const [title, key] of [
    ['Draft', 'Alt+ArrowRight'],
    ['Edit', 'Alt+ArrowDown'],
  ] as const) {
    await block(title).focus()
    await keyboard.press(key)
    await announced(`“${title}” moved to`)
  }
  await block('File').focus()
  await keyboard.press('x')
  await announced('“File” completed')
  await block('Call').focus()
  await keyboard.press('Delete')
  await announced('Time block of “Call” deleted. The task is unchanged')

  // The other computer plans three of them at the same times, and deletes a task that was planned here.
  const { replica } = there
  const setting = replica.rows('settings').find(({ id }) => id === 'defaultEventLength')?.value?.['value']
  const length = Number(setting ?? 60) * 60_000
  const byTitle = new Map([...tasksById(replica).values()].map((row) => [String(row.value!['title']), row]))
  for (const title of titles.slice(0, 3)) {
    const start = today + hours[title]! * hourMs
    const times = timesOfSpan({ start, end: start + length, allDay: false }, 'Europe/Berlin')
    const change = await blockCreation(replica, byTitle.get(title)!, primary, times)
    await replica.edit([change], { label: `Plan ${title}` })
  }
  await replica.edit([{ kind: 'delete', key: byTitle.get('Edit')!.key }], { label: 'Delete Edit' })

  await replica.setOffline(false)
  await there.settled()
  await workOffline(page)
  await nothingPending(page)
  await page.getByRole('region', { name: 'Messages' }).getByText('Time block of “Edit” removed').waitFor()
  await nothingPending(page)
  await there.settled()

  const day = { timeMin: '2026-06-09T00:00:00Z', timeMax: '2026-06-13T00:00:00Z' }
  const answer = (await service.client.call('calendar.events.list', { calendarId: primary, ...day })) as {
    body: { items: { summary: string; start: { dateTime: string } }[] }
  }
  const found = answer.body.items.map(({ summary, start }) => `${summary} ${start.dateTime.slice(8, 16)}`).sort()
  expect(found).toEqual(['Brief 10T09:00', 'Budget 10T10:00', 'Call 10T11:00', 'Draft 11T12:00', 'File 10T14:00'])
  await expect.poll(() => page.locator('.columns .plans').count()).toBe(5)
  await expect.poll(() => page.getByRole('button', { name: /^Time block of a completed task, File/ }).count()).toBe(1)
  await there.close()
  await app.close()
  await service.stop()
})
