import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ExportPreset } from '#shared/reports/export-presets'
import { ExportPresets } from '../../../src-main/app/export-presets'

let folder: string
let chosen: Set<string>
const open = (): ExportPresets => new ExportPresets(folder, (one) => chosen.has(one))
const preset = (more: Partial<ExportPreset> = {}): ExportPreset => ({
  id: 'a',
  name: 'Weekly',
  of: 'table',
  format: 'csv',
  dialect: 'plain',
  rows: 'shown',
  template: '{report} {from}',
  ...more,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presets-'))
  chosen = new Set()
})
afterEach(() => rm(folder, { recursive: true }))

it('survive restarts, renaming, and removal, and have unique names', async () => {
  const presets = open()
  await presets.keep(preset())
  await Promise.all([presets.keep(preset({ id: 'b', name: 'Daily' })), presets.chosen({ ...preset(), preset: 'b' })])
  await expect(presets.keep(preset({ id: 'c', name: 'weekly' }))).rejects.toMatchObject({
    fault: { code: 'duplicate' },
  })
  await presets.keep(preset({ id: 'c', name: 'weekly', of: 'chart', format: 'svg' }))
  await presets.keep(preset({ name: 'Each week', format: 'pdf' }))
  const { presets: kept, last } = await open().list()
  expect(kept.map(({ id, name }) => [id, name])).toEqual([
    ['b', 'Daily'],
    ['a', 'Each week'],
    ['c', 'weekly'],
  ])
  expect(last.table).toMatchObject({ preset: 'b', format: 'csv' })
  expect((await open().remove('b')).presets.map(({ id }) => id)).toEqual(['a', 'c'])
})

it('export only to folders chosen in this run or when they were saved', async () => {
  await expect(open().keep(preset({ folder: '/tmp/x' }))).rejects.toMatchObject({ fault: { code: 'invalid' } })
  await expect(open().chosen(preset({ folder: '/tmp/x' }))).rejects.toMatchObject({ fault: { code: 'invalid' } })
  chosen = new Set(['/tmp/x', 'here'])
  await expect(open().keep(preset({ folder: 'here' }))).rejects.toMatchObject({ fault: { code: 'invalid' } })
  await open().keep(preset({ folder: '/tmp/x' }))
  chosen = new Set()
  const later = open()
  await later.keep(preset({ folder: '/tmp/x', name: 'Renamed' }))
  expect([await later.takes('/tmp/x'), await later.takes('/tmp/y'), await later.takes('x')]).toEqual([
    true,
    false,
    false,
  ])
})

it('can be saved again after removal, and their folder stays allowed until then', async () => {
  chosen = new Set(['/tmp/x'])
  await open().keep(preset({ folder: '/tmp/x' }))
  chosen = new Set()
  const later = open()
  await later.remove('a')
  expect(await later.takes('/tmp/x')).toBe(true)
  await later.chosen(preset({ folder: '/tmp/x' }))
  await later.chosen(preset())
  expect((await later.keep(preset({ folder: '/tmp/x' }))).presets).toHaveLength(1)
  await later.remove('a')
  expect(await open().takes('/tmp/x')).toBe(false)
})

it('with duplicate IDs in an edited file are both kept and edited separately', async () => {
  const copied = [
    preset(),
    preset({ id: 'a-2', name: 'Other' }),
    preset({ name: 'Copy' }),
    preset({ id: 'x'.repeat(80) }),
  ]
  const presets = [...copied, preset({ id: 'x'.repeat(80), name: 'Long' })]
  await writeFile(join(folder, 'export-presets.json'), JSON.stringify({ version: 1, presets, last: {} }))
  const { presets: read } = await open().list()
  expect(read.map(({ name }) => name).sort()).toEqual(['Copy', 'Long', 'Other', 'Weekly', 'Weekly'])
  expect(new Set(read.map(({ id }) => id)).size).toBe(5)
  expect(await open().list()).toEqual({ presets: read, last: {} })
  const copy = read.find(({ name }) => name === 'Copy')!
  await open().keep({ ...copy, name: 'Renamed' })
  const { presets: left } = await open().remove('a')
  expect(left.map(({ name }) => name).sort()).toEqual(['Long', 'Other', 'Renamed', 'Weekly'])
})

it("that can't be read aren't overwritten", async () => {
  const path = join(folder, 'export-presets.json')
  for (const text of ['{"version":2}', '{"version":1,"presets":[{"id":1}],"last":{}}', 'no']) {
    await writeFile(path, text)
    await expect(open().list()).rejects.toThrow('Couldn’t read')
    await expect(open().keep(preset())).rejects.toThrow(path)
    expect(await readFile(path, 'utf8')).toBe(text)
  }
})
