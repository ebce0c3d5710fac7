import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { fileQuestions } from '#shared/ipc/file-questions'
import { leavingOut } from '../../../src-main/app/files'
import { icsChunks } from '../../../src-main/exports/ics-write'
import { DraggedFiles } from '../../../src-main/exports/dragged-files'

it('keeps the last two files under safe names, and none after its end or a crash', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-dragged-'))
  const dragged = new DraggedFiles(userData)
  const paths: string[] = []
  for (const name of ['../../Lunch: a/b', 'Second', 'Third.ics']) {
    await dragged.write(name, '.ics', [name])
    paths.push(dragged.path!)
  }
  for (const path of paths) expect(dirname(dirname(path))).toBe(join(userData, 'dragged'))
  expect(basename(paths[0]!)).not.toMatch(/[/\\:]/)
  expect(paths.slice(1).map((path) => basename(path))).toEqual(['Second.ics', 'Third.ics'])
  expect(await Promise.all(paths.slice(1).map((path) => readFile(path, 'utf8')))).toEqual(['Second', 'Third.ics'])
  expect(await readdir(join(userData, 'dragged'))).toHaveLength(2)
  await new DraggedFiles(userData).clear()
  expect(await readdir(userData)).toEqual([])
})

it('drags the event that was asked for last, if two are written at once', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-dragged-'))
  const dragged = new DraggedFiles(userData)
  const names = ['First', 'Second', 'Third']
  await Promise.all(
    names.map((name, at) =>
      dragged.write(
        name,
        '.ics',
        Array.from({ length: at === 0 ? 200 : 1 }, () => name),
      ),
    ),
  )
  expect(basename(dragged.path!)).toBe('Third.ics')
  expect(await readFile(dragged.path!, 'utf8')).toBe('Third')
})

it('lets the app start and end if a file can’t be deleted', async () => {
  const dragged = new DraggedFiles(join(tmpdir(), 'x'.repeat(300)))
  await expect(dragged.clear()).resolves.toBeUndefined()
})

it('says why nothing can be dragged if its folder can’t be made, and keeps no file', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-dragged-'))
  await writeFile(join(userData, 'dragged'), 'a file in the place of the folder')
  const dragged = new DraggedFiles(userData)
  await expect(dragged.write('Lunch', '.ics', ['Lunch'])).rejects.toMatchObject({ fault: { code: 'storage' } })
  expect(dragged.path).toBeUndefined()
})

it('says which event can’t be written, and why', () => {
  const { leftOut, leave } = leavingOut()
  const start = { dateTime: '2026-06-10T12:00:00Z' }
  const events = [{ id: 'a1', summary: 'Lunch', start, end: start, recurrence: ['RRULE:FREQ=SOMETIMES'] }]
  const text = [...icsChunks({ calendarName: 'Lunch', timeZone: 'UTC', events }, 0, leave)].join('')
  expect(text).not.toContain('BEGIN:VEVENT')
  expect(leftOut).toEqual({ count: 1, names: [expect.stringMatching(/^“Lunch”: ./) as string] })
})

it('takes a title of any length', () => {
  const calendar = { calendarName: '', timeZone: 'UTC', events: [] }
  const asked = fileQuestions['export/draggable'].safeParse({ ...calendar, name: 'Lunch '.repeat(1_000) })
  expect(asked.success).toBe(true)
})
