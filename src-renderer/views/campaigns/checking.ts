import { aroundOf, check } from '#shared/checks/check'
import { isChanged } from '#shared/checks/checked-values'
import type { Around, Checked, Finding, Rule } from '#shared/checks/rule'
import { rules as builtIn } from '#shared/checks/rules'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { collectionOf, referencesIn } from '#shared/facts/references'
import { nameAt, valueAt } from '#shared/fields/path'
import { systemClock } from '#shared/time/clock'
import { outermost } from '../../context/record-names'
import type { Replica, Row, Work } from '../../replica/api'
import { FrameYield } from '../../replica/tables/frame-yield'
import { parentIn } from './scope'

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
  /** The user's time zone. */
  zone?: string
  /** Checks these campaigns and what is in them. Absent: everything. */
  campaigns?: ReadonlySet<string> | undefined
  /** Rules that people wrote. */
  own?: readonly Rule[]
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

function readingOf({ signal }: Work): Reading {
  const time = { elapsed: systemClock.elapsed, setTimer: (run: () => void, after: number) => setTimeout(run, after) }
  return { signal, yielder: new FrameYield(time, signal) }
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

export const checkedOf = (row: Row): Checked => ({
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
  // Undefined for records in something in the profile.
  const parent = parentIn(facts, { profile })
  const table = await replica.table(
    facts.name,
    {
      ...(parent !== undefined && { parent }),
      columns: facts.columns,
      ...(limited && { only: { [field]: [...campaigns] } }),
    },
    reading.signal,
  )
  const all = Array.from({ length: table.length }, (_unused, at) => table.key(at))
  const keys = parent !== undefined ? all : all.filter((key) => outermost(parseRecordKey(key).parent) === profile)
  const wanted = name === 'campaigns' && campaigns ? keys.filter((key) => campaigns.has(parseRecordKey(key).id)) : keys
  return readAll(replica, wanted, reading.yielder)
}

/** Records that others refer to and that aren’t among them, such as placements of other campaigns. */
async function readReferred(replica: Replica, records: readonly Checked[], yielder: FrameYield): Promise<Row[]> {
  const known = new Set(records.map(({ key }) => key))
  const wanted = new Set<string>()
  for (const { key: from, collection, value, base } of records) {
    if (base === value) continue
    const { table, schema } = replica.facts.of(collection)
    for (const one of referencesIn(table, schema, value)) {
      const facts = replica.facts.find(one.collection)
      const key = facts && recordKey(facts.name, outermost(parseRecordKey(from).parent), one.id)
      if (key !== undefined && !known.has(key)) wanted.add(key)
    }
  }
  return readAll(replica, [...wanted], yielder)
}

/** Records that own rules look up by name and that aren’t among those checked. */
async function readNamed(
  replica: Replica,
  records: readonly Checked[],
  rules: readonly Rule[],
  yielder: FrameYield,
): Promise<Row[]> {
  const known = new Set(records.map(({ key }) => key))
  const wanted = new Set<string>()
  for (const { kinds, names = [] } of rules)
    for (const { key, collection, value } of names.length > 0 ? records : []) {
      if (!kinds.includes(collection)) continue
      for (const path of names)
        for (const id of [valueAt(value, path)].flat()) {
          const facts = replica.facts.find(collectionOf(nameAt(path)) ?? '')
          if (facts && typeof id === 'string')
            wanted.add(recordKey(facts.name, outermost(parseRecordKey(key).parent), id))
        }
    }
  return readAll(
    replica,
    [...wanted].filter((key) => !known.has(key)),
    yielder,
  )
}

/** Returns which kinds are completely on this computer. References of checked records are read even in other campaigns. */
function wholeIn(replica: Pick<Replica, 'downloads'>, profile: string): Around['isWhole'] {
  const all = replica
    .downloads()
    .some(({ parent, what, state }) => parent === profile && what === 'all' && state === 'ready')
  return (name) => all && (kinds as readonly string[]).includes(name)
}

/** True if every download of a profile was read completely, so that no ad of its records is missing. */
export function knowsAds(replica: Pick<Replica, 'downloads'>, profile: string): boolean {
  const downloads = replica.downloads().filter(({ parent }) => parent === profile)
  return (
    downloads.length > 0 &&
    downloads.every(({ state, readAt }) => state === 'ready' || (state === 'paused' && readAt !== null))
  )
}

/**
 * Checks records on this computer with their drafts, in slices that don’t block frames.
 * @throws the signal's reason
 */
export async function checkRecords(replica: Replica, where: Where, work: Work = {}): Promise<CheckResult> {
  const { profile, today, zone, own: ownRules = [] } = where
  const reading = readingOf(work)
  const read = [...new Set([...kinds, ...ownRules.flatMap((rule) => rule.kinds)])]
  const own: Checked[] = []
  for (const name of read) for (const row of await readKind(replica, name, where, reading)) own.push(checkedOf(row))
  const others = [
    ...(await readReferred(replica, own, reading.yielder)),
    ...(await readNamed(replica, own, ownRules, reading.yielder)),
  ].map(checkedOf)
  await reading.yielder.take()
  const around = aroundOf([...own, ...others], {
    today,
    ...(zone !== undefined && { zone }),
    facts: (name) => replica.facts.of(name),
    isWhole: wholeIn(replica, profile),
    knowsAds: knowsAds(replica, profile),
  })
  return { findings: await findIn(own, around, [...builtIn, ...ownRules], reading.yielder), count: own.length }
}

/** What rules find, in slices that don’t block frames. @throws the signal's reason */
async function findIn(
  records: readonly Checked[],
  around: Around,
  rules: readonly Rule[],
  yielder: FrameYield,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const found of check(records, around, rules)) {
    findings.push(...found)
    if (yielder.due) await yielder.take()
  }
  return findings
}

/** Records of a kind with their drafts. @throws the signal's reason */
export const recordsOf = async (
  replica: Replica,
  name: CollectionName,
  where: Where,
  work: Work,
): Promise<readonly Checked[]> => (await readKind(replica, name, where, readingOf(work))).map(checkedOf)

/** What own rules find in some records, which they look at one by one. @throws the signal's reason */
export async function checkAlone(
  replica: Replica,
  records: readonly Checked[],
  { today, own = [] }: Pick<Where, 'today' | 'own'>,
  work: Work = {},
): Promise<readonly Finding[]> {
  const { yielder } = readingOf(work)
  const facts: Around['facts'] = (name) => replica.facts.of(name)
  const named = (await readNamed(replica, records, own, yielder)).map(checkedOf)
  const around = aroundOf([...records, ...named], { today, facts, isWhole: () => false, knowsAds: false })
  return findIn(records, around, own, yielder)
}

/**
 * What built-in rules find in drafts of a profile, given what they refer to, that isn't wrong on the service as well:
 * errors, and warnings about money.
 * @throws the signal's reason
 */
export async function checkDrafts(
  replica: Replica,
  records: readonly Checked[],
  where: Pick<Where, 'profile' | 'today' | 'zone'>,
  work: Work = {},
): Promise<readonly Finding[]> {
  const { yielder } = readingOf(work)
  const { today, zone } = where
  const known = new Set(records.map(({ key }) => key))
  const isPriced = (one: Checked): boolean => one.collection === 'placements' && isChanged(one, 'pricingSchedule')
  // Rates are compared with those of the same campaigns.
  const campaigns = new Set(records.filter(isPriced).flatMap((one) => campaignOf(one) ?? []))
  const near = campaigns.size === 0 ? [] : await recordsOf(replica, 'placements', { ...where, campaigns }, work)
  const others = [...near, ...(await readReferred(replica, records, yielder)).map(checkedOf)]
  const around = aroundOf([...records, ...others.filter(({ key }) => !known.has(key))], {
    ...{ today, ...(zone !== undefined && { zone }) },
    facts: (name) => replica.facts.of(name),
    isWhole: wholeIn(replica, where.profile),
    knowsAds: false,
  })
  const rules = builtIn.filter(({ severity, money }) => severity === 'error' || money)
  const found = await findIn(records, around, rules, yielder)
  const sent = [...new Set(found.map(({ record }) => record))].flatMap((one) =>
    one.base ? [{ ...one, value: one.base }] : [],
  )
  const name = ({ rule, record, path, words }: Finding): string => [rule.id, record.key, path, words].join('\n')
  const old = new Set((await findIn(sent, around, rules, yielder)).map(name))
  return found.filter((one) => !old.has(name(one)))
}
