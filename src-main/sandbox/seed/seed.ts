import type { Service } from '../operation'
import { groups, people } from '../people'
import { putCalendar } from '../calendar/calendars'
import { putRule } from '../calendar/acl'
import { putEntry } from '../calendar/calendar-list'
import { seedDemo } from './demo'
import { seedTraffickingDemo } from './demo-trafficking'
import { seedTraffickingEmpty } from './trafficking'

import { homeZone } from './book'

const settings: Record<string, string> = {
  dateFieldOrder: 'DMY',
  defaultEventLength: '30',
  format24HourTime: 'true',
  hideInvitations: 'false',
  hideWeekends: 'false',
  locale: 'en',
  remindOnRespondedEventsOnly: 'false',
  showDeclinedEvents: 'true',
  timezone: homeZone,
  useKeyboardShortcuts: 'true',
  weekStart: '1',
}

/** Multiples of the demo's events, and of its campaigns with their contents. */
export interface Scale {
  events: number
  campaigns: number
}

/** Fills an empty database. @returns the IDs that a client needs to start */
export function seedSandbox(service: Service, seed: 'demo' | 'empty', scale: Scale): Record<string, string> {
  const { store } = service
  for (const person of people) {
    store.put('people', { id: person.id, email: person.email, name: person.name })
    for (const [id, value] of Object.entries(settings))
      store.put('settings', { person: person.id, id, value, changed: store.stamp() })
    const data = { summary: person.email, timeZone: homeZone }
    putCalendar(service, { id: person.email, owner: person.email, primary: true, data })
    putRule(service, person.email, `user:${person.email}`, 'owner')
    putEntry(store, person, person.email, {
      colorId: '16',
      selected: true,
      hidden: false,
      defaultReminders: [{ method: 'popup', minutes: 10 }],
    })
    const changed = store.stamp()
    store.put('task_lists', {
      person: person.id,
      id: `${person.id}tasks0000000000000000`.slice(0, 22),
      number: 0,
      changed,
      updated: Math.floor(changed / 1000),
      data: JSON.stringify({ title: 'My tasks' }),
    })
  }
  for (const group of groups) for (const member of group.members) store.put('groups', { email: group.email, member })
  const you = people[0]!
  const ids = {
    email: you.email,
    primaryCalendarId: you.email,
    taskListId: `${you.id}tasks0000000000000000`.slice(0, 22),
    timeZone: homeZone,
    ...seedTrafficking(service, seed, scale),
  }
  return seed === 'demo' ? { ...ids, ...seedDemo(service, scale.events) } : ids
}

const seedTrafficking = (service: Service, seed: 'demo' | 'empty', scale: Scale): Record<string, string> =>
  seed === 'demo' ? seedTraffickingDemo(service, scale.campaigns) : seedTraffickingEmpty(service)

/** Adds campaigns to data from before they existed. Existing data stays. @returns all IDs */
export function addTrafficking(
  service: Service,
  known: Record<string, string>,
  seed: 'demo' | 'empty',
  scale: Scale,
): Record<string, string> {
  if (known.profileId) return known
  return service.store.transaction(() => {
    const ids = { ...known, ...seedTrafficking(service, seed, scale) }
    service.store.setMeta('ids', JSON.stringify(ids))
    return ids
  })
}
