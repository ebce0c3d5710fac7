import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'

let app: RunningApp
let file: string

beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'flightplan-import-')), 'plans.ics')
  app = await launchApp({ args: ['--seed', 'empty', '--open-file', file] })
  await nothingPending(app.page)
})
afterAll(() => app.close())

const calendar = (lines: readonly string[]): Promise<void> =>
  writeFile(file, `BEGIN:VCALENDAR\r\n${lines.join('\r\n')}\r\nEND:VCALENDAR\r\n`)

it('a file whose time zone changes every second imports at once and reports what it skipped', async () => {
  await calendar([
    ...['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200'],
    ...['TZOFFSETTO:+0117', 'RRULE:FREQ=SECONDLY', 'END:STANDARD', 'END:VTIMEZONE'],
    ...['BEGIN:VEVENT', 'UID:a', 'SUMMARY:In an odd zone', 'DTSTART;TZID=Odd:20260105T090000', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'UID:b', 'SUMMARY:Plain', 'DTSTART:20260105T090000Z', 'END:VEVENT'],
  ])
  await app.page.keyboard.press('Control+Shift+i')
  const dialog = app.page.getByRole('dialog')
  await dialog.getByText('Plain').first().waitFor()
  await dialog
    .getByText(/its clock changes follow an invalid rule/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

it('repairs are counted by type and list the affected names', async () => {
  const backwards = (title: string): string[] => [
    ...['BEGIN:VEVENT', `UID:${title}`, `SUMMARY:${title}`, 'DTSTART:20260105T090000Z', 'DTEND:20260105T080000Z'],
    'END:VEVENT',
  ]
  await calendar([
    ...backwards('First slip'),
    ...backwards('Second slip'),
    ...['BEGIN:VEVENT', 'UID:z', 'SUMMARY:Without a start', 'END:VEVENT'],
  ])
  await app.page.keyboard.press('Control+Shift+i')
  const dialog = app.page.getByRole('dialog')
  await dialog.getByText('“Without a start” was skipped: it has no start').waitFor()
  await dialog.getByRole('heading', { name: 'Imported with changes (2)' }).waitFor()
  const kind = dialog.getByText('Ends before it starts, so it was imported without a duration (2)')
  const name = dialog.getByRole('listitem').filter({ hasText: '“Second slip”' })
  await expect.poll(() => name.isVisible()).toBe(false)
  await kind.click()
  await name.waitFor()
  await dialog.getByRole('button', { name: 'Import 2 events' }).click()
  await app.page.getByText('2 events imported from plans.ics').first().waitFor()
})

it('a large file imports in the background and can be canceled', async () => {
  const event = (index: number): string[] => [
    ...['BEGIN:VEVENT', `UID:${index}`, `SUMMARY:Plan ${index}`, 'DTSTART;TZID=Europe/Berlin:20260105T090000'],
    ...['RRULE:FREQ=WEEKLY;COUNT=10', `DESCRIPTION:${'words '.repeat(100)}`, 'END:VEVENT'],
  ]
  await calendar(Array.from({ length: 45_000 }, (_, index) => event(index)).flat())
  await app.page.keyboard.press('Control+Shift+i')
  const reading = app.page.getByRole('dialog', { name: 'Reading “plans.ics”' })
  await reading.waitFor()
  const answer = await app.page.evaluate(() => window.flightplan.ask('app/info', {}))
  expect(answer.ok).toBe(true)
  // The dialog is still open: the response came while the file was being read.
  await expect.poll(() => reading.count()).toBe(1)
  await reading.getByRole('button', { name: 'Cancel' }).click()
  await app.page.getByText('Canceled. Nothing was imported.').first().waitFor()
  await expect.poll(() => app.page.getByRole('dialog').count()).toBe(0)
})
