import { parseRecordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { fieldsOfId } from '#shared/facts/ids'
import { logOf } from '#shared/facts/log'
import { referencesIn } from '#shared/facts/references'
import { FaultError } from '#shared/fault'
import { sameJson, type JsonObject } from '#shared/json'
import type { Once, OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { adopted, isCreatedBy, isOwnId, mayBeCreatedBy } from '#shared/mutation/created-record'
import { meetsCondition } from '#shared/mutation/creation-condition'
import { creationLog } from './creation-log'
import { tableCall } from './pull'
import { pagesOf, readRecord, unreadableEntry } from './read'
import { recordOf, sameRecord } from './record'
import { factsFor, isFault, writeParams, type Ending, type Meter, type PushDeps } from './replay'

/**
 * Replays a creation without ever creating a second copy. With a client ID, a repeat returns 409, and the stored record
 * is compared and adopted. Otherwise, looks for the outcome of an earlier attempt first.
 */
export async function replayCreate(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const facts = factsFor(deps, entry)
  if (!facts.insert) throw new RangeError(`${entry.collection} can’t be created`)
  if (entry.adopts !== undefined) {
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.adopts)
    if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: {} }
    return adopt(deps, entry, remote)
  }
  if (entry.once) {
    const there = await findInstead(deps, entry, entry.once, meter)
    meter.looked = true
    if (there) return adopt(deps, entry, there)
  }
  // With an ID from the content, the insert may overwrite what someone else has created, instead of a 409.
  if (entry.unknownOutcome || (facts.ids === 'content' && facts.patch)) {
    let unread: unknown
    const { found, similar } = await findEarlier(deps, entry, meter).catch((error: unknown): Earlier => {
      if (!isFault(error, 'notFound', 'gone')) throw error
      unread = error
      return {}
    })
    const noted = found ? [] : await readCandidates(deps, entry, meter)
    const candidate = noted.find(({ value }) => value !== null) ?? similar ?? noted[0]
    if (unread && !candidate) throw unread
    meter.looked = true
    if (found) return adopt(deps, entry, found)
    if (candidate) return { kind: 'conflict', remote: candidate, fields: [], merged: {}, made: true }
  }
  try {
    const records = [await insert(deps, entry, meter)]
    // With an ID from the content, the insert may have overwritten a record.
    return { kind: 'confirmed', records, ...(facts.ids !== 'content' && { created: true as const }) }
  } catch (error) {
    if (facts.ids === 'service' || !isFault(error, 'duplicate')) throw error
    meter.units += 1
    const remote = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
    if (remote.value === null) return { kind: 'conflict', remote, fields: [], merged: entry.patch }
    const ending = adopt(deps, entry, remote)
    // A later copy of this database sent it, and its author may have edited this one since.
    if (ending.kind === 'merged' && !entry.unknownOutcome)
      return { kind: 'conflict', remote, fields: ending.receipt.theirs, merged: {} }
    return ending
  }
}

/** A record whose ID isn't only this creation's may be someone else's. If it differs, the user decides. */
function adopt(deps: PushDeps, entry: OutboxEntry, found: RemoteRecord): Ending {
  const facts = factsFor(deps, entry)
  const ending = adopted(facts, entry, found)
  if (ending.kind === 'confirmed' || facts.ids === 'service' || isOwnId(facts, entry)) return ending
  return { kind: 'conflict', remote: found, fields: ending.receipt.theirs, merged: {} }
}

