import type { Collection } from '#shared/facts/collection'
import { placeOfLog } from '#shared/facts/log'
import type { JsonObject } from '#shared/json'
import { isServerOwned } from '#shared/merge/rules'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Client } from '../services/client'
import { pagesOf } from './read'

/** Answers from a service's change log about who created records. Calls throw FaultError. */
export interface CreationLog {
  /** IDs of the records created under this profile with a title, whatever their current name. */
  createdHere(title: string): Promise<string[]>
  /** True if a record was created with every plain value of a patch, whatever its current values. */
  createdWith(id: string, patch: JsonObject): Promise<boolean>
  /** True if the log has the creation of a record, by anyone. */
  has(id: string): Promise<boolean>
}

/** Action of a creation in the log. */
const action = 'ACTION_CREATE'

/** @param counted called for each page that is read */
export function creationLog(
  client: Client,
  log: Collection,
  facts: Collection,
  { parent }: Pick<OutboxEntry, 'parent'>,
  counted: () => void,
): CreationLog {
  const by = log.log!
  const { objectType, title: titleField, rules } = facts
  // A log is stored under the profile that made the changes.
  const profile = placeOfLog(log, facts, parent)
  const rowsOf = async (narrowed: JsonObject): Promise<JsonObject[]> => {
    const rows: JsonObject[] = []
    for await (const { records } of pagesOf(client, log, profile, { [by.type]: objectType!, action, ...narrowed })) {
      counted()
      rows.push(...records.map(({ body }) => body))
    }
    return rows.filter((row) => row[by.type] === objectType && row['action'] === action)
  }
  const creationOf = async (id: string): Promise<JsonObject[]> =>
    (await rowsOf({ objectIds: [id] })).filter((row) => row[by.id] === id)
  return {
    async createdHere(title) {
      const rows = await rowsOf({ userProfileIds: [profile], searchString: title })
      const own = rows.filter(
        (row) => row[by.whoId] === profile && row[by.field] === titleField && row[by.after] === title,
      )
      return [...new Set(own.map((row) => String(row[by.id])))]
    },
    async createdWith(id, patch) {
      const created = new Map((await creationOf(id)).map((row) => [row[by.field], row[by.after]]))
      const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
      return Object.entries(patch)
        .filter(([field, value]) => !isServerOwned(rules, field) && isPlain(value) && value !== '')
        .every(([field, value]) => created.get(field) === String(value))
    },
    has: async (id) => (await creationOf(id)).length > 0,
  }
}
