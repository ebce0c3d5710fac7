import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
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