async function insert(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord> {
  const facts = factsFor(deps, entry)
  meter.units += 1
  const { place } = entry
  const params = writeParams(deps, facts.insert!, entry, { ...(place && { place }) })
  const named = facts.ids === 'service' ? {} : fieldsOfId(facts, entry.recordId)
  const answer = await tableCall(deps.client)(facts.insert!, params, { body: { ...entry.patch, ...named } as never })
  const record = recordOf(facts, entry.parent, answer.body)
  return sameRecord(facts.ids === 'service' ? (record?.id ?? '') : entry.recordId, record)
}

interface Earlier {
  /** The record that an earlier attempt created. */
  found?: RemoteRecord
  /** A record that the attempt may have created, and someone has changed since, without proof. */
  similar?: RemoteRecord
}

async function findEarlier(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Earlier> {
  const facts = factsFor(deps, entry)
  const { collection, parent } = entry
  const read = (id: string): Promise<RemoteRecord> => {
    meter.units += 1
    return readRecord(deps.client, collection, parent, id)
  }
  if (facts.ids !== 'service') {
    const remote = await read(entry.recordId)
    return remote.value === null ? {} : { found: remote }
  }
  const counted = (): void => void (meter.units += 1)
  const log = logOf(factsOf(deps.client.versions), facts)
  const title = facts.title === undefined ? undefined : entry.patch[facts.title]
  const creations = log && typeof title === 'string' ? creationLog(deps.client, log, facts, entry, counted) : undefined
  if (creations) {
    const created: RemoteRecord[] = []
    for (const id of await creations.createdHere(String(title))) {
      if (entry.twins?.includes(id)) continue
      const record = await read(id)
      if (record.value && isInPlace(facts, entry, record.value)) created.push(record)
    }
    const equal = created.find((record) => adopted(facts, entry, record).kind === 'confirmed')
    if (equal) return { found: equal }
    for (const record of created)
      // A blind creation could otherwise adopt an older record with the same name.
      if (!entry.blind || (await creations.createdWith(record.id, entry.patch))) return { found: record }
  }
  let similar: RemoteRecord | undefined
  const listed = facts.listedIn ? factsOf(deps.client.versions).of(facts.listedIn) : facts
  const narrowed = { ...narrowedTo(facts.title, entry), ...(await whereToLook(deps, facts, entry, meter)) }
  for await (const { records, odd } of pagesOf(deps.client, listed, parent, narrowed)) {
    meter.units += 1
    for (const { record } of records) {
      // Without proof in the log, a record is ours only if it's equal and not in the log yet.
      const own = { ...record, collection }
      if (!isCreatedBy(facts, creations ? { ...entry, blind: true } : entry, own)) {
        if (!creations && mayBeCreatedBy(facts, entry, own, false)) similar ??= own
        continue
      }
      if (await creations?.has(record.id)) continue
      return { found: facts.list ? record : await read(record.id) }
    }
    // The unreadable record may be ours: creating it again would duplicate it.
    if (odd) throw unreadableEntry(listed.list!.operation, odd)
  }
  return similar ? { similar: facts.list ? similar : await read(similar.id) } : {}
}

/** The record that another computer created instead. */
async function findInstead(
  { client }: PushDeps,
  { collection, parent }: OutboxEntry,
  once: Once,
  meter: Meter,
): Promise<RemoteRecord | undefined> {
  const facts = factsOf(client.versions).of(collection)
  for await (const { records, odd } of pagesOf(client, facts, parent, {})) {
    meter.units += 1
    const found = records.find(({ record: { value } }) => value !== null && meetsCondition(value, once))
    if (found) return found.record
    // The unreadable record may be the one.
    if (odd) throw unreadableEntry(facts.list!.operation, odd)
  }
  return undefined
}

/**
 * Records that an earlier attempt may have created and someone has changed since, without proof: those that are gone from their
 * place, up to the first that isn't.
 */
async function readCandidates(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<RemoteRecord[]> {
  const read: RemoteRecord[] = []
  for (const key of entry.candidates ?? []) {
    const { parent, id } = parseRecordKey(key)
    if (entry.twins?.includes(id)) continue
    meter.units += 1
    const record = await readRecord(deps.client, entry.collection, parent, id)
    read.push(record)
    if (record.value) break
  }
  return read
}

/** True if a record has the place of an entry, with the same fixed parents. */
const isInPlace = ({ fixed }: Collection, { patch }: OutboxEntry, value: JsonObject): boolean =>
  fixed.every((field) => patch[field] === undefined || sameJson(value[field], patch[field]))

/**
 * Parameters that a list requires and that the new record only has through a record it refers to.
 * @throws FaultError if they are unknown, because a record that can't be looked up must not be created again
 */
async function whereToLook(
  { client }: PushDeps,
  { needsOneOf, table, schema, sheet }: Collection,
  { patch, parent }: OutboxEntry,
  meter: Meter,
): Promise<JsonObject> {
  if (!needsOneOf || needsOneOf.some((field) => typeof patch[field] === 'string')) return {}
  for (const { collection, id, path } of referencesIn(table, schema, patch)) {
    const target = factsOf(client.versions).find(collection)
    if (!target || path.includes('.') || path.includes('[')) continue
    meter.units += 1
    const { value } = await readRecord(client, target.name, parent, id)
    const said = needsOneOf.find((field) => typeof value?.[field] === 'string')
    if (said !== undefined) return { [said]: value![said] }
  }
  const missing = needsOneOf.map(
    (field) => sheet.columns.find(({ path }) => path === field)?.label?.toLowerCase() ?? field,
  )
  const message = `Couldn’t check whether this already exists. Fill in the ${missing.join(' or ')}, then retry.`
  throw new FaultError({ code: 'invalid', message, location: needsOneOf[0]! })
}

/** Filters that limit a list to a new record, by its name and parents. */
function narrowedTo(title: string | undefined, { patch }: OutboxEntry): JsonObject {
  const name = title === undefined ? undefined : patch[title]
  const owners = ['advertiserId', 'campaignId'].flatMap((field) => {
    const id = patch[field]
    return typeof id === 'string' ? [[field, id] as const, [`${field}s`, [id]] as const] : []
  })
  return { ...(typeof name === 'string' && { searchString: name }), ...Object.fromEntries(owners) }
}
