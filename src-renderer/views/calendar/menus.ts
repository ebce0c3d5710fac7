import { dateOfWall } from '#shared/time/zones'
import { copyText } from '../../context/copy-text'
import type { ContextMenuContent } from '../../ui/context-menu.svelte'
import { clockText, dayMs, dayOf, dueChoices, longDate } from '../../ui/dates'
import type { MenuGroups, MenuItem } from '../../ui/menu-item'
import { tintClass } from '../../ui/tints'
import type { CalendarActions } from './actions.svelte'
import { fixedWords, titleOf, whenWords } from './event-labels'
import type { Span } from './layout/drag'
import type { Entry } from './layout/entry'
import type { Layout } from './layout/stretch'
import type { CalendarModel } from './model.svelte'
import type { PaneTask } from './task-pane.svelte'

/** Targets that a menu can open. */
export interface MenuHands {
  open: (entry: Entry) => void
  create: (span: Span) => void
  quick: (text: string) => void
  day: (day: number) => void
}

/** Menu of an entry. Its commands act on the entry that has the focus. */
export function entryMenu(
  model: CalendarModel,
  actions: CalendarActions,
  entry: Entry,
  hands: MenuHands,
): ContextMenuContent {
  const editable = model.canEdit(entry)
  const item = (id: string, more: Partial<MenuItem> = {}): MenuItem => model.app.commands.item(id, more)
  const fixed = entry.event?.fixed
  const edits = (id: string, more: Partial<MenuItem> = {}): MenuItem => item(id, editable ? more : { disabled: true })
  const open: MenuItem = { label: openLabel, keys: 'Enter', run: () => hands.open(entry) }
  const about = {
    label: titleOf(entry.title),
    note: editable ? fixed && fixedWords[fixed]('this event') : `${model.calendarName(entry)} is read-only`,
  }
  if (entry.task)
    return {
      ...about,
      groups: [
        [
          item('event.done', { label: entry.done ? 'Reopen' : 'Complete' }),
          open,
          item('event.edit'),
          item('task.plan'),
        ],
        dueItems(model, actions, entry),
        [item('event.delete', { danger: true })],
      ],
    }
  const answer = entry.event?.response
  return {
    ...about,
    groups: [
      [
        ...(entry.plans ? [item('event.done', { label: entry.done ? 'Reopen task' : 'Complete task' })] : []),
        open,
        item('event.edit', { label: model.editLabel(entry) }),
      ],
      answer === undefined || !editable
        ? []
        : [
            item('event.yes', { checked: answer === 'accepted' }),
            item('event.maybe', { checked: answer === 'tentative' }),
            item('event.no', { checked: answer === 'declined' }),
          ],
      [
        item('event.copy'),
        item('event.duplicate'),
        item('event.link'),
        { label: 'Copy details', run: () => void copyDetails(model, [entry]) },
        item('event.export'),
      ],
      [
        edits('event.move', fixed && { disabled: true }),
        {
          label: 'Color',
          disabled: !editable,
          items: colorItems(model, entry.event?.colorId, (id) => actions.setColor(entry, id)),
        },
        {
          label: 'Calendar',
          disabled: !editable || fixed === 'guest',
          items: calendarItems(model, actions, entry),
        },
      ],
      [edits('event.delete', { danger: true })],
    ],
  }
}

/** Menu of several selected entries. */
export function groupMenu(
  model: CalendarModel,
  actions: CalendarActions,
  entries: readonly Entry[],
  key: string,
): ContextMenuContent {
  const obstacle = actions.group.obstacle(entries)
  const events = entries.filter(({ event }) => event)
  const tasks = entries.filter(({ task, plans }) => task ?? plans)
  const names = `${entries.length.toLocaleString('en')} selected`
  const why = [
    obstacle,
    ...(events.length < entries.length ? ['Tasks don’t have colors'] : []),
    ...(tasks.length < entries.length && tasks.length > 0 ? ['Not all selected entries are tasks'] : []),
  ].filter((one) => one !== undefined)
  const blocked = obstacle !== undefined
  const shared = new Set(events.map(({ event }) => event?.colorId))
  return {
    label: names,
    note: why.length > 0 ? why.join(' · ') : undefined,
    groups: [
      tasks.length > 0
        ? [
            model.app.commands.item('event.done', {
              label: tasks.every(({ done }) => done) ? 'Reopen' : 'Complete',
              disabled: tasks.length < entries.length,
            }),
          ]
        : [],
      [
        { label: 'Copy details', run: () => void copyDetails(model, entries) },
        {
          label: 'Color',
          disabled: blocked || events.length < entries.length,
          items: colorItems(model, shared.size === 1 ? [...shared][0] : null, (id) =>
            actions.group.setColor(entries, key, id),
          ),
        },
      ],
      [
        model.app.commands.item('event.delete', {
          label: `Delete ${entries.length.toLocaleString('en')}`,
          danger: true,
          disabled: blocked,
        }),
        model.app.commands.item('calendar.select-none'),
      ],
    ],
  }
}

/** Menu in the details of an entry: its context menu without Open. */
export function peekGroups(
  model: CalendarModel,
  actions: CalendarActions,
  entry: Entry,
  hands: MenuHands & { close: () => void },
): MenuGroups {
  /** The command finds the entry by the open details, so these close after it. */
  const closing = (item: MenuItem): MenuItem => ({
    ...item,
    run: () => {
      item.run()
      hands.close()
    },
  })
  return entryMenu(model, actions, entry, hands)
    .groups.map((group) =>
      group
        .filter((item) => item.label !== openLabel)
        .map((item) => ('items' in item ? { ...item, items: item.items.map(closing) } : closing(item))),
    )
    .filter((group) => group.length > 0)
}
const openLabel = 'Open'

