/**
 * How much more `now` is than `before`, as a part of that: 0.5 for half as much again. Undefined where there was nothing, or
 * less than nothing: a part of that would say of what grew that it fell.
 */
export const changeOf = (before: number, now: number): number | undefined =>
  before > 0 ? (now - before) / before : undefined
