import { sentenceCase } from '#shared/fields/heads'
import type { Component } from 'svelte'
import CalendarDays from '@lucide/svelte/icons/calendar-days'
import ListTodo from '@lucide/svelte/icons/list-todo'
import Megaphone from '@lucide/svelte/icons/megaphone'
import User from '@lucide/svelte/icons/user'
import SquareCheck from '@lucide/svelte/icons/square-check'
import { isLocalId, parseRecordKey } from '#shared/domain/collections'
import { suggestPeople } from '#shared/domain/people'
import { byNearness, folded, worst } from '#shared/domain/search'
import { wallOfInstant } from '#shared/time/zones'
import { calendarName } from './calendar-name'
import { unhideCalendar } from './unhide-calendar'
import type { AppContext } from './context'
import { copyLink } from './copy-link'
import { copyText } from './copy-text'
import type { People } from './people.svelte'
import { instantsOf, wallsOf } from './item-times'
import { outermost } from './record-names'
import { recordTitle } from './record-words'
import type { CalendarItem, FoundRecord, Row } from '../replica/api'
import { clockText, dayOf, shortDate, yearOf } from '../ui/dates'

/** A row of the search. */
export interface FoundEntry {
  key: string
  group: string
  title: string
  aside?: string
  keys?: string | undefined
  icon: Component<{ size?: number | string }>
  /** Keeps the search open. */
  stays?: boolean
  /** How well it matches, if not by its title alone. */
  quality?: number
  run: () => void
  /** Commands on what the row names, which Tab lists. */
  actions?: readonly FoundEntry[]
  /** Rows that Enter lists in place of `run`. */
  lists?: () => readonly FoundEntry[]
}

type Action = readonly [title: string, run: () => void, keys?: string]

const actionsOf = ({ title, icon }: Pick<FoundEntry, 'title' | 'icon'>, list: readonly Action[]): FoundEntry[] =>
  list.map(([name, run, keys]) => ({ key: `action ${name}`, group: title, title: name, icon, keys, run }))

const titled = (title: unknown): string => (typeof title === 'string' && title !== '' ? title : '(No title)')

export function eventEntry({ navigation, preferences, clock }: AppContext, item: CalendarItem): FoundEntry {
  const wall = wallsOf(item, preferences.zone).start
  const run = (command?: string): void => navigation.go('calendar', { day: dayOf(wall), item: item.itemKey }, command)
  const row = { title: titled(item.title), icon: CalendarDays }
  const date = shortDate(dayOf(wall), yearOf(clock.today(preferences.zone)))
  return {
    ...row,
    key: `event ${item.itemKey}`,
    group: 'Events',
    aside: item.allDay ? date : `${date} ${clockText(wall, preferences.hour12)}`,
    run: () => run(),
    actions: actionsOf(row, [
      ['Open', () => run()],
      ['Edit', () => run('event.edit'), 'e'],
      ['Move to…', () => run('event.move'), 'v'],
      ['Duplicate', () => run('event.duplicate')],
      ['Copy link', () => run('event.link')],
      ['Export event…', () => run('event.export')],
      ['Delete', () => run('event.delete')],
    ]),
  }
}

export function taskEntry(app: AppContext, { key, parent, id, value }: Row): FoundEntry {
  const { navigation } = app
  const run = (command?: string): void => navigation.go('tasks', { list: parent ?? '', task: id }, command)
  const row = { title: titled(value?.['title']), icon: SquareCheck }
  const isDone = value?.['status'] === 'completed'
  return {
    ...row,
    key: `task ${key}`,
    group: 'Tasks',
    run: () => run(),
    actions: actionsOf(row, [
      ['Open', () => run()],
      [isDone ? 'Reopen' : 'Complete', () => run('task.toggle')],
      ['Set due date…', () => run('task.due')],
      ...(isDone ? [] : [['Plan in the calendar…', () => navigation.go('calendar', { plan: key })] as const]),
      ['Move to list…', () => run('task.move')],
      ['Copy link', () => void copyLink(app, { to: 'record', key })],
      ['Delete', () => run('task.delete')],
    ]),
  }
}

export function recordEntry(app: AppContext, { key, name, archived, within }: FoundRecord): FoundEntry {
  const { replica, navigation } = app
  const { collection, parent, id } = parseRecordKey(key)
  const facts = replica.facts.of(collection)
  const number = isLocalId(id) ? 'new' : `#${id}`
  const kind = sentenceCase(facts.words.one)
  const around = within && parseRecordKey(within)
  const place = around && recordTitle(replica.facts.of(around.collection), replica.peek(within)?.value)
  const profile = outermost(parent)
  const row = { title: name || `${kind} ${number}`, icon: Megaphone }
  const run = (): void =>
    navigation.go('campaigns', {
      kind: collection,
      ...(profile !== null && { profile }),
      ...(within !== undefined && { within }),
      record: key,
    })
  return {
    ...row,
    key: `record ${key}`,
    // Lists of the service, such as permissions, contain everyday words.
    ...(facts.writable ? { group: 'Campaigns' } : { group: 'Reference data', quality: worst - 1 }),
    aside: [`${kind} ${number}`, ...(archived ? ['archived'] : []), ...(place ? [place] : [])].join(' · '),
    run,
    actions: actionsOf(row, [
      ['Open', run],
      ['Copy link', () => void copyLink(app, { to: 'record', key })],
    ]),
  }
}

