/** One of many things to tick. */
export interface PickRow {
  id: string
  title: string
  aside?: string
  /** Said instead of a tick that could be changed: it is chosen already. */
  taken?: string
}
