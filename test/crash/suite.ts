export interface Order {
  seed: number
  rounds: number | undefined
  minutes: number | undefined
  /** Progress, to stderr. */
  say: (text: string) => void
}

/** What a suite counted. `rounds` and `edits` say how much it tried; all other counts have to be 0. */
export interface Counts {
  rounds: number
  edits: number
  lost: number
  doubled: number
  stuck: number
  /** Entries that ended and are open again although the line that ended them was whole. */
  resent: number
  /** Damage that nobody was told of. */
  unsaid: number
  /** Processes that keep growing. */
  growing: number
}

export const noCounts = (): Counts => ({
  ...{ rounds: 0, edits: 0, lost: 0, doubled: 0 },
  ...{ stuck: 0, resent: 0, unsaid: 0, growing: 0 },
})

export const faults = ({ lost, doubled, stuck, resent, unsaid, growing }: Counts): number =>
  lost + doubled + stuck + resent + unsaid + growing

export type Suite = (order: Order) => Promise<Counts>

/** Numbers from 0 up to 1 that a seed repeats (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
