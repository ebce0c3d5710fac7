export interface Order {
  seed: number
  rounds: number | undefined
  minutes: number | undefined
  /** Prints progress to stderr. */
  say: (text: string) => void
}

/** A suite's counts. `rounds` and `edits` tell how much it tried, and all others must be 0. */
export interface Counts {
  rounds: number
  edits: number
  lost: number
  doubled: number
  stuck: number
  /** Finished entries that are open again although their end line was complete. */
  resent: number
  /** Unreported damage. */
  unreported: number
  /** Processes that keep growing. */
  growing: number
}

export const noCounts = (): Counts => ({
  ...{ rounds: 0, edits: 0, lost: 0, doubled: 0 },
  ...{ stuck: 0, resent: 0, unreported: 0, growing: 0 },
})

export const faults = ({ lost, doubled, stuck, resent, unreported, growing }: Counts): number =>
  lost + doubled + stuck + resent + unreported + growing

export type Suite = (order: Order) => Promise<Counts>
