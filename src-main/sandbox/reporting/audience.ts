import { draw } from './hash'
import { measureCount, type Sums } from './measures'

/** People grouped by location and device. */
export interface Audience {
  country: string
  state: string
  city: string
  platformType: string
  browser: string
  operatingSystem: string
  connectionType: string
}

const rows: ReadonlyArray<readonly [number, string, string, string, string, string, string, string]> = [
  [19, 'United States', 'New York', 'New York', 'Smartphone', 'Safari', 'iOS', 'Mobile'],
  [14, 'United States', 'California', 'Los Angeles', 'Desktop', 'Chrome', 'Windows', 'Broadband'],
  [8, 'United States', 'Illinois', 'Chicago', 'Tablet', 'Safari', 'iOS', 'Broadband'],
  [12, 'Germany', 'Hamburg', 'Hamburg', 'Desktop', 'Firefox', 'Windows', 'Broadband'],
  [9, 'Germany', 'Berlin', 'Berlin', 'Smartphone', 'Chrome', 'Android', 'Mobile'],
  [10, 'United Kingdom', 'England', 'London', 'Smartphone', 'Safari', 'iOS', 'Mobile'],
  [6, 'United Kingdom', 'Scotland', 'Edinburgh', 'Desktop', 'Chrome', 'macOS', 'Broadband'],
  [7, 'France', 'Île-de-France', 'Paris', 'Desktop', 'Safari', 'macOS', 'Broadband'],
  [5, 'Portugal', 'Lisbon', 'Lisbon', 'Smartphone', 'Chrome', 'Android', 'Mobile'],
  [4, 'Denmark', 'Capital Region', 'Copenhagen', 'Connected TV', 'Other', 'Other', 'Broadband'],
  [4, 'Japan', 'Tokyo', 'Tokyo', 'Smartphone', 'Chrome', 'Android', 'Mobile'],
  [2, 'Canada', 'Ontario', 'Toronto', 'Desktop', 'Edge', 'Windows', 'Broadband'],
]

export const audiences: readonly Audience[] = rows.map(
  ([, country, state, city, platformType, browser, operatingSystem, connectionType]) => ({
    country,
    state,
    city,
    platformType,
    browser,
    operatingSystem,
    connectionType,
  }),
)

const whole = rows.reduce((sum, [weight]) => sum + weight, 0)
const ends: readonly number[] = rows.map((_, index) =>
  index === rows.length - 1 ? 1 : rows.slice(0, index + 1).reduce((sum, [weight]) => sum + weight, 0) / whole,
)

/** Part of whole-numbered sums for one audience. The parts of all audiences add up to the sums. */
export function audienceShare(sums: Sums, audience: number, seed: number, day: number, into: Sums): boolean {
  const start = audience === 0 ? 0 : ends[audience - 1]!
  return stretch(sums, start, ends[audience]!, draw(seed + 77, day) * 0.999, into)
}

/**
 * Adds the whole-number part of sums between two points from 0 to 1. Adjacent ranges add up exactly. Returns false if
 * nothing was added.
 */
export function stretch(sums: Sums, start: number, end: number, offset: number, into: Sums): boolean {
  let some = false
  for (let index = 0; index < measureCount; index++) {
    const sum = sums[index]!
    if (sum === 0) into[index] = 0
    else if ((into[index] = Math.floor(sum * end + offset) - Math.floor(sum * start + offset)) !== 0) some = true
  }
  return some
}
