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
  /** Damage that wasn't reported. */
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
