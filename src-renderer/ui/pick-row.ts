/** A row with a checkbox. */
export interface PickRow {
  id: string
  title: string
  aside?: string
  /** Text shown instead of the checkbox, because the row is already selected. */
  taken?: string
}
