import { describe, expect, it } from 'vitest'
import { comparison, memoryGoal, type Comparison } from '../bench/measure'
import { growth, isWorse, lineOf, missesGoal, noise, orderOf, printedOf, summaryOf } from '../bench/report'

const parts = ['queue', 'exports', 'storage']
const figure = (name: string, ratio: number, goal?: number): Comparison =>
  comparison(name, 'a floor', ratio * 100, 100, { ...(goal !== undefined && { goal }) })

describe('the options of a benchmark run', () => {
  it('default to every part at its usual size, as text', () => {
    expect(orderOf([], parts)).toEqual({ parts, json: false, long: false })
  })
  it('select parts, in run order, by any name', () => {
    for (const args of [
      ['--only', 'storage,queue'],
      ['--only', 'storage, queue'],
      ['--only=storage', '--only=queue'],
    ])
      expect(orderOf(args, parts).parts).toEqual(['queue', 'storage'])
  })
  it('include long sizes, JSON, and a run to compare', () => {
    expect(orderOf(['--all', '--json', '--against', 'before.json'], parts)).toEqual({
      ...{ parts, json: true, long: true, against: 'before.json' },
    })
  })
  it('are rejected with the allowed names', () => {
    expect(() => orderOf(['--only', 'queue,speed'], parts)).toThrow(
      '--only takes some of queue, exports, storage, not speed',
    )
    expect(() => orderOf(['--al'], parts)).toThrow('--al')
    expect(() => orderOf(['queue'], parts)).toThrow('queue')
  })
})

describe('a goal', () => {
  it('is met up to a ratio and missed beyond it', () => {
    expect([1.4, 1.5, 1.501].map((ratio) => missesGoal(figure('sort', ratio, 1.5)))).toEqual([false, false, true])
    expect(missesGoal(figure('sort', 9))).toBe(false)
  })
  it('for memory allows 150 MB for a window of any size', () => {
    expect(memoryGoal(200)).toBe(2.1)
    expect(memoryGoal(300)).toBe(1.85)
  })
  it('is named in its line, and marked when missed', () => {
    expect(lineOf(figure('sort', 1.4, 1.5))).toBe('    1.40 ×  sort: 140 ms, 100 ms for a floor; goal 1.5 ×')
    expect(lineOf(figure('sort', 1.6, 1.5))).toContain('; MISSES ITS GOAL of 1.5 ×')
    expect(lineOf(figure('sort', 1.6))).not.toMatch(/goal/i)
  })
  it('counts in the last line', () => {
    const all = [figure('sort', 1.6, 1.5), figure('start', 2, 1.3), figure('undo', 1, 1.1), figure('chart', 8)]
    expect(summaryOf(all.slice(2))).toBe('2 figures, none misses its goal')
    expect(summaryOf(all.slice(1))).toBe('3 figures, 1 misses its goal: start (2.00, goal 1.3)')
    expect(summaryOf(all)).toBe('4 figures, 2 miss their goal: sort (1.60, goal 1.5); start (2.00, goal 1.3)')
    expect(summaryOf(all.slice(2), { failed: ['storage'] })).toMatch(/, 1 part failed: storage$/)
  })
})

describe('a comparison with an earlier run', () => {
  const before = [figure('sort', 1), figure('undo', 2)]
  it('uses the ratio, and is worse only beyond the noise', () => {
    expect(growth(figure('sort', 1.5), before)).toBeCloseTo(0.5)
    expect(growth(figure('undo', 1), before)).toBeCloseTo(-0.5)
    expect(growth(figure('redo', 1), before)).toBeNull()
    const beside = 1 + noise
    expect([beside - 0.01, beside + 0.01].map((ratio) => isWorse(figure('sort', ratio), before))).toEqual([false, true])
    expect(isWorse(figure('redo', 9), before)).toBe(false)
  })
  it("shows each value's change and which are worse", () => {
    expect(lineOf(figure('sort', 1.5), before)).toMatch(/; \+50% WORSE$/)
    expect(lineOf(figure('undo', 1), before)).toMatch(/; -50%$/)
    expect(lineOf(figure('redo', 1), before)).toMatch(/; new$/)
    expect(summaryOf([figure('sort', 1.5), figure('undo', 2)], { earlier: before })).toBe(
      '2 figures, none misses its goal, 1 worse by more than the noise of 20%: sort (+50%)',
    )
    expect(summaryOf([figure('undo', 2)], { earlier: before })).toMatch(/, none is worse by more than the noise of/)
  })
  it('reads --json output and explains other input', () => {
    const printed = { node: 'v20', long: false, comparisons: before }
    expect(printedOf(JSON.stringify(printed))).toEqual(printed)
    expect(() => printedOf('ratio 1.5')).toThrow("isn't JSON")
    for (const text of ['null', '{}', '{"comparisons":3}']) expect(() => printedOf(text)).toThrow('has no figures')
  })
})
