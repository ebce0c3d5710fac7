import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { criteriaOf } from '#shared/figures/planned'
import type { Report } from '#shared/wire/trafficking/types'
import type { Client } from '../services/client'

/** A trafficking report and the profile through which it is seen. */
export interface Definition {
  profileId: string
  report: Report
}

/** Reports of every profile of the account, in the order in which the service gives them. @throws FaultError */
export async function definitionsOf(client: Client, signal?: AbortSignal): Promise<Definition[]> {
  const profiles = await client.call('trafficking.userProfiles.list', {}, { signal })
  const found = new Map<string, Definition>()
  for (const { profileId } of profiles.body.items ?? []) {
    if (profileId === undefined) continue
    const pages = client.pages('trafficking.reports.list', { profileId, scope: 'ALL', maxResults: 10 }, { signal })
    for await (const { body } of pages)
      for (const report of body.items ?? [])
        // Profiles of one account see the same reports.
        if (report.id !== undefined && !found.has(report.id)) found.set(report.id, { profileId, report })
  }
  return [...found.values()]
}

/** The report of this id or name. @throws FaultError `invalid` where there is none, or several of the name */
export function definitionNamed(all: readonly Definition[], wanted: string): Definition {
  const byId = all.find(({ report }) => report.id === wanted)
  if (byId) return byId
  const same = (text: string | undefined): boolean => text?.trim().toLowerCase() === wanted.trim().toLowerCase()
  const named = all.filter(({ report }) => same(report.name))
  if (named.length === 1) return named[0]!
  if (named.length > 1) {
    const ids = named.map(({ report }) => report.id).join(', ')
    throw new FaultError({
      code: 'invalid',
      message: `Several reports are called “${wanted}”. Name one by its id: ${ids}.`,
    })
  }
  const known = all.flatMap(({ report }) => report.name ?? []).slice(0, 5)
  const hint = known.length > 0 ? ` There are: ${known.join(' · ')}${all.length > known.length ? ' …' : ''}` : ''
  throw new FaultError({ code: 'invalid', message: `There is no report “${wanted}”.${hint}` })
}

/** The days of a report: `LAST_30_DAYS`, or `2026-10-01 to 2026-10-31`. */
export function rangeOf(report: Report): string {
  const range = criteriaOf(report as JsonObject).dateRange as JsonObject | undefined
  const { relativeDateRange, startDate, endDate } = (range ?? {}) as Record<string, string | undefined>
  return relativeDateRange ?? (startDate !== undefined && endDate !== undefined ? `${startDate} to ${endDate}` : '')
}
