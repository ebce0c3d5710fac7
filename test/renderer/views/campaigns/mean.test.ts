import { describe, expect, it } from 'vitest'
import { meanOf } from '../../../../src-renderer/views/campaigns/mean'

describe('a mean', () => {
  it('is rounded to the nearest step, half away from zero', () => {
    expect(meanOf(5n, 2)).toBe(3n)
    expect(meanOf(-5n, 2)).toBe(-3n)
    expect(meanOf(4n, 3)).toBe(1n)
    const cent = 10_000_000n
    expect(meanOf(76_546_400_000_000n, 332, cent)).toBe(230_560_000_000n)
    expect(meanOf(10_000_000_000n, 3, cent)).toBe(3_330_000_000n)
  })
})
