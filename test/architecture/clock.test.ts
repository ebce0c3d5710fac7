import { beforeAll, describe, expect, it } from 'vitest'
import { linesFound } from '../helpers/lint-rule'

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

let found: ReadonlyMap<string, readonly number[]>

beforeAll(async () => {
  found = await linesFound('clock(handed-on)', [...using, itself], [...sources, ...moreSources, moments].join('\n'))
})

describe('time comes from a clock', () => {
  it.each(using)('which %s must use', (file) => {
    const lines = [...sources, ...moreSources].map((_, at) => at + 1)
    expect(found.get(file)).toEqual(lines)
  })

  it("which alone reads the system's", () => {
    expect(found.get(itself)).toBeUndefined()
  })
})
