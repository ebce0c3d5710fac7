import { tick } from 'svelte'
import { copyLink } from '../../context/copy-link'
import type { Command } from '../../context/context'
import type { TaskActions } from './actions'
import { smartViews, type ListInfo, type TasksModel } from './model.svelte'
import type { TaskLine } from './tree'

export interface TaskHands {
  add: () => void
  newList: () => void
  renameList: (list: ListInfo) => void
  ask: (what: 'list' | 'due', lines: readonly TaskLine[]) => void
  exportList: (list: ListInfo) => void
}

/** Everything the tasks view can do, with its keys. */
export function taskCommands(model: TasksModel, actions: TaskActions, hands: TaskHands): Command[] {
  const group = 'Tasks'
  const rows = 'Selected tasks'
  const when = (): boolean => model.rowKeys
  const onLine = (run: (line: TaskLine) => void) => (): void => {
    if (model.current) run(model.current)
  }
  const inList = (): boolean => model.list !== undefined
  const onList = (run: (list: ListInfo) => void) => (): void => {
    if (model.list) run(model.list)
  }
  const turn = (by: number): void => {
    const all = [...smartViews, ...model.lists.map((list) => list.id), ...model.tags.map(({ tag }) => tag)]
    const next = all[(all.indexOf(model.view) + by + all.length) % all.length]!
    model.app.navigation.go('tasks', { list: next })
    model.app.announce(model.title)
  }
  return [
    { id: 'tasks.new', title: 'New task', group, keys: ['c', 'n', 'Ctrl+N'], words: 'add create', run: hands.add },
    { id: 'tasks.new-list', title: 'New list', group, keys: ['l'], words: 'add create', run: hands.newList },
    { id: 'tasks.next-list', title: 'Next list', group, keys: ['j'], run: () => turn(1) },
    { id: 'tasks.previous-list', title: 'Previous list', group, keys: ['k'], run: () => turn(-1) },
    {
      id: 'tasks.today',
      title: 'Today’s tasks',
      group,
      keys: ['t', '1'],
      words: 'overdue',
      run: () => model.app.navigation.go('tasks', { list: 'today' }),
    },
    {
      id: 'tasks.upcoming',
      title: 'Upcoming tasks',
      group,
      keys: ['u', '2'],
      words: 'due date next days',
      run: () => model.app.navigation.go('tasks', { list: 'upcoming' }),
    },
    {
      id: 'tasks.logbook',
      title: 'Completed tasks',
      group,
      keys: ['3'],
      words: 'logbook done history',
      run: () => model.app.navigation.go('tasks', { list: 'logbook' }),
    },
    {
      id: 'tasks.reschedule',
      title: 'Reschedule overdue tasks to today',
      group,
      keys: ['r'],
      when: () => model.overdue.length > 0,
      run: () => void actions.reschedule(model.overdue),
    },
    {
      id: 'tasks.to-rows',
      title: 'Go to tasks',
      group,
      keys: ['ArrowDown', 'ArrowUp'],
      keyOnly: true,
      when: () => model.lines.length > 0 && (document.activeElement?.matches('body, main') ?? true),
      run: () => model.step(0),
    },
    { id: 'tasks.rename-list', title: 'Rename list…', group, when: inList, run: onList(hands.renameList) },
    {
      id: 'tasks.delete-list',
      title: 'Delete list',
      group,
      when: () => model.list !== undefined && !model.defaultList.is(model.list.id),
      run: onList((list) => void actions.removeList(list)),
    },
    {
      id: 'tasks.completed',
      title: 'Show or hide completed tasks',
      group,
      keys: ['h'],
      run: () => (model.completedOpen = !model.completedOpen),
    },
    {
      id: 'tasks.clear',
      title: 'Clear completed',
      words: 'delete remove done finished',
      group,
      when: inList,
      run: onList((list) => void actions.clearCompleted(list)),
    },
    {
      id: 'tasks.export',
      title: 'Export list…',
      group,
      when: inList,
      words: 'save file',
      run: onList(hands.exportList),
    },

    {
      id: 'task.toggle',
      title: 'Toggle task completed',
      group: rows,
      keys: ['Space', 'x'],
      when,
      run: () => void actions.toggle(model.targets),
    },
    {
      id: 'task.link',
      title: 'Copy link',
      group: rows,
      words: 'address share url',
      when,
      run: onLine((line) => void copyLink(model.app, { to: 'record', key: line.key })),
    },
    {
      id: 'task.edit',
      title: 'Edit title',
      group: rows,
      keys: ['Enter', 'F2'],
      when,
      run: onLine((line) => (model.editing = line.domKey)),
    },
    {
      id: 'task.details',
      title: 'Details',
      group: rows,
      keys: ['e', 'i'],
      words: 'notes inspector',
      when,
      run: onLine((line) => openDetails(model, line)),
    },
    {
      id: 'task.due',
      title: 'Set due date…',
      group: rows,
      keys: ['d'],
      when,
      run: () => hands.ask('due', model.targets),
    },
    {
      id: 'task.important',
      title: 'Toggle important',
      group: rows,
      keys: ['!'],
      words: 'priority flag',
      when,
      run: () => void actions.toggleImportant(model.targets),
    },
    {
      id: 'task.repeat',
      title: 'Repeat…',
      group: rows,
      words: 'recurring every day week month',
      when: () => when() && model.current?.done === false,
      run: onLine((line) => openDetails(model, line, 'Repeat')),
    },
    {
      id: 'task.plan',
      title: 'Plan in the calendar…',
      group: rows,
      keys: ['b'],
      words: 'time block schedule',
      when: () => when() && model.current?.done === false,
      run: onLine((line) => {
        const { navigation } = model.app
        // Canceling comes back to the row.
        navigation.replace({ ...navigation.place.params, row: line.key })
        navigation.go('calendar', { plan: line.key })
      }),
    },
    {
      id: 'task.move',
      title: 'Move to list…',
      group: rows,
      keys: ['v'],
      when,
      run: () => hands.ask('list', model.targets),
    },
    {
      id: 'task.delete',
      title: 'Delete',
      group: rows,
      keys: ['Delete', 'Backspace'],
      when,
      run: () => void actions.remove(model.targets),
    },
    {
      id: 'task.up',
      title: 'Move up',
      group: rows,
      keys: ['Alt+ArrowUp'],
      when,
      run: onLine((line) => void actions.shift(line, 'up')),
    },
    {
      id: 'task.down',
      title: 'Move down',
      group: rows,
      keys: ['Alt+ArrowDown'],
      when,
      run: onLine((line) => void actions.shift(line, 'down')),
    },
    {
      id: 'task.indent',
      title: 'Indent (Tab while editing)',
      group: rows,
      keys: ['Alt+ArrowRight'],
      when,
      run: onLine((line) => void actions.shift(line, 'in')),
    },
    {
      id: 'task.outdent',
      title: 'Outdent (Shift+Tab while editing)',
      group: rows,
      keys: ['Alt+ArrowLeft'],
      when,
      run: onLine((line) => void actions.shift(line, 'out')),
    },
    {
      id: 'task.choose',
      title: 'Toggle selection',
      group: rows,
      keys: ['Ctrl+Space'],
      keyOnly: true,
      when,
      run: onLine((line) => model.moveTo(line.domKey, { add: true })),
    },
    { id: 'task.choose-all', title: 'Select all', group: rows, keys: ['Ctrl+A'], when, run: () => model.chooseAll() },
    {
      id: 'task.close',
      title: 'Close panel or clear selection',
      group: rows,
      keys: ['Escape'],
      keyOnly: true,
      when: () => model.inspected !== null || model.chosen.size > 0,
      run: () => {
        if (model.chosen.size > 0) model.chosen = new Set()
        else model.inspected = null
        if (model.current) void model.focusRow()
      },
    },
  ]
}

/** Opens the details of a task at its title, or at the field of this name. */
function openDetails(model: TasksModel, line: TaskLine, field?: string): void {
  model.inspected = line.domKey
  // Before the next key or click, which the focus would otherwise follow.
  void tick().then(() => {
    const panel = document.querySelector('aside[aria-label="Task"]')
    const label = [...(panel?.querySelectorAll('label') ?? [])].find(({ textContent }) => textContent?.trim() === field)
    const control = label && document.getElementById(label.htmlFor)
    ;(control ?? panel?.querySelector<HTMLElement>('textarea'))?.focus()
  })
}
