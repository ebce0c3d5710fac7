import { collections } from '#shared/domain/collections'
import { currentText } from '#shared/former-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import { copyText } from '../../context/copy-text'
import { entryTitle } from '../../context/change-words'
import type { ContextMenuContent } from '../../ui/context-menu.svelte'
import type { MenuItem } from '../../ui/menu-item'
import { bareLabel } from '../../ui/plain-label'
import { isDeletion, type Side } from './conflict'
import type { SyncModel } from './model.svelte'

/** An item of the menu that is also a button of the card. */
export interface EntryAction extends MenuItem {
  variant?: 'primary' | 'quiet' | 'danger'
}

/** Actions for an entry that isn't in conflict. */
export function entryActions(model: SyncModel, entry: OutboxEntry): EntryAction[] {
  const { state, held, kind, notBefore } = entry
  const retry = { keys: 'r', run: () => void model.retry(entry) }
  return [
    ...(state === 'needsYou' ? [{ label: 'Retry', variant: 'primary' as const, ...retry }] : []),
    ...(held && state === 'waiting'
      ? [{ label: 'Post…', variant: 'primary' as const, keys: 'p', run: () => model.post([entry]) }]
      : []),
    ...(kind === 'delete' ? [] : [{ label: 'Edit', keys: 'e', run: () => model.open(entry) }]),
    ...(state === 'waiting' && notBefore ? [{ label: 'Retry now', ...retry }] : []),
    {
      label: 'Discard',
      variant: 'quiet' as const,
      keys: 'Delete',
      disabled: state === 'sending',
      run: () => void model.withdraw(entry),
    },
  ]
}

/** Menu of an entry that isn't in conflict. */
export function entryMenu(model: SyncModel, entry: OutboxEntry): ContextMenuContent {
  const actions = entryActions(model, entry)
  const discard = actions.at(-1)!
  const error = entry.state === 'needsYou' && entry.fault ? currentText(entry.fault.message) : ''
  const copy = async (): Promise<void> => {
    if (await copyText(model.app, error, { what: 'the error', instead: 'It’s still here.' }))
      model.app.announce('Error copied')
  }
  return {
    label: bareLabel(entryTitle(entry)),
    groups: [
      actions.slice(0, -1),
      error === '' ? [] : [{ label: 'Copy error', run: () => void copy() }],
      [{ ...discard, danger: true }],
    ],
    note: discard.disabled ? 'It’s being sent, so you can’t discard it.' : undefined,
  }
}

export interface SideAction {
  side: Side
  label: string
  /** How the conflict was resolved, for messages. */
  words: string
  variant?: 'primary' | 'danger'
}

/**
 * The two ways to resolve a conflict that isn't about fields, in the order of their buttons. Undefined for one about fields.
 * @param moved names of the lists or calendars that each side moved the record to
 */
export function sideActions(
  entry: OutboxEntry,
  moved: Readonly<Record<Side, string>> | undefined,
): readonly [SideAction, SideAction] | undefined {
  const { conflict, kind } = entry
  if (conflict?.made !== undefined)
    return [
      {
        side: 'theirs',
        label: `Same ${collections[entry.collection].words.one}`,
        words: 'same record',
        variant: 'primary',
      },
      { side: 'mine', label: 'Add mine separately', words: 'added yours' },
    ]
  if (!conflict || !isDeletion(entry)) return undefined
  const deletes = kind === 'delete'
  if ((conflict.unseen ?? []).length > 0 || (conflict.unread ?? []).length > 0)
    return [
      {
        side: 'mine',
        label: deletes ? 'Delete everything' : 'Send my change',
        words: deletes ? 'deleted' : 'sent',
        variant: 'danger',
      },
      {
        side: 'theirs',
        label: deletes ? 'Keep everything' : 'Discard my change',
        words: deletes ? 'kept' : 'discarded',
        variant: 'primary',
      },
    ]
  if (!conflict.remote)
    return [
      { side: 'mine', label: 'Restore with my changes', words: 'restored with your changes', variant: 'primary' },
      { side: 'theirs', label: 'Leave deleted', words: 'deleted' },
    ]
  if (deletes)
    return [
      { side: 'mine', label: 'Delete anyway', words: 'deleted', variant: 'danger' },
      { side: 'theirs', label: 'Keep with their changes', words: 'kept with their changes', variant: 'primary' },
    ]
  return [
    { side: 'mine', label: moved ? `Move to “${moved.mine}”` : 'Keep mine', words: 'kept yours', variant: 'primary' },
    { side: 'theirs', label: moved ? `Leave in “${moved.theirs}”` : 'Keep theirs', words: 'kept theirs' },
  ]
}
