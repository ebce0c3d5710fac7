import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { outerSeconds, parts, planRest, usualOthers, usualTests, wholeRun } from '../../scripts/ci-plan.mjs'

const root = resolve(import.meta.dirname, '../..')
const seconds = { 'a.ts': 200, 'b.ts': 40, 'c.ts': 100 }
/** @param left seconds that are left besides a part of the window tests that weren't drawn */
const rest = (left: number, slower = 1, seed = 0) =>
  planRest({ elapsed: wholeRun - (usualOthers / parts) * slower - left, tests: usualTests * slower, seed, seconds })

it('the plan has every file of the outer ring', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.all.test.ts'))
    .map((name) => `test/${name}`)
  expect(Object.keys(outerSeconds).sort()).toEqual(files.sort())
})

it('the plan takes all that fits and lists the rest', () => {
  expect(rest(340)).toEqual({ part: 1, files: ['a.ts', 'b.ts', 'c.ts'], leftOut: [] })
  expect(rest(150)).toEqual({ part: 1, files: ['b.ts', 'c.ts'], leftOut: ['a.ts'] })
  expect(rest(59)).toEqual({ part: 1, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
  expect(rest(-10)).toEqual({ part: 1, files: [], leftOut: ['a.ts', 'b.ts', 'c.ts'] })
})

it("the plan scales by this machine's speed", () => {
  expect(rest(150, 2)).toEqual({ part: 1, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
})

it('the plan takes another part and starts with another file per commit', () => {
  expect(rest(120, 1, 1)).toEqual({ part: 2, files: ['b.ts'], leftOut: ['c.ts', 'a.ts'] })
  expect(rest(120, 1, 2)).toEqual({ part: 3, files: ['c.ts'], leftOut: ['a.ts', 'b.ts'] })
  expect(Array.from({ length: parts }, (_, seed) => rest(0, 1, seed + 7).part).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
