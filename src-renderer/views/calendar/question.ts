import type { Losses, Scope } from './scope'

/** A question before an edit: which occurrences to change, and whether to notify guests. */
export interface Question {
  verb: string
  /** Heading of the question, such as `Move “Standup”`. */
  heading: string
  /** Key of the entry that it's about, null for a new event. */
  key: string | null
  /** Offered when the event repeats. */
  scopes: readonly Scope[]
  /** Deletions of each scope. */
  losses?: Losses
  /** Other guests of the event. */
  guests: number
  /** True for several events at once. */
  several?: boolean
  answer: (choice: Decision | null) => void
}
export interface Decision {
  scope: Scope
  sendUpdates: 'all' | 'none'
}
