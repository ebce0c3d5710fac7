import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CalendarReader } from '../../../src-main/exports/calendar-reader'
import { helperProcesses } from '../../helpers/helper-process'

const start = helperProcesses('src-main/exports/read-process.ts')

async function file(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'flightplan-import-')), 'plans.ics')
  await writeFile(path, text)
  return path
}
const events = (count: number): string =>
  `BEGIN:VCALENDAR\r\n${Array.from(
    { length: count },
    (_, index) => `BEGIN:VEVENT\r\nUID:${index}\r\nSUMMARY:Plan ${index}\r\nDTSTART:20260105T090000Z\r\nEND:VEVENT\r\n`,
  ).join('')}END:VCALENDAR\r\n`

it("reading a file happens in another process and doesn't block this one", async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const read = await new CalendarReader(start).read(await file(events(20_000)), 'UTC')
  clearInterval(timer)
  expect(read.events).toHaveLength(20_000)
  expect(read.events[7]).toMatchObject({ summary: 'Plan 7' })
  expect(turns).toBeGreaterThan(20)
})

it('a file that takes too long stops with a message', async () => {
  const reader = new CalendarReader(start, 1)
  await expect(reader.read(await file(events(50_000)), 'UTC')).rejects.toMatchObject({
    fault: { code: 'invalid', message: expect.stringContaining('Nothing was imported.') as string },
  })
})

it('an import can be canceled, and the next one works', async () => {
  const reader = new CalendarReader(start)
  const reading = reader.read(await file(events(50_000)), 'UTC')
  reader.cancel()
  await expect(reading).rejects.toMatchObject({ fault: { code: 'aborted' } })
  expect((await reader.read(await file(events(2)), 'UTC')).events).toHaveLength(2)
})

it('a crash of the process rejects the import', async () => {
  const dying = new CalendarReader(() => {
    const process = start()
    return { ...process, post: () => process.kill() }
  })
  await expect(dying.read(await file(events(1)), 'UTC')).rejects.toMatchObject({ fault: { code: 'invalid' } })
})

it('errors of the reader arrive unchanged', async () => {
  const reader = new CalendarReader(start)
  await expect(reader.read(await file('hello'), 'UTC')).rejects.toMatchObject({
    fault: { code: 'invalid', message: 'The file isn’t a calendar. Nothing was imported.' },
  })
  await expect(reader.read('/nowhere/plans.ics', 'UTC')).rejects.toMatchObject({
    fault: {
      code: 'storage',
      reason: 'ENOENT',
      message: 'This location no longer exists. Nothing was imported. Restore the folder, or choose another location.',
    },
  })
})

it('a second file cancels the first and can be canceled', async () => {
  const reader = new CalendarReader(start)
  const first = reader.read(await file(events(50_000)), 'UTC')
  const second = reader.read(await file(events(50_000)), 'UTC')
  await expect(first).rejects.toMatchObject({ fault: { code: 'aborted' } })
  reader.cancel()
  await expect(second).rejects.toMatchObject({ fault: { code: 'aborted' } })
})
