import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

const sources = [
  'export const a = Date.now()',
  'export const b = { now: Date.now }',
  'export const c = new Date()',
  'export const d = Date()',
  'export const e = performance.now()',
  'export const f = Temporal.Now.instant()',
  'export const g = DateTime.local()',
  'export const h = words.format()',
]
const moreSources = [
  'export const { now } = Date',
  'export const i = process.hrtime()',
  'export const j = process.uptime()',
  'export const k = performance.timeOrigin',
  'export const l = DateTime.utc()',
  'export const m = words.formatToParts()',
]
const moments = 'export const n = new Date(0).toISOString() + words.format(0) + DateTime.fromMillis(0)'

const using = [
  'src-shared/time/zones.ts',
  'src-main/main.ts',
  'src-main/sandbox/start.ts',
  'src-renderer/app/session.svelte.ts',
  // svelte-check writes components there.
  '.svelte-check/svelte/src-renderer/app/++StatusLine.svelte.ts',
  'test/helpers/app.ts',
  'test/main/http/send.test.ts',
  'scripts/tour/walk.ts',
]
const itself = 'src-shared/time/clock.ts'

/** Lines in which the linter finds the system clock, by file. */
const found = new Map<string, number[]>()

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-clock-'))
  await mkdir(join(folder, 'scripts'))
  for (const file of ['.oxlintrc.json', 'scripts/clock-rule.mjs']) await copyFile(join(root, file), join(folder, file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const file of [...using, itself]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), [...sources, ...moreSources, moments].join('\n'))
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', ...using, itself], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
  }
  for (const { code, filename, labels } of diagnostics)
    if (code === 'clock(handed-on)') found.set(filename, [...(found.get(filename) ?? []), labels[0]!.span.line])
})

describe('time comes from a clock', () => {
  it.each(using)('which %s must use', (file) => {
    const lines = [...sources, ...moreSources].map((_, at) => at + 1)
    expect(found.get(file)?.sort((a, b) => a - b)).toEqual(lines)
  })

  it("which alone reads the system's", () => {
    expect(found.get(itself)).toBeUndefined()
  })
})
