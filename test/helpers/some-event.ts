import type { JsonObject } from '#shared/json'
import type { Replica } from '../../src-renderer/replica/api'

/** The primary calendar of a new service's user. */
export const primary = 'alex.morgan@flightplan.example'

/** Monday from 9:00 to 10:00, in the user's time zone. */
export const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}

/** Creates an event at these times. @returns its key */
export async function event(replica: Replica, summary: string, more: JsonObject = {}): Promise<string> {
  const { keys } = await replica.edit(
    [{ kind: 'create', collection: 'events', parent: primary, value: { summary, ...times, ...more } }],
    { label: `New event “${summary}”` },
  )
  return keys[0]!
}

export const change = (replica: Replica, key: string, patch: JsonObject): Promise<unknown> =>
  replica.edit([{ kind: 'change', key, patch }], { label: 'Change' })

/** Titles of the events in May, sorted. */
export const titles = (replica: Replica): string[] =>
  replica
    .items(Date.parse('2026-05-01'), Date.parse('2026-06-01'))
    .map(({ title }) => title)
    .sort()
