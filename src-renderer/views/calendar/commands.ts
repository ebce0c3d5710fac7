import { copyLink } from '../../context/copy-link'
import { entryLink } from './entry-link'
import { exportEvent } from './event-file'
import type { Command } from '../../context/context'
import type { CalendarActions } from './actions.svelte'
import type { CalendarSet } from './calendar-sets'
import { dayOf, minuteMs } from '../../ui/dates'
import { nudged, shiftOf, type Span } from './layout/drag'
import type { Entry } from './layout/entry'
import { dayCounts, hasHours, layoutList, type Layout } from './layout/stretch'
import type { Row } from '../../replica/api'
import type { CalendarModel } from './model.svelte'
import type { TaskPaneModel } from './task-pane.svelte'
import { nudgedIn } from './times'

/** Letters of layouts, in addition to their numbers. */
const letters: Readonly<Partial<Record<Layout, string[]>>> = { day: ['d'], week: ['w'], month: ['m'], agenda: ['a'] }

export interface CalendarHands {
  create: () => void
  quick: () => void
  goto: () => void
  zone: () => void
  calendar: () => void
  /** Asks for the name of a calendar set. Null: of a new one. */
  nameSet: (set: CalendarSet | null) => void
  edit: (entry: Entry) => void
  move: (entry: Entry) => void
  closePeek: () => void
  closeEditor: () => void
  editorOpen: () => boolean
  togglePane: () => void
  plan: (task: Row) => void
}

