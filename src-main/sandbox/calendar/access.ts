import type { Calendar } from '#shared/wire/calendar/types'
import type { Call, Person } from '../operation'
import { Problem, notFound } from '../problems'
import type { Store } from '../store'

export const roles = ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const
export type Role = (typeof roles)[number]

/** Minimum role of writers. They also see who a calendar is shared with. Only owners can change that. */
export const minWriter: Role = 'writerWithoutPrivateAccess'

export const atLeast = (role: Role, wanted: Role): boolean => roles.indexOf(role) >= roles.indexOf(wanted)

export interface CalendarRow {
  id: string
  owner: string
  is_primary: number
  deleted: number
  changed: number
  data: string
}

/** A stored calendar with the caller's role. */
export interface OpenCalendar {
  id: string
  owner: string
  primary: boolean
  changed: number
  data: Calendar & { timeZone: string }
  role: Role
}

const calendarSql = 'SELECT * FROM calendars WHERE id = ? AND deleted = 0'

export function findCalendar(store: Store, person: Person, id: string): OpenCalendar | undefined {
  const row = store.get<CalendarRow>(calendarSql, id === 'primary' ? person.email : id)
  return row && openRow(store, person, row)
}

export function openRow(store: Store, person: Person, row: CalendarRow): OpenCalendar {
  return {
    id: row.id,
    owner: row.owner,
    primary: row.is_primary === 1,
    changed: row.changed,
    data: JSON.parse(row.data) as OpenCalendar['data'],
    role: roleOf(store, person, row),
  }
}

/**
 * Opens the calendar a call names, `primary` included. @throws Problem 404 if the caller can't see it, 403
 * `requiredAccessLevel` if the role is too low
 */
export function openCalendar(call: Call, id: string, wanted: Role): OpenCalendar {
  const calendar = findCalendar(call.service.store, call.person, id)
  if (!calendar || calendar.role === 'none') throw notFound()
  requireRole(calendar, wanted)
  return calendar
}

export function requireRole(calendar: OpenCalendar, wanted: Role): void {
  if (atLeast(calendar.role, wanted)) return
  const message = `You need to have ${wanted === minWriter ? 'writer' : wanted} access to this calendar.`
  throw new Problem(403, 'requiredAccessLevel', message, { domain: 'calendar' })
}

function roleOf(store: Store, person: Person, row: CalendarRow): Role {
  if (row.owner === person.email) return 'owner'
  const rules = store.all<{ rule: string; role: Role }>('SELECT rule, role FROM acl WHERE calendar = ?', row.id)
  let best: Role = 'none'
  for (const { rule, role } of rules) if (atLeast(role, best) && concerns(store, rule, person)) best = role
  return best
}

function concerns(store: Store, rule: string, person: Person): boolean {
  const at = rule.indexOf(':')
  const [type, value] = at < 0 ? [rule, ''] : [rule.slice(0, at), rule.slice(at + 1)]
  if (type === 'default') return true
  if (type === 'user') return value === person.email
  if (type === 'domain') return person.email.endsWith(`@${value}`)
  return store.get('SELECT 1 FROM groups WHERE email = ? AND member = ?', value, person.email) !== undefined
}
