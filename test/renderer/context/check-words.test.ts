import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../src-renderer/replica/check-result'
import { factsOf } from '#shared/facts/facts'
import { checkWords, repairWords } from '../../../src-renderer/context/check-words'

const facts = factsOf({})
const at = 'Today 14:03'
const result = (more: Partial<CheckResult> = {}): CheckResult => ({
  at: 0,
  lists: 12,
  asked: true,
  repairs: [],
  ...more,
})
const repair = (difference: 'ghost' | 'hole' | 'stale', id: string): CheckResult['repairs'][number] => ({
  difference,
  collection: 'tasks',
  parent: 'list',
  id,
})

describe('sync check messages', () => {
  it('report that everything matches only on request', () => {
    expect(checkWords(facts, result(), at)).toBe('Checked 12 lists (Today 14:03). Everything matches.')
    expect(checkWords(facts, result({ asked: false }), at)).toBeUndefined()
  })

  it('count repairs per list, on request or not', () => {
    const repairs = [
      { ...repair('hole', '1'), list: 'Work' },
      { ...repair('hole', '2'), list: 'Work' },
      { ...repair('stale', '3'), list: 'Work' },
      repair('ghost', '4'),
    ]
    expect(checkWords(facts, result({ asked: false, repairs }), at)).toBe(
      'Sync check (Today 14:03). Work: 2 missing records restored, 1 outdated record updated. Tasks: 1 deleted record removed.',
    )
  })

  it('name three lists and count the rest', () => {
    const repairs = ['A', 'B', 'C', 'D', 'E'].map((list) => ({ ...repair('hole', list), list }))
    expect(checkWords(facts, result({ repairs }), at)).toMatch(
      /C: 1 missing record restored\. 2 more lists repaired\.$/,
    )
  })

  it('give the error after the repairs', () => {
    const fault = { code: 'unavailable', message: 'Try later.' } as const
    expect(checkWords(facts, result({ fault, repairs: [repair('ghost', '1')] }), at)).toBe(
      'Tasks: 1 deleted record removed. Couldn’t check all lists (Today 14:03). Try later.',
    )
    expect(checkWords(facts, result({ fault }), at)).toBe('Couldn’t check all lists (Today 14:03). Try later.')
  })

  it('name each record, or show its ID', () => {
    const repairs = [{ ...repair('hole', '1'), name: 'Call', list: 'Work' }, repair('ghost', '4')]
    expect(repairWords(facts, result({ repairs }))).toEqual(['Call (Work, restored)', 'task 4 (Tasks, removed)'])
  })
})
