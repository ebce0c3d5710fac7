import { beforeEach, expect, it, vi } from 'vitest'
import type { Command } from '../../../../src-renderer/context/context'
import type { CalendarActions } from '../../../../src-renderer/views/calendar/actions.svelte'
import { calendarCommands, type CalendarHands } from '../../../../src-renderer/views/calendar/commands'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import type { CalendarModel } from '../../../../src-renderer/views/calendar/model.svelte'
import type { TaskPaneModel } from '../../../../src-renderer/views/calendar/task-pane.svelte'

const event = { plans: {}, event: { response: 'accepted' } } as unknown as Entry
const row = { id: 'task' }

beforeEach(() => void vi.stubGlobal('getSelection', () => ''))

/** Commands that a key runs, with an event’s details open and, if wanted, the focus on a task next to the grid. */
function commandsOf(key: string, inPane: boolean, removed: unknown[] = [], picked: readonly Entry[] = []): Command[] {
  const actions = {
    clipboard: {},
    remove: (one: unknown) => Promise.resolve(removed.push(one) < 0),
    removeTask: (one: unknown) => Promise.resolve(removed.push(one) < 0),
    group: { remove: (all: unknown) => Promise.resolve(removed.push(all) < 0) },
  } as unknown as CalendarActions
  const model = {
    app: {},
    sets: { list: [] },
    layout: 'week',
    focusedEntry: event,
    entries: [event],
    picks: { size: picked.length },
    groupOf: () => (picked.length > 1 ? picked : undefined),
    focusStop: () => undefined,
  } as unknown as CalendarModel
  const pane = { focused: inPane ? { row } : undefined } as unknown as TaskPaneModel
  const hands = { editorOpen: () => picked.length === 0, closePeek: () => undefined } as unknown as CalendarHands
  return calendarCommands(model, actions, pane, hands).filter(
    ({ keys, when }) => keys?.includes(key) && (when?.() ?? true),
  )
}

it.each([true, false])('each key runs one command, with the focus on a task next to the grid: %s', (inPane) => {
  const all = calendarCommands(
    { app: {}, sets: { list: [] } } as unknown as CalendarModel,
    {} as unknown as CalendarActions,
    {} as unknown as TaskPaneModel,
    {} as unknown as CalendarHands,
  )
  for (const key of new Set(all.flatMap(({ keys }) => keys ?? []))) {
    const found = commandsOf(key, inPane).map(({ id }) => id)
    expect(found.length, `${key}: ${found.join()}`).toBeLessThan(2)
  }
})

it('Ctrl+N adds an event', () => expect(commandsOf('Ctrl+N', false).map(({ id }) => id)).toEqual(['calendar.new']))

it('Delete deletes what has the focus, not the event whose details are open', () => {
  const removed: unknown[] = []
  for (const inPane of [true, false]) for (const { run } of commandsOf('Delete', inPane, removed)) void run()
  expect(removed).toEqual([row, event])
})

it('Delete and Escape mean the selection while there is one', () => {
  const removed: unknown[] = []
  const picked = [event, { ...event }]
  for (const { run } of commandsOf('Delete', false, removed, picked)) void run()
  expect(removed).toEqual([picked])
  expect(commandsOf('Escape', false, [], picked).map(({ id }) => id)).toEqual(['calendar.select-none'])
})
