import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import { sampleAgencyId } from '#shared/facts/sample-ids'
import type { JsonObject } from '#shared/json'
import type { RunManager } from '../reports/run-manager'
import type { SearchPlaces } from '../reports/search-places'
import type { Client } from '../services/client'
import { tableCall } from '../sync/pull'

/** Matches names of the sample’s reports to run. */
const run = /^(Delivery by campaign|Pacing by placement)/

/**
 * Fills views that are empty until someone requests data, for people who try out the app: runs reports with daily data and
 * pacing, and finds the search ads accounts.
 * @throws FaultError
 */
export async function fillSample(
  accountId: string,
  about: {
    client: Client
    runManager: Pick<RunManager, 'ask'>
    searchPlaces: Pick<SearchPlaces, 'find'>
  },
): Promise<void> {
  const { client, runManager, searchPlaces } = about
  const call = tableCall(client)
  const listed = async (id: Parameters<typeof call>[0], params: JsonObject): Promise<JsonObject[]> =>
    ((await call(id, params)).body?.['items'] ?? []) as JsonObject[]
  const [profile] = await listed('trafficking.userProfiles.list', {})
  if (!profile) return
  const profileId = String(profile['profileId'])
  await searchPlaces.find(accountId, sampleAgencyId(String(profile['accountId'])), client)
  const daily = starterNamed('daily')!
  const there = await listed('trafficking.reports.list', { profileId })
  const wanted = there.filter(({ name }) => run.test(String(name)))
  if (!there.some(({ name }) => name === daily.name)) {
    const { body } = await call('trafficking.reports.insert', { profileId }, { body: reportOfStarter(daily) as never })
    if (body) wanted.unshift(body)
  }
  for (const report of wanted)
    await runManager.ask(accountId, { service: 'trafficking', profileId, report, awaits: [] })
}
