import { aroundOf, check } from '#shared/checks/check'
import type { Checked, Finding } from '#shared/checks/rule'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { referencesIn } from '#shared/facts/references'
import { systemClock } from '#shared/time/clock'
import type { Replica, Row, Work } from '../../replica/api'
import { FrameYield } from '../../replica/tables/frame-yield'

/** Kinds that the rules look at or need to know, in the order of reading. */
const kinds: readonly CollectionName[] = [
  'campaigns',
  'placementGroups',
  'placements',
  'ads',
  'creatives',
  'advertiserLandingPages',
  'eventTags',
]

interface Where {
  profile: string
  /** `2026-06-10` */
  today: string
  /** Checks these campaigns and what is in them. Absent: everything. */
  campaigns?: ReadonlySet<string> | undefined
}

export interface CheckResult {
  findings: readonly Finding[]
  /** Number of records that were checked. */
  count: number
}

/** How to read: until aborted, in slices. */
interface Reading {
  signal: AbortSignal | undefined
  yielder: FrameYield
}

/** Number of records to read from disk at once. */
const batch = 200

/** Existing records by key. Neighbors share blocks on disk, so they’re read together. */
async function readAll(replica: Replica, keys: readonly string[], yielder: FrameYield): Promise<Row[]> {
  const found: Row[] = []
  const sorted = [...keys].sort()
  for (let at = 0; at < sorted.length; at += batch) {
    for (const row of (await replica.readAll(sorted.slice(at, at + batch))).values()) if (row.value) found.push(row)
    if (yielder.due) await yielder.take()
  }
  return found
}

const checkedOf = (row: Row): Checked => ({
  key: row.key,
  collection: row.collection,
  id: row.id,
  value: row.value!,
  base: row.base,
})

/** The campaign that a record belongs to, or is. */
export const campaignOf = ({ collection, id, value }: Pick<Row, 'collection' | 'id' | 'value'>): string | undefined =>
  collection === 'campaigns' ? id : typeof value?.['campaignId'] === 'string' ? value['campaignId'] : undefined

/** Records of one kind, those of the wanted campaigns if they belong to any. */
async function readKind(replica: Replica, name: CollectionName, where: Where, reading: Reading): Promise<Row[]> {
  const facts = replica.facts.find(name)
  if (!facts) return []
  const { profile, campaigns } = where
  const field = facts.cuts.find(({ by }) => by === 'campaigns')?.field
  const limited = campaigns && field !== undefined
  const table = await replica.table(
    facts.name,
    { parent: profile, columns: facts.columns, ...(limited && { only: { [field]: [...campaigns] } }) },
    reading.signal,
  )
  const keys = Array.from({ length: table.length }, (_unused, at) => table.key(at))
  const wanted = name === 'campaigns' && campaigns ? keys.filter((key) => campaigns.has(parseRecordKey(key).id)) : keys
  return readAll(replica, wanted, reading.yielder)
}

/** Records that others refer to and that aren’t among them, such as placements of other campaigns. */
async function readReferred(
  replica: Replica,
  { profile }: Where,
  records: readonly Checked[],
  yielder: FrameYield,
): Promise<Row[]> {
  const known = new Set(records.map(({ key }) => key))
  const wanted = new Set<string>()
  for (const { collection, value, base } of records) {
    if (base === value) continue
    const { table, schema } = replica.facts.of(collection)
    for (const one of referencesIn(table, schema, value)) {
      const facts = replica.facts.find(one.collection)
      const key = facts && recordKey(facts.name, profile, one.id)
      if (key !== undefined && !known.has(key)) wanted.add(key)
    }
  }
  return readAll(replica, [...wanted], yielder)
}

/**
 * Checks records on this computer with their drafts, in slices that don’t block frames.
 * @throws the signal's reason
 */
export async function checkRecords(replica: Replica, where: Where, work: Work = {}): Promise<CheckResult> {
  const { profile, campaigns, today } = where
  const { signal } = work
  const time = { elapsed: systemClock.elapsed, setTimer: (run: () => void, after: number) => setTimeout(run, after) }
  const yielder = new FrameYield(time, signal)
  const own: Checked[] = []
  for (const name of kinds)
    for (const row of await readKind(replica, name, where, { signal, yielder })) own.push(checkedOf(row))
  const others = (await readReferred(replica, where, own, yielder)).map(checkedOf)
  await yielder.take()
  const downloads = replica.downloads().filter(({ parent }) => parent === profile)
  const isRead =
    downloads.length > 0 &&
    downloads.every(({ state, readAt }) => state === 'ready' || (state === 'paused' && readAt !== null))
  const all = downloads.some(({ what, state }) => what === 'all' && state === 'ready')
  const around = aroundOf([...own, ...others], {
    today,
    facts: (name) => replica.facts.of(name),
    isWhole: (name) => all && campaigns === undefined && (kinds as readonly string[]).includes(name),
    knowsAds: isRead,
  })
  const findings: Finding[] = []
  for (const found of check(own, around)) {
    findings.push(...found)
    if (yielder.due) await yielder.take()
  }
  return { findings, count: own.length }
}