/** Menu of free time. */
export function slotMenu(
  model: CalendarModel,
  actions: CalendarActions,
  span: Span,
  hands: MenuHands,
): ContextMenuContent {
  const day = dayOf(span.start)
  const when = whenWords(span, model.words)
  return {
    label: when,
    groups: [
      [
        { label: 'New event here', keys: 'C', run: () => hands.create(span) },
        { label: 'Quick add here…', run: () => hands.quick(`${quickDay(day)}${quickTime(span)} `) },
        {
          label: 'New task on this day…',
          run: () => model.app.navigation.go('tasks', { add: quickDay(day) }),
        },
      ],
      [model.app.commands.item('calendar.paste', { run: () => void actions.paste(span) })],
      [{ label: 'Open day', disabled: model.layout === 'day', run: () => hands.day(day) }],
    ],
  }
}

/** Menu of a day: of its head, of its hidden entries, or in the small month. */
export function dayMenu(model: CalendarModel, day: number, hands: MenuHands): ContextMenuContent {
  const span = { start: day, end: day + dayMs, allDay: true }
  const { layout, stretch } = model
  const isShown = (one: Layout): boolean => layout === one && day >= stretch.first && day <= stretch.last
  return {
    label: longDate(day, model.words.thisYear),
    groups: [
      [
        { label: 'Open day', disabled: isShown('day'), run: () => hands.day(day) },
        { label: 'Open week', disabled: isShown('week'), run: () => model.go(day, 'week') },
        model.app.commands.item('calendar.goto'),
      ],
      [
        { label: 'New event on this day', run: () => hands.create(model.freeSpan(day)) },
        { label: 'New all-day event', run: () => hands.create(span) },
        { label: 'New task on this day…', run: () => model.app.navigation.go('tasks', { add: quickDay(day) }) },
      ],
    ],
  }
}

/** Menu of a task next to the calendar. Its commands act on the task that has the focus. */
export function paneMenu(model: CalendarModel, actions: CalendarActions, task: PaneTask): ContextMenuContent {
  const { app } = model
  const due = (label: string, day: number | null): MenuItem => ({
    label,
    disabled: task.due === day,
    run: () => void actions.setDue(task.row, day),
  })
  return {
    label: titleOf(task.title),
    groups: [
      [
        app.commands.item('task.complete', { label: 'Complete' }),
        app.commands.item('task.plan', { label: task.block ? 'Plan another time…' : 'Plan…' }),
        {
          label: 'Show in Tasks',
          run: () => app.navigation.go('tasks', { list: task.row.parent ?? '', task: task.row.id }),
        },
      ],
      [...dueChoices(model.today).map(({ label, day }) => due(label, day)), due('No due date', null)],
      [app.commands.item('task.remove', { label: 'Delete', danger: true })],
    ],
  }
}

/** A date and a time as quick add reads them. */
const quickDay = (day: number): string => dateOfWall(day)
const quickTime = (span: Span): string => (span.allDay ? '' : ` ${clockText(span.start)}`)

function dueItems(model: CalendarModel, actions: CalendarActions, entry: Entry): MenuItem[] {
  return dueChoices(model.today).map(({ label, day }) => ({
    label,
    disabled: entry.start === day,
    run: () => void actions.reschedule(entry, { start: day, end: day + dayMs, allDay: true }),
  }))
}

/** `own`: the present color, undefined for the calendar's, null for several. */
function colorItems(
  model: CalendarModel,
  own: string | null | undefined,
  set: (colorId: string | null) => Promise<unknown>,
): MenuItem[] {
  return [
    {
      label: 'Calendar color',
      checked: own === undefined,
      run: () => void set(null),
    },
    ...model.eventColors.map(({ id, name, color }) => ({
      label: name,
      tint: tintClass(color),
      ...(own === id && { checked: true }),
      run: () => void set(id),
    })),
  ]
}

function calendarItems(model: CalendarModel, actions: CalendarActions, entry: Entry): MenuItem[] {
  return model.calendars
    .filter((calendar) => calendar.writable)
    .map((calendar) => ({
      label: calendar.name,
      tint: tintClass(calendar.color),
      ...(calendar.id === entry.event?.calendarId && { checked: true }),
      disabled: entry.event?.eventType !== 'default' && calendar.id !== entry.event?.calendarId,
      run: () => void actions.moveToCalendar(entry, calendar.id),
    }))
}

/** Copies title, time, and location as text. */
async function copyDetails(model: CalendarModel, entries: readonly Entry[]): Promise<void> {
  const texts: string[] = []
  for (const entry of entries) {
    const loaded = entry.event && (await model.app.replica.readItem(entry.event))
    const location = loaded?.event['location']
    const lines = [
      titleOf(entry.title),
      whenWords(entry, model.words),
      ...(typeof location === 'string' ? [location] : []),
    ]
    texts.push(lines.join('\n'))
  }
  const copied = await copyText(model.app, texts.join('\n\n'), {
    what: 'the details',
    instead: `Open ${texts.length === 1 ? 'the event' : 'each event'} and copy them there.`,
  })
  if (copied) model.app.announce('Details copied')
}
