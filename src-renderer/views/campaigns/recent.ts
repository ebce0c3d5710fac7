import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import type { Collection } from '#shared/facts/collection'
import type { Json } from '#shared/json'
import { sentence } from '../../context/account-words'
import type { AppContext } from '../../context/context'
import { isBlocked, laneOf, retriedWords, saidWords } from '../../context/lane-words'
import type { Replica } from '../../replica/api'
import { counted } from '../../ui/counted'

type LogReplica = Pick<Replica, 'facts' | 'table' | 'downloads' | 'status' | 'subscribe' | 'syncNow'>

/** Changes in the service's change log since the last refresh. */
export interface Recent {
  changes: number
  records: number
  /** Ordered by their number of changes. */
  people: readonly string[]
}

/** Time of the newest entry of the downloaded change log, in the log's format. Empty if it has no entries. */
async function newestIn({ table }: Pick<LogReplica, 'table'>, log: Collection, profile: string): Promise<string> {
  const { at } = log.log!
  const rows = await table(log.name, { parent: profile, columns: [at], sort: { column: at, down: true } })
  return rows.length === 0 ? '' : String(rows.cell(0, 0) ?? '')
}

async function since(
  { table }: Pick<LogReplica, 'table'>,
  log: Collection,
  profile: string,
  newest: string,
): Promise<Recent> {
  const { at, who, id } = log.log!
  const rows = await table(log.name, { parent: profile, columns: [at, who, id], sort: { column: at, down: true } })
  const people = new Map<string, number>()
  const records = new Set<string>()
  let changes = 0
  for (; changes < rows.length && String(rows.cell(changes, 0) ?? '') > newest; changes++) {
    const name = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
    const person = name(rows.cell(changes, 1))
    people.set(person, (people.get(person) ?? 0) + 1)
    records.add(name(rows.cell(changes, 2)))
  }
  return {
    changes,
    records: records.size,
    people: [...people].sort(([, a], [, b]) => b - a).flatMap(([person]) => (person === '' ? [] : [person])),
  }
}

/** Timeout for the response, in milliseconds. A late response still appears. */
const patience = 120_000
/** Milliseconds without progress after which a retry isn't imminent. */
const untried = 5_000

/** Time of the last log read, in epoch milliseconds. 0 if never read. */
export function logReadAt({ downloads }: Pick<Replica, 'downloads'>, log: Collection, profile: string): number {
  const parts = downloads().flatMap(({ parent, parts }) => (parent === profile ? parts : []))
  return Math.max(0, ...parts.map(({ collection, readAt }) => (collection === log.name ? (readAt ?? 0) : 0)))
}

/** Errors that block the log: those of the whole service first, then those of the log. */
function keptBy(replica: LogReplica, { name, service }: Collection, profile: string): Fault[] {
  const parts = replica.downloads().flatMap(({ parent, parts }) => (parent === profile ? parts : []))
  const lane = laneOf(replica.status, service)
  const own = parts.find(({ collection }) => collection === name)?.fault
  return [...(lane?.fault && isBlocked(lane) ? [lane.fault] : []), ...(own ? [own] : [])]
}

/**
 * Resolves when the log has been read after `before`. An earlier error only counts again if no attempt follows within
 * `untried`.
 * @throws FaultError the error that blocks the log
 */
function untilRead(replica: LogReplica, log: Collection, profile: string, before: number): Promise<void> {
  const old = keptBy(replica, log, profile)
  return new Promise((resolve, reject) => {
    const look = (again = false): void => {
      const fault = keptBy(replica, log, profile).find((one) => again || !old.includes(one))
      if (logReadAt(replica, log, profile) > before) end(resolve)
      else if (fault) end(() => reject(new FaultError(fault)))
    }
    const tried = setTimeout(() => look(true), untried)
    const late = new FaultError({ code: 'unavailable', message: 'The service hasn’t responded for 2 minutes.' })
    const timer = setTimeout(() => end(() => reject(late)), patience)
    const stop = replica.subscribe((topics) => (topics.has('downloads') || topics.has('status')) && look())
    const end = (then: () => void): void => {
      clearTimeout(timer)
      clearTimeout(tried)
      stop()
      then()
    }
  })
}

export function recentWords({ changes, records, people }: Recent): string {
  if (changes === 0) return 'No new changes'
  const [first, second, ...others] = people
  const by =
    first === undefined
      ? ''
      : ` by ${second === undefined ? first : others.length === 0 ? `${first} and ${second}` : `${first}, ${second}, and ${counted(others.length, 'other')}`}`
  return `${counted(changes, 'new change', 'new changes')} to ${counted(records, 'record')}${by}`
}

/** Fetches the change log, reports what changed since the last time, and offers to show it. */
export async function getRecent(app: AppContext, log: Collection, profile: string, show: () => void): Promise<void> {
  const { replica } = app
  const before = logReadAt(replica, log, profile)
  try {
    const newest = await newestIn(replica, log, profile)
    const read = untilRead(replica, log, profile, before)
    replica.syncNow(log.service)
    app.announce('Getting recent changes…')
    await read
    const recent = await since(replica, log, profile, newest)
    const action = recent.changes > 0 ? { action: { label: 'Show', run: show } } : {}
    app.toasts.show(recentWords(recent), action)
    app.announce(recentWords(recent))
  } catch (error) {
    const fault = faultOf(error)
    const said = sentence(saidWords(fault))
    if (faults[fault.code].retry) app.toasts.show(`Couldn’t get recent changes yet. ${retriedWords(fault)}`)
    else app.toasts.show(`Couldn’t get recent changes. ${said} The downloaded data is unchanged.`, { level: 'error' })
  }
}
