import { FaultError, type Fault, type FaultCode } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { criteriaOf } from '#shared/figures/planned'
import type { Report } from '#shared/wire/trafficking/types'
import type { Client } from '../services/client'

/** A trafficking report and the profile through which it is seen. */
export interface Definition {
  profileId: string
  report: Report
}

/** A profile whose reports the service did not give. */
export interface UnreadProfile {
  profileId: string
  name: string
  fault: Fault
}

/** Who may not see a profile, or one that is gone, may see the others. */
const ofOneProfile: ReadonlySet<FaultCode> = new Set<FaultCode>(['forbidden', 'notFound'])

/**
 * Reports of every profile of the account, in the order in which the service gives them. `unread` hears of each profile that
 * it refused; where it refuses all of them, that is thrown. @throws FaultError
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
          // Profiles of one account see the same reports.
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

/** One line on it, for people. */
export const unreadWords = ({ profileId, name, fault }: UnreadProfile): string =>
  `Couldn’t load the reports of ${name === '' ? `profile ${profileId}` : `${name} (${profileId})`}. ${fault.message}`

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
      message: `Several reports are named “${wanted}”. Use an ID instead: ${ids}.`,
    })
  }
  const known = all.flatMap(({ report }) => report.name ?? []).slice(0, 5)
  const hint = known.length > 0 ? ` Available reports: ${known.join(' · ')}${all.length > known.length ? '…' : ''}` : ''
  throw new FaultError({ code: 'invalid', message: `No report is named “${wanted}”.${hint}` })
}

/** The days of a report: `LAST_30_DAYS`, or `2026-10-01 to 2026-10-31`. */
export const rangeOf = (report: Report): string => rangeText(criteriaOf(report as JsonObject).dateRange)

/** The same of the range alone; '' where there is none. */
export function rangeText(range: unknown): string {
  const { relativeDateRange, startDate, endDate } = (range ?? {}) as Record<string, string | undefined>
  return relativeDateRange ?? (startDate !== undefined && endDate !== undefined ? `${startDate} to ${endDate}` : '')
}
