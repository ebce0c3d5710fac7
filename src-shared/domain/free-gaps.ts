const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface Busy {
  start: number
  end: number
}

/** Hours of the day in which gaps are looked for. */
const work = { from: 8 * hourMs, to: 18 * hourMs }
const step = 15 * minuteMs

/**
 * The next free gaps in working hours, in wall time, at most one per half day so that they differ.
 * @param busy what takes time, in any order
 */
export function freeGaps(busy: readonly Busy[], now: number, length: number, count: number): Busy[] {
  const found: Busy[] = []
  const taken = [...busy].sort((a, b) => a.start - b.start)
  const today = Math.floor(now / dayMs) * dayMs
  for (let day = today; day < today + 14 * dayMs && found.length < count; day += dayMs) {
    const weekday = new Date(day).getUTCDay()
    if (weekday === 0 || weekday === 6) continue
    let half = -1
    let start = Math.max(day + work.from, Math.ceil(now / step) * step)
    while (start + length <= day + work.to && found.length < count) {
      const end = start + length
      const other = taken.find((one) => one.start < end && one.end > start)
      const own = start < day + 12 * hourMs ? 0 : 1
      if (other) start = Math.ceil(Math.max(other.end, start + step) / step) * step
      else if (own === half) start = Math.max(start + step, own === 0 ? day + 12 * hourMs : day + dayMs)
      else {
        found.push({ start, end })
        half = own
        start = end
      }
    }
  }
  return found
}
