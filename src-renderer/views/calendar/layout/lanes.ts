import { byPlace, type Entry } from './entry'

/** An entry's place in a row of days. */
export interface Slot {
  entry: Entry
  /** Columns of the row, `to` inclusive. */
  from: number
  to: number
  lane: number
  /** True if the entry starts within the row. `tail`: ends in it. */
  head: boolean
  tail: boolean
}

export interface LaneRow {
  /** Slots by starting column, top lane first. */
  slots: readonly (readonly Slot[])[]
  /** Entries of each day that found no lane. */
  hidden: readonly number[]
  /** Lanes in use. */
  lanes: number
}

/**
 * Packs entries into a row of days, in which some may be left out. At most `maxLanes` lanes are drawn; where a day holds more, its
 * lowest lane is left for "+n more". Completed tasks without room are left out and not counted.
 */
export function packLanes(
  entries: readonly Entry[],
  days: readonly number[],
  maxLanes = Infinity,
  order: (a: Entry, b: Entry) => number = byPlace,
): LaneRow {
  const width = days.length
  const inRow = entries.filter((entry) => days.some((day) => entry.firstDay <= day && entry.lastDay >= day)).sort(order)
  const taken: boolean[][] = Array.from({ length: width }, () => [])
  const count = new Array<number>(width).fill(0)
  const placed: Slot[] = []
  for (const entry of inRow) {
    const from = days.findIndex((day) => day >= entry.firstDay)
    const to = days.filter((day) => day <= entry.lastDay).length - 1
    let lane = 0
    while (lane < maxLanes && !free(taken, lane, from, to)) lane++
    for (let column = from; column <= to; column++) {
      if (!entry.done) count[column]!++
      if (lane < maxLanes) taken[column]![lane] = true
    }
    if (lane < maxLanes)
      placed.push({ entry, from, to, lane, head: entry.firstDay >= days[from]!, tail: entry.lastDay <= days[to]! })
  }
  const shownOn = new Array<number>(width).fill(0)
  for (const { entry, from, to } of placed)
    for (let column = from; column <= to; column++) if (!entry.done) shownOn[column]!++
  const crowded = count.map((all, column) => all > shownOn[column]!)
  const slots: Slot[][] = Array.from({ length: width }, () => [])
  const hidden = count.map((all) => all)
  let lanes = 0
  for (const slot of placed) {
    if (slot.lane === maxLanes - 1 && anyCrowded(crowded, slot)) continue
    slots[slot.from]!.push(slot)
    lanes = Math.max(lanes, slot.lane + 1)
    for (let column = slot.from; column <= slot.to; column++) if (!slot.entry.done) hidden[column]!--
  }
  for (const column of slots) column.sort((a, b) => a.lane - b.lane)
  return { slots, hidden, lanes }
}

function free(taken: readonly boolean[][], lane: number, from: number, to: number): boolean {
  for (let column = from; column <= to; column++) if (taken[column]![lane]) return false
  return true
}

function anyCrowded(crowded: readonly boolean[], slot: Slot): boolean {
  for (let column = slot.from; column <= slot.to; column++) if (crowded[column]) return true
  return false
}
