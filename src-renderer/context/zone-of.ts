import { isZone } from '#shared/time/zones'
import type { Replica } from '../replica/api'

/** A value of the service’s `settings` collection. */
export function serviceSetting(replica: Pick<Replica, 'rows'>, id: string): string | undefined {
  const value = replica.rows('settings').find((row) => row.id === id)?.value?.['value']
  return typeof value === 'string' ? value : undefined
}

/**
 * The zone in which an account’s times are shown.
 * @param chosen `service`, `computer`, or an IANA name
 */
export function zoneFor(chosen: string, replica: Pick<Replica, 'rows'>, computerZone: string): string {
  const own = isZone(computerZone) ? computerZone : 'UTC'
  const wanted = chosen === 'service' ? serviceSetting(replica, 'timezone') : chosen === 'computer' ? own : chosen
  return wanted && isZone(wanted) ? wanted : own
}
