import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Service } from '../operation'
import { people } from '../people'
import { invalid } from '../problems'
import { linkId } from './associations'
import { factsOf } from './facts'
import { objectsOf } from './objects'
import type { Stored } from './stored'

/**
 * Replaces all data with one account and one profile of the first person, or adds records to it, with the content and IDs that
 * another service returned. Checks nothing.
 * @param body `profile`: a user profile, which replaces everything. `records`: `{collection, id, value}` in the account `accountId`
 * @throws Problem 400
 */
export function loadTrafficking({ store }: Service, body: JsonObject): JsonObject {
  const { profile, accountId, records = [] } = body
  if (typeof accountId !== 'string') throw invalid('accountId must be text', 'accountId')
  if (!Array.isArray(records)) throw invalid('records must be a list', 'records')
  return store.transaction(() => {
    if (isJsonObject(profile)) {
      store.wipe()
      for (const { id, email, name } of people) store.put('people', { id, email, name })
    }
    const objects = objectsOf(store)
    if (isJsonObject(profile)) {
      const id = String(profile.profileId)
      objects.put('userProfiles', { ...profile, id, person: people[0]!.id, accountId })
    }
    for (const record of records) {
      const { collection, object } = readRecord(record, accountId)
      objects.put(collection, object)
      objects.passId(collection, object.id)
    }
    return { loaded: records.length }
  })
}

function readRecord(record: Json, accountId: string): { collection: string; object: Stored } {
  if (!isJsonObject(record)) throw invalid('A record must be an object', 'records')
  const { collection, id, value } = record
  if (typeof collection !== 'string' || typeof id !== 'string' || !isJsonObject(value))
    throw invalid('A record needs a collection, an id, and a value', 'records')
  const { kind: _kind, ...fields } = value
  const { campaignId, creativeId } = fields
  const own =
    collection === 'campaignCreativeAssociations' ? { id: linkId(String(campaignId), String(creativeId)) } : { id }
  return { collection, object: { ...(!factsOf(collection).shared && { accountId }), ...fields, ...own } }
}
