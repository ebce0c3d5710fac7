import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { outerSeconds, planRest, usualOthers, usualTests, wholeRun } from '../../scripts/ci-plan.mjs'

const root = resolve(import.meta.dirname, '../..')
const seconds = { 'a.ts': 200, 'b.ts': 40, 'c.ts': 100 }
/** @param left seconds that are left besides the window tests that weren't drawn */
const rest = (left: number, slower = 1, commit = '0000000') =>
  planRest({ elapsed: wholeRun - usualOthers * slower - left, tests: usualTests * slower, commit, seconds })

it('the plan has every file of the outer ring', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.all.test.ts'))
    .map((name) => `test/${name}`)
  expect(Object.keys(outerSeconds).sort()).toEqual(files.sort())
})

it('the plan takes all that fits and lists the rest', () => {
  expect(rest(340)).toEqual({ minutes: 2, files: ['a.ts', 'b.ts', 'c.ts'], leftOut: [] })
  expect(rest(150)).toEqual({ minutes: 2, files: ['b.ts', 'c.ts'], leftOut: ['a.ts'] })
  expect(rest(59)).toEqual({ minutes: 0, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
  expect(rest(-10)).toEqual({ minutes: 0, files: [], leftOut: ['a.ts', 'b.ts', 'c.ts'] })
})

it("the plan scales by this machine's speed", () => {
  expect(rest(150, 2)).toEqual({ minutes: 2, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
})

it('the plan starts with a different file per commit', () => {
  expect(rest(120, 1, '0000001abc').files).toEqual(['b.ts'])
  expect(rest(120, 1, '0000002abc').files).toEqual(['c.ts'])
})
