import type { Collection } from '#shared/facts/collection'
import { placeOfLog } from '#shared/facts/log'
import type { JsonObject } from '#shared/json'
import { isServerOwned } from '#shared/merge/rules'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Client } from '../services/client'
import { pagesOf } from './read'

/** What a service's log calls the making of an object. */
const action = 'ACTION_CREATE'

/**
 * Ids of the records that were made under this profile with the name that an entry gave, whatever they are called now.
 * A record that is not among them is somebody else's.
 */
export async function madeHere(
  client: Client,
  log: Collection,
  facts: Collection,
  entry: OutboxEntry,
  [field, name]: readonly [string, string],
  counted: () => void,
): Promise<string[]> {
  const by = log.log!
  const { objectType } = facts
  // A place of a log is the profile that changes are made under.
  const profile = placeOfLog(log, facts, entry.parent)
  const wanted = { [by.type]: objectType!, action, userProfileIds: [profile], searchString: name }
  const said = await rowsOf(client, log, profile, wanted, counted)
  const own = said.filter(
    (row) =>
      row[by.type] === objectType &&
      row['action'] === action &&
      row[by.whoId] === profile &&
      row[by.field] === field &&
      row[by.after] === name,
  )
  return [...new Set(own.map((row) => String(row[by.id])))]
}

/** Whether a record was made with every plain value that an entry gave, whatever it says now. */
export async function wasMadeSo(
  client: Client,
  log: Collection,
  facts: Collection,
  { parent, patch }: OutboxEntry,
  id: string,
  counted: () => void,
): Promise<boolean> {
  const by = log.log!
  const rows = await creationOf(client, log, facts, parent, id, counted)
  const made = new Map(rows.map((row) => [row[by.field], row[by.after]]))
  return Object.entries(patch)
    .filter(
      ([field, value]) => !isServerOwned(facts.rules, field) && ['string', 'number', 'boolean'].includes(typeof value),
    )
    .every(([field, value]) => value === '' || made.get(field) === String(value))
}

/** Whether the log knows who made a record: then it was not a request of this computer that the log is silent about. */
export async function isLogged(
  client: Client,
  log: Collection,
  facts: Collection,
  parent: string | null,
  id: string,
  counted: () => void,
): Promise<boolean> {
  return (await creationOf(client, log, facts, parent, id, counted)).length > 0
}

/** What the log says of the making of a record, a row for each field. */
async function creationOf(
  client: Client,
  log: Collection,
  facts: Collection,
  parent: string | null,
  id: string,
  counted: () => void,
): Promise<JsonObject[]> {
  const by = log.log!
  const { objectType } = facts
  const wanted = { [by.type]: objectType!, action, objectIds: [id] }
  const said = await rowsOf(client, log, placeOfLog(log, facts, parent), wanted, counted)
  return said.filter((row) => row[by.type] === objectType && row['action'] === action && row[by.id] === id)
}

async function rowsOf(
  client: Client,
  log: Collection,
  parent: string | null,
  wanted: JsonObject,
  counted: () => void,
): Promise<JsonObject[]> {
  const rows: JsonObject[] = []
  for await (const { records } of pagesOf(client, log, parent, wanted)) {
    counted()
    rows.push(...records.map(({ body }) => body))
  }
  return rows
}
