import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { saveAs, type FilePlaces } from '../../../src-main/app/files'
import type { SavedFile } from '../../../src-shared/ipc/file-questions'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightplan-files-'))
})

function save(text: string, places: { saveTo: string } | { chosen: string }): Promise<SavedFile | null> {
  const shell = { askSave: () => Promise.resolve('chosen' in places ? places.chosen : undefined) }
  return saveAs({ note: () => Promise.resolve(), shell, ...places } as unknown as FilePlaces, {
    ...{ name: 'Plan', extension: '.csv', kind: 'CSV', rows: 1 },
    chunks: () => [text],
  })
}
const contents = async (): Promise<string[]> =>
  Promise.all(
    (await readdir(folder)).sort().map(async (name) => `${name}: ${await readFile(join(folder, name), 'utf8')}`),
  )

it('a file replaces the one that the user confirmed', async () => {
  await writeFile(join(folder, 'plan.CSV'), 'old')
  expect(await save('new', { chosen: join(folder, 'plan.CSV') })).toMatchObject({ path: join(folder, 'plan.CSV') })
  expect(await contents()).toEqual(['plan.CSV: new'])
})

it('a file whose name was typed without its extension leaves an existing one alone', async () => {
  await writeFile(join(folder, 'plan.csv'), 'old')
  expect(await save('new', { chosen: join(folder, 'plan') })).toMatchObject({ path: join(folder, 'plan (2).csv') })
  expect(await contents()).toEqual(['plan (2).csv: new', 'plan.csv: old'])
})

it('files saved without asking get names of their own', async () => {
  for (const text of ['first', 'second', 'third']) await save(text, { saveTo: folder })
  expect(await contents()).toEqual(['Plan (2).csv: second', 'Plan (3).csv: third', 'Plan.csv: first'])
})
