import { FaultError, type Fault, type FaultCode } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { criteriaOf } from '#shared/pacing/planned'
import type { Report } from '#shared/wire/trafficking/types'
import type { Client } from '../services/client'

/** Trafficking report and the profile that lists it. */
export interface Definition {
  profileId: string
  report: Report
}

/** Profile whose reports couldn't be loaded. */
export interface UnreadProfile {
  profileId: string
  name: string
  fault: Fault
}

/** Errors that affect one profile only. */
const ofOneProfile: ReadonlySet<FaultCode> = new Set<FaultCode>(['forbidden', 'notFound'])

/**
 * Reports of all profiles of the account, in the service's order. Calls `unread` for each profile that fails. If all of
 * them fail, throws the first error. @throws FaultError
 */
export async function definitionsOf(
  client: Client,
  unread: (profile: UnreadProfile) => void,
  signal?: AbortSignal,
): Promise<Definition[]> {
  const profiles = await client.call('trafficking.userProfiles.list', {}, { signal })
  const found = new Map<string, Definition>()
  let read = 0
  let refusal: FaultError | undefined
  for (const { profileId, userName, accountName } of profiles.body.items ?? []) {
    if (profileId === undefined) continue
    try {
      const pages = client.pages('trafficking.reports.list', { profileId, scope: 'ALL', maxResults: 10 }, { signal })
      for await (const { body } of pages)
        for (const report of body.items ?? [])
          // Profiles of one account list the same reports.
          if (report.id !== undefined && !found.has(report.id)) found.set(report.id, { profileId, report })
      read++
    } catch (error) {
      if (!(error instanceof FaultError) || !ofOneProfile.has(error.fault.code)) throw error
      refusal ??= error
      unread({ profileId, name: [userName, accountName].filter(Boolean).join(', '), fault: error.fault })
    }
  }
  if (refusal && read === 0) throw refusal
  return [...found.values()]
}

/** Error message for such a profile. */
export const unreadWords = ({ profileId, name, fault }: UnreadProfile): string =>
  `Couldn’t load reports for ${name === '' ? `profile ${profileId}` : `${name} (${profileId})`}. ${fault.message}`

/** Finds a report by ID or name. @throws FaultError `invalid` if none or several match */
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
      message: `Several reports are named “${wanted}”. Use an ID instead: ${ids}.`,
    })
  }
  const known = all.flatMap(({ report }) => report.name ?? []).slice(0, 5)
  const hint = known.length > 0 ? ` Available reports: ${known.join(' · ')}${all.length > known.length ? '…' : ''}` : ''
  throw new FaultError({ code: 'invalid', message: `No report is named “${wanted}”.${hint}` })
}

/** Date range of a report: `LAST_30_DAYS`, or `2026-10-01 to 2026-10-31`. */
export const rangeOf = (report: Report): string => rangeText(criteriaOf(report as JsonObject).dateRange)

/** Formats a date range, or returns '' without one. */
export function rangeText(range: unknown): string {
  const { relativeDateRange, startDate, endDate } = (range ?? {}) as Record<string, string | undefined>
  return relativeDateRange ?? (startDate !== undefined && endDate !== undefined ? `${startDate} to ${endDate}` : '')
}