/** Everything the calendar can do, with its keys. */
export function calendarCommands(
  model: CalendarModel,
  actions: CalendarActions,
  pane: TaskPaneModel,
  hands: CalendarHands,
): Command[] {
  const { app } = model
  const taskAtHand = (): Row | undefined => pane.focused?.row ?? model.focusedEntry?.task ?? model.focusedEntry?.plans
  // The details of an event can be open while the focus is on a task next to the grid.
  const entryAtHand = (): Entry | undefined => (pane.focused ? undefined : model.focusedEntry)
  const focused = (): boolean => entryAtHand() !== undefined
  const onEntry = (run: (entry: Entry) => void) => (): void => {
    const entry = entryAtHand()
    if (entry) run(entry)
  }
  /** The selection, if the entry at hand is one of several. */
  const groupAtHand = (): readonly Entry[] | undefined => (pane.focused ? undefined : model.groupOf(entryAtHand()))
  const keyAtHand = (group: readonly Entry[]): string => entryAtHand()?.key ?? group[0]!.key
  const alone = (): boolean => focused() && groupAtHand() === undefined
  const nudge = (grip: 'move' | 'end', minutes: number, days: number) =>
    onEntry((entry) => {
      // Sideways is a day everywhere; in a month, and for all-day entries, up and down are weeks.
      const byWeeks = grip === 'move' && minutes !== 0 && (entry.allDay || model.layout === 'month')
      if (grip === 'end' && minutes !== 0 && entry.allDay) return
      const span = byWeeks
        ? nudged(entry, grip, 0, Math.sign(minutes) * 7)
        : nudgedIn(model.zone, entry, grip, minutes, days)
      const together = grip === 'move' ? groupAtHand() : undefined
      if (together) return void actions.group.move(together, entry.key, shiftOf(entry, span))
      void moveAlong(model, actions, entry, span)
    })
  const group = 'Calendar'
  const entryGroup = 'Selected event'
  return [
    {
      id: 'calendar.new',
      title: 'New event',
      group,
      keys: ['c', 'n', 'Ctrl+N'],
      words: 'create add',
      run: hands.create,
    },
    {
      id: 'calendar.quick',
      title: 'Quick add…',
      group,
      keys: ['q'],
      words: 'create natural language',
      run: hands.quick,
    },
    { id: 'calendar.today', title: 'Go to today', group, keys: ['t'], run: () => model.goToday() },
    { id: 'calendar.next', title: 'Next', group, keys: ['j'], run: () => model.turn(1) },
    { id: 'calendar.previous', title: 'Previous', group, keys: ['k'], run: () => model.turn(-1) },
    { id: 'calendar.goto', title: 'Go to a date…', group, keys: ['g'], words: 'jump', run: hands.goto },
    ...layoutList.map(({ value, label, keys, words = '' }): Command => ({
      id: `calendar.${value}`,
      title: label,
      group,
      keys: [keys, ...(letters[value] ?? [])],
      words: `view layout ${words}`,
      run: () => model.show(value),
    })),
    ...dayCounts.map((count): Command => ({
      id: `calendar.days-${count}`,
      title: `${count} days`,
      group,
      keys: [`Alt+${count}`],
      words: 'view layout',
      run: () => model.showDays(count),
    })),
    {
      id: 'calendar.weekends',
      title: 'Show or hide weekends',
      group,
      words: 'view layout saturday sunday',
      run: () => model.setView({ hideWeekends: !model.view.hideWeekends }),
    },
    {
      id: 'calendar.taller',
      title: 'Increase hour height',
      group,
      keys: ['+', '='],
      words: 'zoom height',
      when: () => hasHours(model.layout),
      run: () => model.zoomHours(1),
    },
    {
      id: 'calendar.shorter',
      title: 'Decrease hour height',
      group,
      keys: ['-'],
      words: 'zoom height',
      when: () => hasHours(model.layout),
      run: () => model.zoomHours(-1),
    },
    {
      id: 'calendar.tasks',
      title: 'Show or hide tasks to plan',
      group,
      keys: ['Ctrl+.'],
      words: 'task pane time block',
      run: hands.togglePane,
    },
    {
      id: 'task.plan',
      title: 'Plan task…',
      group: entryGroup,
      keys: ['b'],
      words: 'time block schedule',
      when: () => taskAtHand() !== undefined,
      run: () => {
        const task = taskAtHand()
        if (task) hands.plan(task)
      },
    },
    { id: 'calendar.zones', title: 'Other time zones…', words: 'second third zone compare', group, run: hands.zone },
    { id: 'calendar.add-calendar', title: 'New calendar', group, words: 'add create', run: hands.calendar },
    {
      id: 'calendar.save-set',
      title: 'Save shown calendars as a set…',
      group,
      words: 'calendar set group view',
      when: () => !model.sets.isFull,
      run: () => hands.nameSet(null),
    },
    ...model.sets.list.flatMap((set): Command[] => [
      {
        id: `calendar.update-set ${set.name}`,
        title: `Update calendar set ${set.name}`,
        group,
        when: () => !model.sets.isCurrent(set),
        run: () => model.sets.update(set),
      },
      {
        id: `calendar.rename-set ${set.name}`,
        title: `Rename calendar set ${set.name}…`,
        group,
        run: () => hands.nameSet(set),
      },
      {
        id: `calendar.delete-set ${set.name}`,
        title: `Delete calendar set ${set.name}`,
        group,
        run: () => model.sets.remove(set),
      },
    ]),
    {
      id: 'calendar.week-numbers',
      title: 'Show or hide week numbers',
      group,
      run: () => app.settings.set({ weekNumbers: !app.settings.values.weekNumbers }),
    },
    {
      id: 'calendar.paste',
      title: 'Paste event',
      group,
      keys: ['Ctrl+V'],
      when: () => actions.clipboard !== null,
      run: () => void actions.paste(),
    },

    { id: 'event.edit', title: 'Edit', group: entryGroup, keys: ['e'], when: alone, run: onEntry(hands.edit) },
    { id: 'event.move', title: 'Move to…', group: entryGroup, keys: ['v'], when: alone, run: onEntry(hands.move) },
    {
      id: 'event.delete',
      title: 'Delete',
      group: entryGroup,
      keys: ['Delete', 'Backspace'],
      when: () => focused() || groupAtHand() !== undefined,
      run: () => {
        const group = groupAtHand()
        if (group)
          return void actions.group.remove(group, keyAtHand(group)).then(() => model.isFocusFree && model.focusStop())
        onEntry((entry) => (hands.closePeek(), void removeAndStand(model, actions, entry)))()
      },
    },
    {
      id: 'event.duplicate',
      title: 'Duplicate',
      group: entryGroup,
      keys: ['Ctrl+D'],
      when: alone,
      run: onEntry((entry) => void actions.duplicate(entry)),
    },
    {
      id: 'event.copy',
      title: 'Copy',
      group: entryGroup,
      keys: ['Ctrl+C'],
      when: () => alone() && String(getSelection()) === '',
      run: onEntry((entry) => void actions.copy(entry)),
    },
    {
      id: 'event.export',
      title: 'Export event…',
      group: entryGroup,
      words: 'ics calendar file save',
      when: () => alone() && entryAtHand()?.event !== undefined,
      run: onEntry((entry) => void exportEvent(model, entry)),
    },
    {
      id: 'event.link',
      title: 'Copy link',
      group: entryGroup,
      words: 'address share url',
      when: focused,
      run: onEntry((entry) => void copyLink(model.app, entryLink(entry))),
    },
    {
      id: 'event.done',
      title: 'Toggle task completed',
      group: entryGroup,
      keys: ['x'],
      when: () =>
        groupAtHand()?.every(({ task, plans }) => task ?? plans) ??
        (entryAtHand()?.task ?? entryAtHand()?.plans) !== undefined,
      run: () => {
        const group = groupAtHand()
        if (group) return void actions.group.toggleTasks(group)
        onEntry((entry) => void actions.toggleTask(entry))()
      },
    },
    {
      id: 'event.yes',
      title: 'Reply yes',
      words: 'accept invitation answer rsvp',
      group: entryGroup,
      keys: ['y'],
      when: () => isInvitation(entryAtHand()),
      run: onEntry((entry) => void actions.respond(entry, 'accepted')),
    },
    {
      id: 'event.maybe',
      title: 'Reply maybe',
      words: 'tentative invitation answer rsvp',
      group: entryGroup,
      when: () => isInvitation(entryAtHand()),
      run: onEntry((entry) => void actions.respond(entry, 'tentative')),
    },
    {
      id: 'event.no',
      title: 'Reply no',
      words: 'decline invitation answer rsvp',
      group: entryGroup,
      when: () => isInvitation(entryAtHand()),
      run: onEntry((entry) => void actions.respond(entry, 'declined')),
    },
    {
      id: 'event.earlier',
      title: 'Move earlier',
      group: entryGroup,
      keys: ['Alt+ArrowUp'],
      keyOnly: true,
      when: focused,
      run: nudge('move', -15, 0),
    },
    {
      id: 'event.later',
      title: 'Move later',
      group: entryGroup,
      keys: ['Alt+ArrowDown'],
      keyOnly: true,
      when: focused,
      run: nudge('move', 15, 0),
    },
    {
      id: 'event.day-before',
      title: 'Move to previous day',
      group: entryGroup,
      keys: ['Alt+ArrowLeft'],
      keyOnly: true,
      when: focused,
      run: nudge('move', 0, -1),
    },
    {
      id: 'event.day-after',
      title: 'Move to next day',
      group: entryGroup,
      keys: ['Alt+ArrowRight'],
      keyOnly: true,
      when: focused,
      run: nudge('move', 0, 1),
    },
    {
      id: 'event.shorter',
      title: 'End 15 min earlier',
      group: entryGroup,
      keys: ['Alt+Shift+ArrowUp'],
      keyOnly: true,
      when: focused,
      run: nudge('end', -15, 0),
    },
    {
      id: 'event.longer',
      title: 'End 15 min later',
      group: entryGroup,
      keys: ['Alt+Shift+ArrowDown'],
      keyOnly: true,
      when: focused,
      run: nudge('end', 15, 0),
    },
    {
      id: 'event.shorter-day',
      title: 'End 1 day earlier',
      group: entryGroup,
      keys: ['Alt+Shift+ArrowLeft'],
      keyOnly: true,
      when: focused,
      run: nudge('end', 0, -1),
    },
    {
      id: 'event.longer-day',
      title: 'End 1 day later',
      group: entryGroup,
      keys: ['Alt+Shift+ArrowRight'],
      keyOnly: true,
      when: focused,
      run: nudge('end', 0, 1),
    },
    {
      id: 'task.complete',
      title: 'Complete task',
      group: entryGroup,
      keys: ['x'],
      keyOnly: true,
      when: () => pane.focused !== undefined,
      run: () => pane.focused && void actions.toggle(pane.focused.row),
    },
    {
      id: 'task.remove',
      title: 'Delete task',
      group: entryGroup,
      keys: ['Delete', 'Backspace'],
      keyOnly: true,
      when: () => pane.focused !== undefined,
      run: () => pane.focused && void actions.removeTask(pane.focused.row),
    },
    {
      id: 'calendar.select-all',
      title: 'Select everything shown',
      group,
      keys: ['Ctrl+A'],
      words: 'several all events',
      when: () => model.entries.length > 0 && pane.focused === undefined,
      run: () => {
        model.picks.set(model.entries.map(({ key }) => key))
        model.tellPicked()
      },
    },
    {
      id: 'event.close',
      title: 'Close panel',
      group,
      keys: ['Escape'],
      keyOnly: true,
      when: hands.editorOpen,
      run: hands.closeEditor,
    },
    {
      id: 'calendar.select-none',
      title: 'Clear selection',
      group,
      keys: ['Escape'],
      when: () => model.picks.size > 0,
      run: () => {
        model.picks.clear()
        model.tellPicked()
      },
    },
  ]
}

const isInvitation = (entry: Entry | undefined): boolean => entry?.event?.response !== undefined

/** Moves an entry, and follows it if it leaves the screen. */
async function moveAlong(model: CalendarModel, actions: CalendarActions, entry: Entry, span: Span): Promise<void> {
  if (!(await actions.reschedule(entry, span)) || !model.here) return
  const day = dayOf(span.start)
  if (day < model.stretch.first || day > model.stretch.last) {
    model.go(day)
    void model.moveTo({ kind: 'entry', key: entry.key, day, minute: (span.start - day) / minuteMs })
  }
}

/** Deletes, and leaves the keyboard where the entry was. */
async function removeAndStand(model: CalendarModel, actions: CalendarActions, entry: Entry): Promise<void> {
  const stop = model.stop
  if (!(await actions.remove(entry))) return
  requestAnimationFrame(() =>
    requestAnimationFrame(
      () =>
        model.here &&
        model.isFocusFree &&
        void model.moveTo({
          kind: model.layout === 'month' || entry.bar ? 'cell' : 'slot',
          day: stop.day,
          minute: Math.floor(Math.max(0, stop.minute) / 30) * 30,
        }),
    ),
  )
}
