import { hoursOn, type WorkingHours } from './working-hours'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface Busy {
  start: number
  end: number
}

const step = 15 * minuteMs

/**
 * The next free gaps in working hours, in wall time, at most one per half day so that they differ.
 * @param busy busy times, in any order
 */
export function freeGaps(
  busy: readonly Busy[],
  now: number,
  length: number,
  count: number,
  hours: WorkingHours,
): Busy[] {
  const found: Busy[] = []
  const taken = [...busy].sort((a, b) => a.start - b.start)
  const today = Math.floor(now / dayMs) * dayMs
  for (let day = today; day < today + 14 * dayMs && found.length < count; day += dayMs) {
    const work = hoursOn(hours, day)
    if (!work) continue
    const [first, last] = [day + work.from * minuteMs, day + work.to * minuteMs]
    const noon = day + 12 * hourMs
    const middle = first < noon && noon < last ? noon : (first + last) / 2
    let half = -1
    let start = Math.max(Math.ceil(first / step), Math.ceil(now / step)) * step
    while (start + length <= last && found.length < count) {
      const end = start + length
      const other = taken.find((one) => one.start < end && one.end > start)
      const own = start < middle ? 0 : 1
      if (other) start = Math.ceil(Math.max(other.end, start + step) / step) * step
      else if (own === half) start = Math.max(start + step, own === 0 ? Math.ceil(middle / step) * step : day + dayMs)
      else {
        found.push({ start, end })
        half = own
        start = end
      }
    }
  }
  return found
}
