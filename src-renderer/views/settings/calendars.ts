import type { JsonObject } from '#shared/json'
import type { EventReminder } from '#shared/wire/calendar/types'
import type { Row, Upon } from '../../replica/api'
import { byName } from '../../ui/by-name'
import { plainColor } from '../../ui/colors'
import { roleLabel, roles } from '../../context/calendar-access'
import { calendarName } from '../../context/calendar-name'

export interface OwnCalendar {
  id: string
  name: string
  color: string
  role: string
  primary: boolean
  timeZone: string
  row: Row
}

const text = (value: JsonObject, name: string): string => (typeof value[name] === 'string' ? value[name] : '')

export function ownCalendars(rows: readonly Row[]): OwnCalendar[] {
  return rows
    .flatMap((row): OwnCalendar[] => {
      const value = row.value
      if (!value || value['deleted'] === true) return []
      return [
        {
          id: row.id,
          name: calendarName(row),
          color: text(value, 'backgroundColor') || plainColor,
          role: text(value, 'accessRole') || 'reader',
          primary: value['primary'] === true,
          timeZone: text(value, 'timeZone'),
          row,
        },
      ]
    })
    .sort(
      (a, b) =>
        Number(b.primary) - Number(a.primary) ||
        Number(b.role === 'owner') - Number(a.role === 'owner') ||
        byName(a, b),
    )
}

export const sameReminders = (a: EventReminder, b: EventReminder): boolean =>
  a.method === b.method && a.minutes === b.minutes

/** Minutes before the start that another reminder gets. */
export const usualReminder = (reminders: readonly EventReminder[]): number =>
  [10, 30, 60, 1440].find((minutes) => !reminders.some((one) => sameReminders(one, { method: 'popup', minutes }))) ?? 0

/** Roles that a share can have. The public can only read. */
export function rolesFor({ scope, role }: Pick<Share, 'scope' | 'role'>): { value: string; label: string }[] {
  const offered = scope['type'] === 'default' ? roles.slice(0, 2) : roles
  const none = { value: 'none', label: 'No access' }
  const other = [...roles, none].find(({ value }) => value === role) ?? { value: role, label: roleLabel(role) }
  return [...new Set([...offered, other, none])]
}

export const roleRank = (role: string): number =>
  ['none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'].indexOf(role)
export const roleMay = (role: string): string =>
  roles.find((one) => one.value === role)?.may ?? (role === 'none' ? 'has no access' : `has the role ${role}`)

export interface Share {
  key: string | null
  who: string
  scope: JsonObject
  role: string
  row: Row | null
}

const whoIs = (scope: JsonObject, id: string): string =>
  scope['type'] === 'default' ? 'Everyone' : String(scope['value'] ?? id)

export function sharesOf(rows: readonly Row[]): Share[] {
  return rows.flatMap((row): Share[] => {
    const value = row.value
    const scope = (value?.['scope'] ?? {}) as JsonObject
    if (!value || value['role'] === 'none') return []
    return [
      {
        key: row.key,
        who: whoIs(scope, row.id),
        scope,
        role: String(value['role'] ?? 'reader'),
        row,
      },
    ]
  })
}

/** An unsaved role for a share, with the share at that time. */
export interface RolePick extends Upon {
  key: string
  /** null to remove access. */
  role: string | null
  scope: JsonObject
}
export type PickedShare = Share & { pick?: RolePick | undefined }

/**
 * Shares with the unsaved roles for them. A share that was removed since stays, without a row, while it has an unsaved role.
 */
export function withPicks(
  shares: readonly Share[],
  picks: readonly RolePick[],
  keyNow: (key: string) => string,
): PickedShare[] {
  const byKey = new Map(picks.map((pick) => [keyNow(pick.key), pick]))
  const found = shares.map((share): PickedShare => ({ ...share, pick: byKey.get(share.key ?? '') }))
  for (const { key } of shares) byKey.delete(key ?? '')
  for (const [key, pick] of byKey)
    if (pick.role !== null && pick.scope['type'] !== undefined)
      found.push({ key, who: whoIs(pick.scope, key), scope: pick.scope, role: 'none', row: null, pick })
  return found
}

/** Describes a change of access in one sentence. Empty if nothing changes. */
export function shareSentence(who: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  if (after === null) return `${who} will lose all access.`
  if (before === null) return `${who} will have access, and ${roleMay(after)}.`
  return roleRank(after) > roleRank(before)
    ? `${who} will have more access, and ${roleMay(after)}.`
    : `${who} will have less access, and ${roleMay(after)}.`
}
