/**
 * Relative change, such as 0.5 for 50% more. Undefined if `before` is zero or negative, because the sign would be
 * misleading.
 */
export const changeOf = (before: number, now: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined
