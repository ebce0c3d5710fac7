import {
  collectionNames,
  collections,
  isLocalId,
  recordKey,
  parseRecordKey,
  type CollectionName,
} from '#shared/domain/collections'
import { dateOfWall, wallOfText } from '#shared/time/zones'
import { linkPrefix } from './prefix'

/** Addresses that open something in Flightplan: `flightplan://record/events/team%40example/abc`. */

/** Views that links may open. */
export const linkedViews = ['calendar', 'tasks', 'campaigns', 'reports', 'search-ads', 'sync', 'settings'] as const
export type LinkedView = (typeof linkedViews)[number]

export type Link =
  /** `item` is an occurrence of a series, and `day` the wall midnight to show. */
  { to: 'record'; key: string; day?: number } | { to: 'view'; view: LinkedView } | { to: 'date'; day: number }

const maxLength = 2_000
const safePart = /^[^\u0000-\u001f\u007f]{1,500}$/

/** The address of a record, view, or date. Undefined for a record that only this computer knows. */
export function linkText(link: Link): string | undefined {
  if (link.to === 'view') return `${linkPrefix}view/${link.view}`
  if (link.to === 'date') return `${linkPrefix}date/${dateOfWall(link.day)}`
  const { collection, parent, id } = parseRecordKey(link.key)
  if (isLocalId(id) || (parent !== null && isLocalId(parent))) return undefined
  const path = [collection, parent ?? '-', id].map(encodeURIComponent).join('/')
  return `${linkPrefix}record/${path}${link.day === undefined ? '' : `?day=${dateOfWall(link.day)}`}`
}

/** Reads an address that came from outside. Returns null for anything but a whole and plain one. */
export function readLink(text: string): Link | null {
  if (text.length > maxLength || !text.toLowerCase().startsWith(linkPrefix)) return null
  const [path = '', query = '', ...rest] = text.slice(linkPrefix.length).split('?')
  if (rest.length > 0 || text.includes('#')) return null
  const parts = partsOf(path)
  if (!parts) return null
  const [to, ...where] = parts
  if (to === 'view' && where.length === 1 && query === '') {
    const view = linkedViews.find((view) => view === where[0])
    return view ? { to, view } : null
  }
  if (to === 'date' && where.length === 1 && query === '') {
    const day = dayOf(where[0]!)
    return day === null ? null : { to, day }
  }
  if (to !== 'record' || where.length !== 3) return null
  const [name, parent, id] = where as [string, string, string]
  if (!collectionNames.includes(name as CollectionName) || isLocalId(id) || isLocalId(parent)) return null
  if ((parent === '-') === (collections[name as CollectionName].parent !== undefined)) return null
  const key = recordKey(name as CollectionName, parent === '-' ? null : parent, id)
  if (query === '') return { to, key }
  const day = query.startsWith('day=') ? dayOf(query.slice(4)) : null
  return day === null ? null : { to, key, day }
}

/** Parts of a path, unescaped. Null if one is empty or has control characters. */
function partsOf(path: string): string[] | null {
  try {
    const parts = path.replace(/\/$/, '').split('/').map(decodeURIComponent)
    return parts.every((part) => safePart.test(part)) ? parts : null
  } catch {
    return null
  }
}

function dayOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  try {
    return wallOfText(text)
  } catch {
    return null
  }
}
