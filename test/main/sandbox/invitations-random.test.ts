import { describe, expect, it } from 'vitest'
import { connect, timedEvent, type Client } from './client'

type Body = Record<string, unknown>
interface Shown extends Body {
  id: string
  recurringEventId?: string
  organizer?: { email: string; self?: boolean }
  attendees?: Array<{ email: string; self?: boolean; organizer?: boolean; responseStatus?: string }>
}

const people = { you: 'alex.morgan', mina: 'mina.park', jonas: 'jonas.weber' } as const
type Name = keyof typeof people
const names = Object.keys(people) as Name[]
const emailOf = (name: Name): string => `${people[name]}@flightplan.example`

/** Pseudorandom numbers by seed. */
function dice(seed: number) {
  let state = seed
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const pick = <T>(items: readonly T[]): T => items[next(items.length)]!
  return { next, pick, some: <T>(items: readonly T[]): T[] => items.filter(() => next(2) === 0) }
}

const answers = ['accepted', 'declined', 'tentative', 'needsAction'] as const

/** Users who edit each other's meetings at random, and their resulting calendars. */
class Office {
  /** Copies that guests deleted: `<calendar> <id>`. */
  readonly removed = new Set<string>()
  readonly log: string[] = []
  readonly #client: Client
  readonly #team: string
  readonly #dice: ReturnType<typeof dice>
  #made = 0

  constructor(client: Client, team: string, seed: number) {
    this.#client = client
    this.#team = team
    this.#dice = dice(seed)
  }

  async #call(name: Name, operation: string, params: Body, body?: Body): Promise<boolean> {
    const { status, reason } = await this.#client.as(name, `calendar.events.${operation}`, params, body)
    this.log.push(
      `${name} ${operation} ${JSON.stringify(params)} ${JSON.stringify(body ?? null)} -> ${status} ${reason ?? ''}`,
    )
    expect(status, this.log.join('\n')).toBeLessThan(500)
    return status < 300
  }

  async shown(name: Name, calendarId: string, showDeleted = false): Promise<Shown[]> {
    const params = {
      calendarId,
      singleEvents: true,
      showDeleted,
      timeMin: '2025-12-01T00:00:00Z',
      timeMax: '2026-04-01T00:00:00Z',
    }
    return (await this.#client.as(name, 'calendar.events.list', params)).body.items as Shown[]
  }

  async step(): Promise<void> {
    const { next, pick, some } = this.#dice
    const name = pick(names)
    const calendarId = next(4) === 0 ? this.#team : emailOf(name)
    const guests = (): Body => ({
      attendees: some([...names.map(emailOf), this.#team, 'out@side.example']).map((email) => ({ email })),
    })
    const events = await this.shown(name, calendarId, next(6) === 0)
    if (events.length < 2 || next(6) === 0) {
      const series = next(2) === 0 ? { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] } : {}
      const rights = {
        guestsCanModify: next(4) === 0,
        guestsCanInviteOthers: next(3) > 0,
        guestsCanSeeOtherGuests: next(3) > 0,
      }
      const id = `event${String(this.#made++)}`
      await this.#call(
        name,
        'insert',
        { calendarId },
        timedEvent({ id, ...guests(), ...series, ...rights }, 8 + next(10)),
      )
      return
    }
    const event = pick(events)
    // A tombstone of a move is no meeting.
    if (!event.organizer) return
    const eventId = event.recurringEventId && next(2) === 0 ? event.recurringEventId : event.id
    const params = { calendarId, eventId }
    const own = event.attendees?.filter(({ self }) => self) ?? []
    switch (next(9)) {
      case 0:
        return void (await this.#call(name, 'patch', params, { summary: `S${String(next(100))}` }))
      case 1: {
        const { start, end } = timedEvent({}, 8 + next(10))
        return void (await this.#call(name, 'patch', params, { start, end }))
      }
      case 2:
        return void (await this.#call(name, 'patch', params, guests()))
      case 3:
      case 4: {
        const attendees = own.map((entry) => ({ ...entry, responseStatus: pick(answers) }))
        return void (await this.#call(name, 'patch', params, { attendeesOmitted: true, attendees }))
      }
      case 5:
        return void (await this.#call(name, 'patch', params, {
          colorId: pick(['1', '2', '3']),
          visibility: pick(['default', 'private']),
        }))
      case 6: {
        if (await this.#call(name, 'delete', params))
          if (!event.organizer?.self) this.removed.add(`${calendarId} ${eventId}`)
        return
      }
      case 7: {
        const destination = pick([this.#team, emailOf(name)])
        return void (await this.#call(name, 'move', { ...params, destination }))
      }
      default:
        return void (await this.#call(
          name,
          'patch',
          { calendarId, eventId },
          pick<Body>([
            { status: 'confirmed' },
            { recurrence: [`RRULE:FREQ=WEEKLY;COUNT=${String(1 + next(4))}`] },
            { guestsCanSeeOtherGuests: next(2) === 0 },
          ]),
        ))
    }
  }

  /** Differences between guests' and organizers' calendars. */
  async wrong(): Promise<string[]> {
    const calendars = new Map<string, Shown[]>([[this.#team, await this.shown('you', this.#team)]])
    for (const name of names) calendars.set(emailOf(name), await this.shown(name, emailOf(name)))
    const found: string[] = []
    const at = (calendar: string, id: string): Shown | undefined =>
      calendars.get(calendar)?.find((event) => event.id === id)
    for (const [calendar, events] of calendars) {
      for (const event of events) {
        const organizer = event.organizer!.email
        if (organizer !== calendar) {
          const original = at(organizer, event.id)
          if (!original?.attendees?.some(({ email }) => email === calendar))
            found.push(`${calendar} holds ${event.id} of ${organizer} and is not invited`)
          continue
        }
        for (const { email } of event.attendees ?? []) {
          if (email === calendar || !calendars.has(email)) continue
          const copy = at(email, event.id)
          const gone = [event.id, event.recurringEventId].some((id) => this.removed.has(`${email} ${id}`))
          if (!copy && !gone) found.push(`${email} lacks ${event.id} of ${calendar}`)
          else if (copy && shared(copy, email) !== shared(event, email))
            found.push(`${email} has ${event.id} as ${shared(copy, email)}, not ${shared(event, email)}`)
        }
      }
    }
    return found
  }
}

/** Fields that match between the organizer's event and a guest's copy. */
function shared(event: Shown, guest: string): string {
  const { summary, start, end, sequence, organizer, recurringEventId, originalStartTime, guestsCanModify } = event
  const entries = (event.attendees ?? []).map(({ self: _self, organizer: _organizer, ...entry }) => entry)
  const attendees = event.guestsCanSeeOtherGuests === false ? entries.filter(({ email }) => email === guest) : entries
  const times = { start, end, originalStartTime, recurringEventId }
  return JSON.stringify({ summary, times, sequence, by: organizer?.email, guestsCanModify, attendees })
}

describe('calendars of people who invite each other', () => {
  it.each([1, 2, 3, 82, 88, 124])('contain the same meetings after any actions (seed %s)', async (seed) => {
    const client = await connect()
    const { body: team } = await client.post('/calendar/v3/calendars', { summary: 'Team' })
    for (const name of ['mina', 'jonas'] as const)
      await client.post(`/calendar/v3/calendars/${team.id}/acl`, {
        role: 'writer',
        scope: { type: 'user', value: emailOf(name) },
      })
    const office = new Office(client, team.id, seed)
    for (let step = 0; step < 40; step++) {
      await office.step()
      expect(await office.wrong(), office.log.join('\n')).toEqual([])
    }
  })
})
