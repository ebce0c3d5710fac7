import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { outerSeconds, planRest, usualTests, wholeRun } from '../../scripts/ci-plan.mjs'

const root = resolve(import.meta.dirname, '../..')
const seconds = { 'a.ts': 200, 'b.ts': 40, 'c.ts': 100 }
const rest = (elapsed: number, tests = usualTests, commit = '0000000') => planRest({ elapsed, tests, commit, seconds })

it('the plan has every file of the outer ring', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.all.test.ts'))
    .map((name) => `test/${name}`)
  expect(Object.keys(outerSeconds).sort()).toEqual(files.sort())
})

it('the plan takes all that fits and lists the rest', () => {
  expect(rest(wholeRun - 340)).toEqual({ minutes: 2, files: ['a.ts', 'b.ts', 'c.ts'], leftOut: [] })
  expect(rest(wholeRun - 150)).toEqual({ minutes: 2, files: ['b.ts', 'c.ts'], leftOut: ['a.ts'] })
  expect(rest(wholeRun - 59)).toEqual({ minutes: 0, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
  expect(rest(wholeRun + 10)).toEqual({ minutes: 0, files: [], leftOut: ['a.ts', 'b.ts', 'c.ts'] })
})

it("the plan scales by this machine's speed", () => {
  expect(rest(wholeRun - 150, 2 * usualTests)).toEqual({ minutes: 2, files: ['b.ts'], leftOut: ['a.ts', 'c.ts'] })
})

it('the plan starts with a different file per commit', () => {
  expect(rest(wholeRun - 120, usualTests, '0000001abc').files).toEqual(['b.ts'])
  expect(rest(wholeRun - 120, usualTests, '0000002abc').files).toEqual(['c.ts'])
})
