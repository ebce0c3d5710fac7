import { describe, expect, it } from 'vitest'
import { isCostJump, isJump, usualLimits } from '#shared/changes/money-guard'

const euros = (amount: number): string => String(BigInt(amount) * 1_000_000_000n)

describe('the money guard', () => {
  it('asks about rates and units that get more than ten times larger or smaller', () => {
    expect(isJump('66', '30000', usualLimits)).toBe(true)
    expect(isJump('30000', '66', usualLimits)).toBe(true)
    expect(isJump('100', '1000', usualLimits)).toBe(false)
    expect(isJump('100', '1001', usualLimits)).toBe(true)
    expect(isJump('0', '1001', usualLimits)).toBe(false)
    expect(isJump(undefined, '1001', usualLimits)).toBe(false)
  })
  it('asks about costs that change by more than the amount, too', () => {
    expect(isCostJump(euros(20_000), euros(30_000), usualLimits)).toBe(false)
    expect(isCostJump(euros(20_000), euros(30_001), usualLimits)).toBe(true)
    expect(isCostJump(euros(30_001), euros(20_000), usualLimits)).toBe(true)
    expect(isCostJump(euros(1), euros(11), usualLimits)).toBe(true)
  })
  it('asks about large costs that appear or disappear', () => {
    expect(isCostJump(undefined, euros(10_001), usualLimits)).toBe(true)
    expect(isCostJump(euros(10_001), undefined, usualLimits)).toBe(true)
    expect(isCostJump(undefined, euros(10_000), usualLimits)).toBe(false)
    expect(isCostJump(undefined, 'many', usualLimits)).toBe(false)
  })
  it('follows the limits people set', () => {
    expect(isJump('100', '250', { times: 2, amount: 1 })).toBe(true)
    expect(isJump('100', '250', { times: 2.5, amount: 1 })).toBe(false)
    expect(isCostJump(euros(100), euros(102), { times: 2, amount: 1 })).toBe(true)
  })
})
