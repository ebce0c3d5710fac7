import { isJsonObject, type Json } from '#shared/json'
import type { Replica } from '../replica/api'

/** Time zone and currency of an advertising account. */
export interface AccountTerms {
  /** The zone in which its ads start and end, and its reports count days. */
  zone?: string
  /** Three letters, as in `EUR`. */
  currency?: string
}

/** Returns the terms of the account of a user profile. Those that aren't downloaded yet are missing. */
export function accountTerms(replica: Pick<Replica, 'rows' | 'facts'>, profile: string | null): AccountTerms {
  const facts = replica.facts.find('accounts')
  if (!facts || profile === null) return {}
  const accountId = replica.rows('userProfiles').find(({ id }) => id === profile)?.value?.['accountId']
  const account = replica.rows('accounts', profile).find(({ id }) => id === accountId)?.value
  const configuration = account?.['reportsConfiguration']
  const labelOf = (schema: string, field: string, value: Json | undefined): string | undefined =>
    facts.table.schemas[schema]?.fields[field]?.labels?.[String(value)]
  const zoneId = isJsonObject(configuration) ? configuration['reportGenerationTimeZoneId'] : undefined
  const zone = labelOf('ReportsConfiguration', 'reportGenerationTimeZoneId', zoneId)
  const currency = labelOf('Account', 'currencyId', account?.['currencyId'])
  return { ...(zone !== undefined && { zone }), ...(currency !== undefined && { currency }) }
}
