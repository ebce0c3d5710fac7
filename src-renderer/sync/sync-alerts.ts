import { recordKey } from '#shared/domain/collections'
import { fieldNameInside } from '#shared/fields/field-name'
import { currentLabel } from '#shared/former-words'
import type { Notice } from '../replica/api'
import type { Memory } from '../replica/memory'
import type { LostUpdate } from './lost-update'
import type { Pulled } from './pull'
import type { Target } from './targets'

/** Alerts after a target has been read. */
export function alertsFor(memory: Memory, target: Target, pulled: Pulled, at: number): Notice[] {
  return [
    ...(pulled.refilled ? [refilledNotice(memory, target, at)] : []),
    ...pulled.lostUpdates.map((lostUpdate) => lostUpdateAlert(lostUpdate, at)),
    ...(pulled.unreadable.length > 0 ? [unreadableRecordsNotice(memory, target, pulled.unreadable, at)] : []),
  ]
}

function refilledNotice({ facts }: Memory, { collection }: Target, at: number): Notice {
  return {
    id: `refilled-${collection}`,
    level: 'info',
    title: 'Your data was downloaded again',
    text: `The service no longer had the recent changes to your ${facts.of(collection).words.many}, so all of them were downloaded again. Your pending changes are safe.`,
    at,
  }
}

/** Reports both values of a lost update, so that the one that is gone can be restored. */
function lostUpdateAlert(lostUpdate: LostUpdate, at: number): Notice {
  const { id, label, collection, mine, theirs, who = 'Someone else' } = lostUpdate
  const field = fieldNameInside(lostUpdate.field, collection)
  const change = `your change “${plain(label)}”`
  // Lists and objects are unreadable here. The lost text is enough to find it in the change log.
  const isText = !/^[[{]/.test(theirs + (mine ?? ''))
  const theirChange = isText ? `${who} set the ${field} to ${quoted(theirs)}` : `${who} changed the ${field}`
  const gone = isText ? [] : lostTexts(theirs, mine ?? '')
  const version =
    gone.length > 0
      ? `Their version contained ${list(gone)}. It’s in the change log.`
      : 'Their version is in the change log.'
  const unseen = 'Your value is on the server now. Neither of you had seen the other’s change.'
  const text =
    mine === null
      ? `${theirChange}, and you deleted the record a moment later (“${plain(label)}”) without seeing their change. If it’s still needed, create it again.${isText ? '' : ` ${version}`}`
      : isText
        ? `${theirChange}, and ${change} set it to ${quoted(mine)} a moment later. ${unseen} To restore theirs, change it back to ${quoted(theirs)}.`
        : `${theirChange}, and ${change} replaced it a moment later. ${unseen} ${version}`
  return {
    id: `slip-${id}`,
    level: 'warning',
    title: 'Someone else changed this at the same time',
    text,
    at,
  }
}

const maxTexts = 5

const quoted = (value: string): string => (value === '' ? 'an empty value' : `“${value}”`)

/** Texts and numbers in one JSON text but not in another, without IDs. */
function lostTexts(theirs: string, mine: string): string[] {
  const kept = new Set(leavesOf(mine))
  return [...new Set(leavesOf(theirs))].filter((text) => !kept.has(text))
}

function leavesOf(text: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (!/^id$|Id$/.test(name) && (typeof value === 'string' || typeof value === 'number')) found.push(String(value))
      return value
    })
  } catch {
    return []
  }
  return found
}

const list = (texts: readonly string[]): string => {
  const named = texts.slice(0, maxTexts).map((text) => `“${text}”`)
  const more = texts.length - named.length
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

const plain = (label: string): string => currentLabel(label).replaceAll('*', '')

function unreadableRecordsNotice(
  memory: Memory,
  { key, collection, parent }: Target,
  unreadable: Pulled['unreadable'],
  at: number,
): Notice {
  const fields = [...new Set(unreadable.map(({ path }) => path || 'the whole record'))].slice(0, 3).join(', ')
  const owner = ofOwner(memory, collection, parent)
  return {
    id: `unread-${key}`,
    level: 'warning',
    title: 'Couldn’t read some data from the service',
    text:
      unreadable.length === 1
        ? `The service sent 1 record${owner} in an unknown format (${fields}). Its last readable version is still on this computer, and everything else is up to date. Flightplan will try again when the record changes.`
        : `The service sent ${unreadable.length.toLocaleString('en')} records${owner} in an unknown format (${fields}). Their last readable versions are still on this computer, and everything else is up to date. Flightplan will try again when the records change.`,
    at,
  }
}

/** ` of “Team”`, where the calendar or list has a name here. */
function ofOwner(memory: Memory, collection: Target['collection'], parent: string | null): string {
  const owner = memory.facts.of(collection).parent
  const value = owner && parent !== null ? memory.row(recordKey(owner.collection, null, parent))?.value : undefined
  const name = value?.['summary'] ?? value?.['title']
  return typeof name === 'string' && name !== '' ? ` of “${name}”` : ''
}
