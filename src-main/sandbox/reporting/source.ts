import { isJsonObject, type JsonObject } from '#shared/json'
import { tableOf } from '#shared/wire/services'
import { schemaOf } from '#shared/wire/validate'
import { wallOfInstant } from '#shared/time/zones'
import type { Service } from '../operation'
import { objectsOf } from '../trafficking/objects'
import { momentAt } from './delivery'
import { insertedConversions } from './inserted'
import type { Source } from './query'
import { readTree } from './tree'

const zones = schemaOf(tableOf('trafficking'), 'ReportsConfiguration').fields.reportGenerationTimeZoneId?.labels ?? {}

/** Time zone of the days in an account's reports. */
export function reportZone(service: Service, accountId: string): string {
  const account = objectsOf(service.store).get('accounts', accountId)
  const configuration = account?.reportsConfiguration
  const id = isJsonObject(configuration) ? String(configuration.reportGenerationTimeZoneId as string) : ''
  return zones[id] ?? zones['1'] ?? 'America/New_York'
}

export interface AccountSource extends Source {
  accountId: string
  zone: string
  /** Wall-clock time in that zone, as if it were UTC. */
  wall: number
}

/** An account's current campaigns, with everything reports need. */
export function sourceOf(service: Service, accountId: string, instant: number = service.store.now): AccountSource {
  const objects = objectsOf(service.store)
  const zone = reportZone(service, accountId)
  const wall = wallOfInstant(instant, zone)
  const own = (object: JsonObject): boolean => object.accountId === undefined || object.accountId === accountId
  const tree = readTree((collection) => objects.list(collection).filter(own))
  return { accountId, zone, wall, tree, moment: momentAt(wall), inserted: insertedConversions(service, tree, zone) }
}
