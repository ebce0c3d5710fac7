/** Limits above which a change of money is asked about. */
export interface MoneyLimits {
  /** How many times larger or smaller a cost, a rate, or a number of units may get. */
  times: number
  /** By how much a cost may change, and how much a new record may cost, in the account’s currency. */
  amount: number
}
export const usualLimits: MoneyLimits = { times: 10, amount: 10_000 }
export const limitRanges = {
  times: { min: 1, max: 1_000_000 },
  amount: { min: 0, max: 1_000_000_000_000 },
} as const satisfies Record<keyof MoneyLimits, object>

/** True if people can set a limit to a value. */
export const isMoneyLimit = (name: keyof MoneyLimits, value: number): boolean =>
  value >= limitRanges[name].min && value <= limitRanges[name].max

/** Whole numbers as the service writes them. Undefined for anything else. */
const whole = (text: unknown): bigint | undefined =>
  typeof text === 'string' && /^\d+$/.test(text) ? BigInt(text) : undefined

/** True if a number gets more than `times` larger or smaller. Starting from nothing or ending at nothing isn't that. */
function isTimes(before: bigint, after: bigint, times: number): boolean {
  const [less, more] = before < after ? [before, after] : [after, before]
  return less > 0n && more * 1_000n > less * BigInt(Math.round(times * 1_000))
}

/** True if a rate or a number of units changed more than people want to let pass unseen. */
export function isJump(before: unknown, after: unknown, { times }: MoneyLimits): boolean {
  const [old, now] = [whole(before), whole(after)]
  return old !== undefined && now !== undefined && isTimes(old, now, times)
}

/** The same for a cost in billionths, which is also compared with the amount. Undefined if there is none. */
export function isCostJump(before: unknown, after: unknown, limits: MoneyLimits): boolean {
  const [old, now] = [whole(before ?? '0'), whole(after ?? '0')]
  if (old === undefined || now === undefined) return false
  const by = old < now ? now - old : old - now
  return isTimes(old, now, limits.times) || by > BigInt(Math.round(limits.amount)) * 1_000_000_000n
}
