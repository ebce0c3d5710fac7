import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { behaviors } from '../../../src-renderer/behaviors'
import { Memory } from '../../../src-renderer/replica/memory'
import { keysFor, rootsOf, sideEffectsOf, syncedServices, targetOf, targets } from '../../../src-renderer/sync/targets'
import { someAccount } from '../../helpers/account'
import { entryOf } from '../replica/store.conformance'

const memory = new Memory(behaviors)
const put = (collection: CollectionName, id: string, base: JsonObject): void => {
  const { key } = targetOf(collection, null, id)
  memory.setStored(key, { key, collection, parent: null, id, base, complete: true })
}
put('calendarList', 'team', { id: 'team', accessRole: 'reader' })
put('calendarList', 'shown', { id: 'shown', accessRole: 'writer', selected: true })
put('calendarList', 'me', { id: 'me', accessRole: 'owner', primary: true, selected: true })
put('calendarList', 'away', { id: 'away', accessRole: 'owner', hidden: true })
put('tasklists', 'inbox', { id: 'inbox' })

const keys = (...found: ReturnType<typeof targetOf>[]): string[] => found.map(({ key }) => key)
const account = someAccount({ kind: 'service', services: { calendar: 'https://calendar.example' } })

describe('read targets', () => {
  it("are each service's roots, then visible ones, and no hidden ones", () => {
    const roots = rootsOf(memory.facts, account, 'calendar')
    expect(roots).toEqual([targetOf('calendarList'), targetOf('settings')])
    expect(targets(memory, 'calendar', roots)).toEqual([
      ...roots,
      targetOf('events', 'me'),
      targetOf('events', 'shown'),
      targetOf('events', 'team'),
      targetOf('calendars', null, 'me'),
      targetOf('calendars', null, 'shown'),
      targetOf('acl', 'me'),
    ])
  })

  it("exclude services the account doesn't have", () => {
    expect(rootsOf(memory.facts, account, 'tasks')).toEqual([])
    expect(targets(memory, 'tasks', rootsOf(memory.facts, account, 'tasks'))).toEqual([])
  })

  it('include the whole sandbox, even before it starts', () => {
    const embedded = someAccount({ kind: 'sandbox', services: {} })
    expect(
      syncedServices(memory.facts).map((service) => rootsOf(memory.facts, embedded, service).length),
    ).not.toContain(0)
    expect(targets(memory, 'tasks', rootsOf(memory.facts, embedded, 'tasks'))).toEqual([
      targetOf('tasklists'),
      targetOf('tasks', 'inbox'),
    ])
  })
})

const facts = factsOf()

describe('the targets of an entry', () => {
  const event = entryOf('1', { parent: 'me', recordId: 'e' })
  const list = { collection: 'tasklists', parent: null, recordId: 'inbox' } as const

  it("are its record's location and destination", () => {
    const moving = { ...event, action: { name: 'moveEvent', destination: 'team' } as const }
    for (const key of keys(targetOf('events', 'me'), targetOf('events', 'team')))
      expect(keysFor(facts, moving)).toContain(key)
  })

  it("include what it affects elsewhere, and a deleted record's contents", () => {
    const shows = [{ key: targetOf('tasks', 'other', 'x').key, patch: null }]
    expect(keysFor(facts, { ...event, shows })).toContain(targetOf('tasks', 'other').key)
    expect(keysFor(facts, entryOf('1', { ...list, kind: 'delete' }))).toContain(targetOf('tasks', 'inbox').key)
    expect(keysFor(facts, entryOf('1', { ...list, kind: 'change' }))).not.toContain(targetOf('tasks', 'inbox').key)
  })

  it('include the calendar list for a calendar', () => {
    const calendar = entryOf('1', { collection: 'calendars', parent: null, recordId: 'me' })
    for (const key of keys(targetOf('calendarList'), targetOf('calendars', null, 'me')))
      expect(keysFor(facts, calendar)).toContain(key)
  })
})

describe("the service's side effects of a write", () => {
  const sideEffects = (more: Parameters<typeof entryOf>[1]): string[] =>
    [...sideEffectsOf(facts, entryOf('1', { base: null, patch: {}, ...more }))].sort()
  const tasks = { collection: 'tasks', parent: 'inbox', recordId: 't' } as const

  it.each<[string, Parameters<typeof entryOf>[1], string[]]>([
    ['none for a single event', { collection: 'events', parent: 'me', kind: 'change', patch: { summary: 'x' } }, []],
    [
      'occurrences for a series',
      { collection: 'events', parent: 'me', kind: 'change', base: { recurrence: ['RRULE:FREQ=DAILY'] } },
      keys(targetOf('events', 'me')),
    ],
    ["none for a task's text", { ...tasks, kind: 'change', patch: { title: 'x' } }, []],
    ["the siblings' order", { ...tasks, kind: 'create' }, keys(targetOf('tasks', 'inbox'))],
    [
      'both lists for a move',
      { ...tasks, kind: 'action', action: { name: 'moveTask', destination: 'other' } },
      keys(targetOf('tasks', 'inbox'), targetOf('tasks', 'other')),
    ],
    [
      'the calendar list',
      { collection: 'calendars', parent: null, kind: 'change', patch: { summary: 'x' } },
      keys(targetOf('calendarList')),
    ],
    [
      "a cleared list's contents",
      { collection: 'tasklists', parent: null, recordId: 'inbox', kind: 'action', action: { name: 'clearCompleted' } },
      keys(targetOf('tasks', 'inbox')),
    ],
    [
      "a cleared calendar's contents",
      { collection: 'calendars', parent: null, recordId: 'me', kind: 'action', action: { name: 'clearCalendar' } },
      keys(targetOf('acl', 'me'), targetOf('calendarList'), targetOf('events', 'me')),
    ],
  ])('are %s', (_what, entry, found) => {
    expect(sideEffects(entry)).toEqual([...found].sort())
  })
})
