import type { z } from 'zod'
import { safeParse } from '#shared/safe-parse'

/**
 * Data that the window stores for each account, by name: typed text that isn't saved elsewhere, answers of the service, and the
 * profiles whose lists were requested.
 */
const names = ['default-list', 'drafts', 'free-busy', 'lines', 'listed-profiles', 'roles', 'unwritten'] as const
type Name = (typeof names)[number]

const keyOf = (name: Name, accountId: string): string => `flightplan.${name}.${accountId}`

/** Undefined if nothing is stored, or if it's damaged. */
export function readStored(storage: Pick<Storage, 'getItem'>, name: Name, accountId: string): unknown {
  try {
    return JSON.parse(storage.getItem(keyOf(name, accountId)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** The valid entries of a stored list. */
export function readStoredList<Entry extends z.ZodType>(
  storage: Pick<Storage, 'getItem'>,
  name: Name,
  accountId: string,
  entry: Entry,
): z.output<Entry>[] {
  const list = readStored(storage, name, accountId)
  return Array.isArray(list)
    ? list.map((one) => safeParse(entry, one)).flatMap((read) => (read.success ? [read.data] : []))
    : []
}

/** Stores a JSON value. @returns false if storage is full */
export function writeStored(storage: Pick<Storage, 'setItem'>, name: Name, accountId: string, value: unknown): boolean {
  try {
    storage.setItem(keyOf(name, accountId), JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Deletes what the window stored of an account that was removed. */
export function forgetAccount(storage: Pick<Storage, 'removeItem'>, accountId: string): void {
  for (const name of names) storage.removeItem(keyOf(name, accountId))
}