/** Task lists whose name contains a text. */
export const listEntries = ({ replica, navigation }: AppContext, text: string): FoundEntry[] =>
  replica.rows('tasklists').flatMap(({ key, id, value }) => {
    const title = titled(value?.['title'])
    if (!value || !folded(title).includes(folded(text))) return []
    const run = (): void => navigation.go('tasks', { list: id })
    return { key: `list ${key}`, group: 'Lists', quality: 0, title, icon: ListTodo, run }
  })

/** Calendars whose name contains a text. They are shown when they're opened. */
export function calendarEntries(app: AppContext, text: string): FoundEntry[] {
  const { replica, navigation, settings } = app
  const hidden = new Set(settings.values.hiddenCalendars)
  const all = replica.rows('calendarList').filter(({ value }) => value && !value['deleted'])
  const calendars = all.filter(({ value }) => !value!['hidden'])
  const hide = (ids: readonly string[]): void => {
    settings.set({ hiddenCalendars: [...ids] })
    navigation.go('calendar')
  }
  return all.flatMap((calendar): FoundEntry[] => {
    const { id, key, value } = calendar
    const row = { title: calendarName(calendar), icon: CalendarDays }
    if (!folded(row.title).includes(folded(text))) return []
    if (value!['hidden']) {
      const run = (): void => void unhideCalendar(app, calendar)
      return [{ ...row, key: `calendar ${key}`, group: 'Calendars', aside: 'not in your list', run }]
    }
    const isHidden = hidden.has(id)
    const show = (): void => hide([...hidden].filter((one) => one !== id))
    return [
      {
        ...row,
        key: `calendar ${key}`,
        group: 'Calendars',
        ...(isHidden && { aside: 'hidden' }),
        run: show,
        actions: actionsOf(row, [
          ['Open', show],
          ...(isHidden ? [] : [['Hide', () => hide([...hidden, id])] as const]),
          ['Show only this', () => hide(calendars.flatMap((one) => (one.id === id ? [] : one.id)))],
        ]),
      },
    ]
  })
}

/** Most people and most events with someone that are listed. */
const mostPeople = 40
const mostEvents = 100

/** People whose name or address matches a text, best first. */
export function peopleEntries(app: AppContext, people: People, text: string): FoundEntry[] {
  const { navigation, preferences, clock } = app
  const thisYear = yearOf(clock.today(preferences.zone))
  const dateOf = (at: number): string => shortDate(dayOf(wallOfInstant(at, preferences.zone)), thisYear)
  return suggestPeople(people.list, text, new Set(), mostPeople).map(({ email, name, last, next }) => {
    const row = { title: name || email, icon: User }
    const met =
      next !== undefined ? `next event ${dateOf(next)}` : last !== undefined ? `last event ${dateOf(last)}` : undefined
    const meet = (params: Record<string, number> = {}): void =>
      navigation.go('calendar', { guest: email, ...(name && { guestName: name }), ...params })
    async function copyAddress(): Promise<void> {
      const words = { what: 'the address', instead: 'Open an event with this guest and copy it there.' }
      if (await copyText(app, email, words)) app.announce('Address copied')
    }
    const [events, ...others] = actionsOf(row, [
      ['Show events', () => {}],
      ['New event', () => meet()],
      ['Find a time', () => meet({ findTime: 1 })],
      ['Copy address', () => void copyAddress()],
    ])
    const lists = (): FoundEntry[] => eventsWith(app, people, email)
    return {
      ...row,
      key: `person ${email}`,
      group: 'People',
      aside: [...(name ? [email] : []), ...(met === undefined ? [] : [met])].join(' · '),
      run: () => {},
      lists,
      actions: [{ ...events!, lists }, ...others],
    }
  })
}

/** Events with someone, the next first. A series is one row. */
function eventsWith(app: AppContext, people: People, email: string): FoundEntry[] {
  const now = app.clock.now
  const seen = new Set<string>()
  return people
    .eventsWith(email)
    .map((item) => ({ item, at: instantsOf(item, app.preferences.zone) }))
    .sort((a, b) => byNearness(a.at, b.at, now))
    .filter(({ item: { calendarId, masterId, itemKey } }) => {
      const name = `${calendarId} ${masterId ?? itemKey}`
      return !seen.has(name) && seen.add(name)
    })
    .slice(0, mostEvents)
    .map(({ item }) => eventEntry(app, item))
}
