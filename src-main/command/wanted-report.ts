import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import { relativeRanges } from '#shared/facts/report-ranges'
import { reportTypes } from '#shared/facts/report-types'
import { FaultError } from '#shared/fault'
import { criteriaOf } from '#shared/pacing/planned'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Report } from '#shared/wire/trafficking/types'
import { definitionNamed, definitionsOf, unreadWords, type Definition } from '../reports/definitions'
import type { Client } from '../services/client'
import type { Days, Wanted } from './arguments'

export interface Asking {
  client: Client
  signal: AbortSignal
  tell: (words: string) => void
}

/**
 * The report to run. For a template or other dates, creates a report on the server, which later commands reuse.
 * Existing reports never change.
 * @throws FaultError
 */
export async function wantedReport(wanted: Wanted, { client, signal, tell }: Asking): Promise<Definition> {
  const all = await definitionsOf(client, (profile) => tell(unreadWords(profile)), signal)
  const found = 'report' in wanted ? definitionNamed(all, wanted.report) : undefined
  const starter = 'starter' in wanted ? starterNamed(wanted.starter) : undefined
  if (found && !wanted.days) return found
  const asked = (plain: JsonObject): JsonObject => (wanted.days ? withDays(plain, wanted.days) : plain)
  const report = asked(found ? copyOf(found.report as JsonObject) : reportOfStarter(starter!))
  const former = starter?.formerName && asked({ ...reportOfStarter(starter), name: starter.formerName })
  const made = all.find((one) => [report, former].some((like) => like && holds(one.report as JsonObject, like)))
  if (made) return made
  const profileId = found?.profileId ?? all[0]?.profileId ?? (await firstProfile(client, signal))
  const { body } = await client.call('trafficking.reports.insert', { profileId }, { body: report as Report, signal })
  tell(`Created the report “${body.name}”`)
  return { profileId, report: body }
}

/** Fields that the service sets itself, and the schedule. */
const own = new Set([
  ...['id', 'kind', 'etag', 'lastModifiedTime', 'fileName', 'ownerProfileId', 'accountId', 'subAccountId'],
  ...['schedule', 'delivery'],
])
const copyOf = (report: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(report).filter(([name]) => !own.has(name)))

function withDays(report: JsonObject, days: Days): JsonObject {
  const words = 'startDate' in days ? `${days.startDate} to ${days.endDate}` : relativeRanges[days.relativeDateRange]
  const { block } = reportTypes[String(report['type'])]!
  return { ...report, name: `${String(report['name'])}, ${words}`, [block]: { ...criteriaOf(report), dateRange: days } }
}

/** True if a found report equals the requested one, ignoring values that services add. */
function holds(found: Json | undefined, wanted: Json | undefined): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(found) && found.length === wanted.length && wanted.every((one, at) => holds(found[at], one))
  if (!isJsonObject(wanted)) return found === wanted
  return (
    isJsonObject(found) &&
    Object.entries(wanted).every(([name, one]) => holds(found[name], one)) &&
    // Someone may have added a filter.
    Object.entries(found).every(([name, one]) => name in wanted || own.has(name) || isNothing(one))
  )
}

const isNothing = (value: Json | undefined): boolean =>
  !value || (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.values(value).every(isNothing))

async function firstProfile(client: Client, signal: AbortSignal): Promise<string> {
  const { body } = await client.call('trafficking.userProfiles.list', {}, { signal })
  const profileId = body.items?.find((one) => one.profileId !== undefined)?.profileId
  if (profileId !== undefined) return profileId
  throw new FaultError({
    code: 'invalid',
    message: 'This account has no user profile in Campaigns, so it has no reports.',
  })
}
