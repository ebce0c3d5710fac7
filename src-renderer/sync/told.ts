import { recordKey } from '#shared/domain/collections'
import type { Notice } from '../replica/api'
import type { Memory } from '../replica/memory'
import type { Slip } from './follow'
import type { Pulled } from './pull'
import type { Target } from './targets'

/** What the person is told once a target has been read. */
export function noticesOf(memory: Memory, target: Target, pulled: Pulled, at: number): Notice[] {
  return [
    ...(pulled.refilled ? [refilledNotice(target, at)] : []),
    ...pulled.slips.map((slip) => slipNotice(slip, at)),
    ...(pulled.unreadable.length > 0 ? [unreadableRecordsNotice(memory, target, pulled.unreadable, at)] : []),
  ]
}

function refilledNotice({ collection }: Target, at: number): Notice {
  return {
    id: `refilled-${collection}`,
    level: 'info',
    title: 'Fetched again from the service',
    text: `The service no longer knew where this computer had stopped reading (${collection}), so everything was read again. Nothing unsent was touched. There is nothing to do.`,
    at,
  }
}

/** Reports both values of a lost update, so that the one that is gone can be restored. */
function slipNotice({ id, label, field, mine, theirs, who = 'Someone else' }: Slip, at: number): Notice {
  const said = (value: string): string => (value === '' ? 'nothing' : `“${value}”`)
  const before = `just before your change “${plain(label)}”`
  const unseen = 'Your value is on the server now, and neither of you had seen the other’s.'
  // A list or an object would be unreadable here.
  const text = /^[[{]/.test(theirs + mine)
    ? `${who} changed ${field} ${before} replaced it. ${unseen} Theirs is in the change log.`
    : `${who} set ${field} to ${said(theirs)} ${before} set it to ${said(mine)}. ${unseen} If theirs is right, set it to ${said(theirs)} again.`
  return {
    id: `slip-${id}`,
    level: 'warning',
    title: 'Changed by two people at the same moment',
    text,
    at,
  }
}

const plain = (label: string): string => label.replaceAll('*', '')

function unreadableRecordsNotice(
  memory: Memory,
  { key, collection, parent }: Target,
  unreadable: Pulled['unreadable'],
  at: number,
): Notice {
  const count = unreadable.length === 1 ? 'One record' : `${unreadable.length} records`
  const fields = [...new Set(unreadable.map(({ path }) => path || 'the whole record'))].slice(0, 3).join(', ')
  return {
    id: `unread-${key}`,
    level: 'warning',
    title: 'Some of what the service sent could not be read',
    text: `${count}${within(memory, collection, parent)} came in a form that the interface does not know (${fields}). What this computer had of them was kept as it was; everything else was taken. They are read again when they change on the service.`,
    at,
  }
}

/** ` in “Team”`, where the calendar or list has a name here. */
function within(memory: Memory, collection: Target['collection'], parent: string | null): string {
  const owner = memory.facts.of(collection).parent
  const value = owner && parent !== null ? memory.row(recordKey(owner.collection, null, parent))?.value : undefined
  const name = value?.['summary'] ?? value?.['title']
  return typeof name === 'string' && name !== '' ? ` in “${name}”` : ''
}
