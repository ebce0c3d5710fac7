import type { JsonObject } from '#shared/json'
import type { Person, Service } from '../operation'
import { profilesOf } from './profiles'

/** Collections of bookkeeping records, which the dump omits. */
const left = new Set(['changeLogs', 'userProfiles'])

/** Objects in a person's accounts, by collection and ID, without times of change. */
export function dumpTrafficking(service: Service, person: Person): Record<string, JsonObject> {
  const accounts = new Set(profilesOf(service, person.id).map((profile) => profile.accountId))
  const dump: Record<string, JsonObject> = {}
  const sql = 'SELECT collection, id, data FROM objects ORDER BY collection, number, id'
  for (const { collection, id, data } of service.store.all<{ collection: string; id: string; data: string }>(sql)) {
    const { lastModifiedInfo: _modified, createInfo: _created, ...object } = JSON.parse(data) as JsonObject
    if (left.has(collection) || (object.accountId !== undefined && !accounts.has(object.accountId))) continue
    const list = (dump[collection] ??= {})
    list[id] = object
  }
  return dump
}
