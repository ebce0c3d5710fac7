import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'

/** Calendars that are shown together under a name that is unique, ignoring case. */
export interface CalendarSet extends Shown {
  name: string
}
export interface Shown {
  /** IDs of the calendars. */
  calendars: readonly string[]
  tasks: boolean
}

export const maxSetName = 100
/** They share a storage of a few megabytes with all settings. */
export const maxSets = 100

const schema = z.strictObject({
  name: z.string().trim().min(1).max(maxSetName),
  calendars: z.array(z.string().min(1).max(1_000)).max(2_000),
  tasks: z.boolean(),
})

/** Stored sets. Those that can't be read are left out, and so is the second of two with the same name. */
export function readSets(stored: unknown): CalendarSet[] {
  const found = new Map<string, CalendarSet>()
  for (const one of Array.isArray(stored) ? stored : []) {
    const read = safeParse(schema, one)
    if (read.success && !found.has(plainName(read.data.name))) found.set(plainName(read.data.name), read.data)
  }
  return [...found.values()].slice(0, maxSets)
}

/** Stored sets that can't be read, such as those of a newer version. */
export const unreadSets = (stored: unknown): unknown[] =>
  Array.isArray(stored) ? stored.filter((one) => !safeParse(schema, one).success) : []

const plainName = (name: string): string => name.trim().toLowerCase()

export const findSet = (sets: readonly CalendarSet[], name: string): CalendarSet | undefined =>
  sets.find((one) => plainName(one.name) === plainName(name))

/** Why a set can't get a name. Undefined if it can. `own`: its name until now. */
export function setNameProblem(sets: readonly CalendarSet[], name: string, own?: string): string | undefined {
  if (name.trim() === '') return 'Enter a name'
  const other = findSet(sets, name)
  return other && other.name !== own ? 'Another set has this name' : undefined
}

/** The sets with one in place of that of the name `before`, or added. In the order of their names. */
export function withSet(sets: readonly CalendarSet[], set: CalendarSet, before = set.name): CalendarSet[] {
  const made = { name: set.name.trim(), calendars: [...set.calendars], tasks: set.tasks }
  return [...sets.filter((one) => one.name !== before), made].sort((a, b) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  )
}

/** Calendars to hide when a set is shown. Calendars of other accounts are unaffected. */
export function hiddenWith(set: Shown, all: readonly string[], hidden: readonly string[]): string[] {
  const [own, shown] = [new Set(all), new Set(set.calendars)]
  return [...hidden.filter((id) => !own.has(id)), ...all.filter((id) => !shown.has(id))]
}

/** True if a set shows what is shown. Calendars that are gone don't count. */
export function isShown(set: Shown, now: Shown, all: readonly string[]): boolean {
  const there = set.calendars.filter((id) => all.includes(id))
  return (
    set.tasks === now.tasks && there.length === now.calendars.length && there.every((id) => now.calendars.includes(id))
  )
}
