import { awayWords } from '#shared/domain/reminders'
import type { Ringing } from '#shared/ipc/reminder-questions'

/** Title and text of a notification. */
export interface Note {
  title: string
  body: string
}

const titleOf = ({ reminder }: Ringing): string => reminder.title.trim() || '(No title)'

/** `Stand-up · in 10 min`, with times, calendar, and place below. */
export function noteOf(ringing: Ringing, now: number): Note {
  const { reminder } = ringing
  return {
    title: `${titleOf(ringing)} · ${awayWords(reminder, now)}`,
    body: [reminder.when, reminder.within, reminder.location].filter(Boolean).join(' · '),
  }
}

/** The note of a reminder whose button failed. */
export const failureOf = (what: 'complete' | 'join', ringing: Ringing, why: string): Note => ({
  title: `Couldn’t ${what} “${titleOf(ringing)}”`,
  body: why,
})

const maxNamed = 4

/** Several missed reminders as one note. */
export function summaryOf(missed: readonly Ringing[]): Note {
  const named = missed.slice(0, maxNamed).map((one) => `${titleOf(one)}, ${one.reminder.when}`)
  const rest = missed.length - named.length
  return {
    title: `${missed.length} reminders while you were away`,
    body: [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'),
  }
}
