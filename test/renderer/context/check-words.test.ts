import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../src-renderer/replica/checks'
import { checkWords } from '../../../src-renderer/context/check-words'

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

describe('the words of a sync check', () => {
  it('say that everything matches, but only to those who asked', () => {
    expect(checkWords(result(), at)).toBe('Checked 12 lists (Today 14:03). Everything matches.')
    expect(checkWords(result({ asked: false }), at)).toBeUndefined()
  })

  it('count what was repaired, whoever asked', () => {
    const repairs = [repair('hole', '1'), repair('hole', '2'), repair('stale', '3')]
    expect(checkWords(result({ asked: false, repairs }), at)).toBe(
      'Repaired 2 missing records and 1 outdated record (Today 14:03).',
    )
  })

  it('say what stopped it, after what it repaired', () => {
    const fault = { code: 'unavailable', message: 'Try later.' } as const
    expect(checkWords(result({ fault, repairs: [repair('ghost', '1')] }), at)).toBe(
      'Repaired 1 deleted record (Today 14:03). The sync check stopped (Today 14:03): Try later.',
    )
  })
})
