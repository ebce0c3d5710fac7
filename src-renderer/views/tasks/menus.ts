import { dateOfWall } from '#shared/time/zones'
import type { ContextMenuContent } from '../../ui/context-menu.svelte'
import { counted } from '../../ui/counted'
import { dueChoices } from '../../ui/dates'
import type { MenuItem } from '../../ui/menu-item'
import { titleOf, type TaskActions } from './actions'
import type { ListInfo, TasksModel } from './model.svelte'

/** Menu of a day. @param onadd asks for a new task on that day */
export function dayMenu(
  { app: { navigation } }: TasksModel,
  day: number,
  label: string,
  onadd: () => void,
): ContextMenuContent {
  const open = (layout: string): void => navigation.go('calendar', { day, layout })
  return {
    label,
    groups: [
      [
        { label: 'New task on this day…', run: onadd },
        {
          label: 'New event on this day…',
          run: () => navigation.go('calendar', { day, quick: `${dateOfWall(day)} ` }),
        },
      ],
      [
        { label: 'Open day', run: () => open('day') },
        { label: 'Open week', run: () => open('week') },
      ],
    ],
  }
}

/** Menu of the selected tasks. Its commands act on the row that has the focus. */
export function taskMenu(model: TasksModel, actions: TaskActions): ContextMenuContent {
  const lines = model.targets
  const several = lines.length > 1
  const isDone = lines.every((line) => line.done)
  const { commands } = model.app
  const due = (label: string, day: number | null) => ({
    label,
    disabled: lines.every((line) => line.due === day),
    run: () => void actions.setDue(lines, day),
  })
  return {
    label: several ? counted(lines.length, 'task') : titleOf(lines[0]!),
    groups: [
      [
        commands.item('task.toggle', {
          label: `${isDone ? 'Reopen' : 'Complete'}${several ? ` ${lines.length.toLocaleString('en')}` : ''}`,
          keys: 'x',
        }),
        ...(several ? [] : [commands.item('task.edit'), commands.item('task.details'), commands.item('task.link')]),
      ],
      [
        ...dueChoices(model.today).map(({ label, day }) => due(label, day)),
        commands.item('task.due'),
        ...(several ? [] : [commands.item('task.repeat'), commands.item('task.plan')]),
        due('No due date', null),
      ],
      [
        commands.item('task.important', {
          label: lines.every(({ extras }) => extras.important) ? 'Not important' : 'Important',
        }),
        commands.item('task.move'),
        ...(several
          ? []
          : [
              commands.item('task.up'),
              commands.item('task.down'),
              commands.item('task.indent', { label: 'Indent' }),
              commands.item('task.outdent', { label: 'Outdent' }),
            ]),
      ],
      [
        commands.item('task.delete', {
          danger: true,
          ...(several && { label: `Delete ${lines.length.toLocaleString('en')}` }),
        }),
      ],
    ],
  }
}

/** Deletes a list, unless it's the one that the service keeps. */
export function deletionItem(model: TasksModel, actions: TaskActions, list: ListInfo): MenuItem {
  const isDefault = model.defaultList.is(list.id)
  return {
    label: isDefault ? 'Can’t delete the default list' : 'Delete list',
    danger: !isDefault,
    disabled: isDefault,
    run: () => void actions.removeList(list),
  }
}
