import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { readStored, writeStored } from '../../context/account-storage'
import type { AppContext } from '../../context/context'
import type { CalendarItem } from '../../replica/api'
import { dayMs, minuteMs } from '../../ui/dates'

/** When someone is busy, in epoch milliseconds. `busy` is null if they don’t share it. */
const known = z.object({
  at: z.number(),
  from: z.number(),
  to: z.number(),
  busy: z.array(z.tuple([z.number(), z.number()])).nullable(),
})
const stored = z.record(z.string(), known)
export type Availability = z.infer<typeof known>

/** What’s older is asked again if the service is reachable. */
const fresh = 5 * minuteMs
/** People whose times are stored for when there’s no network. */
const mostKept = 40
/** People in one question, as the service allows. */
const mostAsked = 50

/** Days that are read from the day of an event on. */
export const daysAhead = 15

/** When people are free or busy: asked when needed, and kept for offline. */
export class FreeBusy {
  #all = $state.raw<Readonly<Record<string, Availability>>>({})
  /** Number of questions that aren't answered yet. */
  #open = $state(0)

  constructor(private readonly app: AppContext) {
    this.#all = this.#stored()
  }

  /** Someone's known times, if they cover this range. */
  of(email: string | undefined, from: number, to: number): Availability | undefined {
    const found = email === undefined ? undefined : this.#all[email.toLowerCase()]
    return found && found.from <= from && found.to >= to ? found : undefined
  }

  /** Someone's known times for all days in which to find a free time. */
  ahead(email: string | undefined, from: number): Availability | undefined {
    return this.of(email, from, from + (daysAhead - 1) * dayMs)
  }

  get loading(): boolean {
    return this.#open > 0
  }

  /** Asks about people from the day of an event on. Recent answers aren’t requested again. */
  async load(emails: readonly string[], start: number): Promise<void> {
    const { app } = this
    const from = Math.floor(start / dayMs) * dayMs - dayMs
    const to = from + (daysAhead + 2) * dayMs
    const now = app.clock.now
    const wanted = emails.filter((email) => {
      const found = this.ahead(email, start)
      return !found || now - found.at > fresh
    })
    if (wanted.length === 0 || app.replica.status.offline) return
    this.#open++
    try {
      for (let at = 0; at < wanted.length; at += mostAsked)
        await this.#ask(wanted.slice(at, at + mostAsked), { at: now, ...this.#joined(wanted, from, to) })
    } finally {
      this.#open--
    }
  }

  /** The days to ask about, with nearby ones that are known and may still be looked through. */
  #joined(emails: readonly string[], from: number, to: number): { from: number; to: number } {
    const known = emails.flatMap((email) => this.#all[email.toLowerCase()] ?? [])
    const near = known.filter((one) => Math.max(to, one.to) - Math.min(from, one.from) <= 2 * (to - from))
    return { from: Math.min(from, ...near.map((one) => one.from)), to: Math.max(to, ...near.map((one) => one.to)) }
  }

  async #ask(emails: readonly string[], about: Pick<Availability, 'at' | 'from' | 'to'>): Promise<void> {
    const { app } = this
    const answer = await app.bridge.ask('service/call', {
      accountId: app.account.id,
      operation: 'calendar.freebusy.query',
      params: {},
      body: {
        timeMin: new Date(about.from).toISOString(),
        timeMax: new Date(about.to).toISOString(),
        items: emails.map((id) => ({ id })),
      },
    })
    if (!answer.ok || !answer.value) return
    const calendars = (answer.value['calendars'] ?? {}) as Record<string, { busy?: unknown; errors?: unknown[] }>
    // People missing from the response don't share their times.
    const found = Object.fromEntries(emails.map((id) => [id.toLowerCase(), { ...about, busy: null } as Availability]))
    for (const [id, { busy, errors = [] }] of Object.entries(calendars))
      found[id.toLowerCase()] = { ...about, busy: errors.length > 0 ? null : timesOf(busy) }
    this.#keep(found)
  }

  #keep(found: Readonly<Record<string, Availability>>): void {
    const all = Object.entries({ ...this.#all, ...found }).sort(([, a], [, b]) => b.at - a.at)
    this.#all = Object.fromEntries(all)
    writeStored(localStorage, 'free-busy', this.app.account.id, Object.fromEntries(all.slice(0, mostKept)))
  }

  #stored(): Record<string, Availability> {
    const read = safeParse(stored, readStored(localStorage, 'free-busy', this.app.account.id))
    return read.success ? read.data : {}
  }
}

/**
 * When events take up the user's time, in wall-clock readings. All-day events do so in the user's own calendars; in others,
 * they're about someone else.
 */
export function ownBusy(
  items: readonly CalendarItem[],
  isOwn: (calendarId: string) => boolean,
  wallOf: (instant: number) => number,
): { start: number; end: number }[] {
  return items
    .filter(({ allDay, calendarId, transparent, response }) =>
      transparent || response === 'declined' ? false : !allDay || isOwn(calendarId),
    )
    .map(({ start, end, allDay }) => (allDay ? { start, end } : { start: wallOf(start), end: wallOf(end) }))
}

function timesOf(busy: unknown): [number, number][] {
  if (!Array.isArray(busy)) return []
  return busy.flatMap((one: { start?: unknown; end?: unknown }) => {
    const [start, end] = [Date.parse(String(one.start)), Date.parse(String(one.end))]
    return start < end ? [[start, end] as [number, number]] : []
  })
}
