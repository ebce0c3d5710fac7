import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { RemoteRecord } from '#shared/mutation/entry'
import { applyRecords, removeRows } from '../replica/apply'
import { keyOfParent } from '../replica/id-names'
import { isOnlyImplied, storedRow } from '../replica/records'
import { readStored } from '../replica/read-stored'
import type { StoredRow } from '../replica/stored-row'
import { recognize } from './arrivals'
import type { Engine } from './engine'
import { askFor, goneOf } from './pull'
import { differenceOf, type Difference } from './difference'
import type { Target } from './targets'

/** A record that differed from the service's and was repaired. */
export interface Repair {
  difference: Difference
  collection: CollectionName
  parent: string | null
  id: string
  /** Its name. */
  name?: string
  /** Name of its list. */
  list?: string
}

/** Number of suspects read at once, so that other work can run between two reads. */
const readAtOnce = 10
/** Listings that may begin again because the service lost its place. */
const restarts = 3
/** Number of alternating page sizes. */
const turns = 16

/**
 * Compares one list with the service, one call at a time. The listing only selects records to read, and those answers are
 * applied like any pull. So neither a stale listing nor a concurrent edit does harm, and the cursor stays unchanged.
 */
export class ListCheck {
  private repairs: Repair[] = []
  /** The same number for all pages, and a new one for each check, so that no cache can answer. */
  private turn?: number
  private page: string | null = null
  private restarted = 0
  private seen = new Set<string>()
  /** Records to read, with their version in the listing. Undefined if the listing lacks them. */
  private readonly suspects = new Map<string, RemoteRecord | undefined>()
  private listed = false
  /** False if a record without an ID was listed, which may be any of those that seem to be missing. */
  private namesAll = true

  constructor(readonly target: Target) {}

  /**
   * Makes the next call.
   * @returns true if the check is done
   * @throws FaultError. The next call retries the same request
   */
  async step(engine: Engine): Promise<boolean> {
    if (!this.listed) await this.list(engine)
    else await this.read(engine)
    return this.listed && this.suspects.size === 0
  }

  /** Returns the repairs since the last call. */
  takeRepairs(): Repair[] {
    return this.repairs.splice(0)
  }

  private async list(engine: Engine): Promise<void> {
    const { target } = this
    this.turn ??= 1 + (Math.floor(engine.environment.now() / 1000) % turns)
    const answer = await askFor(engine, target, null, this.page, this.turn)
    if (!answer.ok) {
      if (answer.fault.code !== 'cursorExpired' || this.restarted++ >= restarts) throw new FaultError(answer.fault)
      this.page = null
      this.seen = new Set()
      this.suspects.clear()
      return
    }
    const { value }: { value: PullPage } = answer
    engine.spend(value.units)
    for (const { id } of value.unreadable ?? []) {
      if (id === null) this.namesAll = false
      else this.seen.add(recordKey(target.collection, target.parent, id))
    }
    const here = await readStored(engine, value.records.map(keyOf))
    for (const [at, record] of value.records.entries()) {
      const key = keyOf(record)
      this.seen.add(key)
      if (differenceOf(here[at], rowOf(engine, record))) this.suspects.set(key, record)
    }
    if (this.suspects.size > 0) engine.outdated(target.key)
    this.page = value.nextPage ?? null
    if (value.nextPage !== undefined) return
    this.listed = true
    if (!this.namesAll) return
    for (const key of await goneOf(engine, target, this.seen)) this.suspects.set(key, undefined)
  }

  private async read(engine: Engine): Promise<void> {
    const { collection, parent } = this.target
    const { memory, commits, store, bridge, account, environment } = engine
    const { now, setTimer } = environment
    const some = [...this.suspects].slice(0, readAtOnce)
    const before = await readStored(
      engine,
      some.map(([key]) => key),
    )
    const ids = some.map(([key, listed], at) => listed?.id ?? before[at]?.id ?? parseRecordKey(key).id)
    const answer = await bridge.ask('sync/read-many', { accountId: account.id, collection, parent, ids })
    if (!answer.ok) throw new FaultError(answer.fault)
    engine.spend(answer.value.units)
    const facts = memory.facts.of(collection)
    const answers = new Map(answer.value.records.map((record) => [record.id, record]))
    // A service also answers with an occurrence that its list lacks, or has as canceled, and that is no record of its own.
    const isImplied = (found: RemoteRecord, listed: RemoteRecord | undefined): boolean =>
      (!listed?.value || isGoneForm(facts, listed.value)) && isOnlyImplied(memory, found)
    const implied = new Set<string>()
    const differing = some.flatMap(([key, listed], at): { record: RemoteRecord; repair: Repair }[] => {
      const found = answers.get(ids[at]!)
      const here = before[at]
      if (found && isImplied(found, listed)) implied.add(key)
      // Reading a deleted record by ID returns no more than its list did. One that was listed as living is gone since.
      const wasGone = found?.value === null && listed?.value && isGoneForm(facts, listed.value)
      const record = wasGone ? listed : found
      if (!record || (record.value === null && here && isGoneForm(facts, here.base))) return []
      const difference = differenceOf(here, implied.has(key) ? null : rowOf(engine, record))
      if (!difference) return []
      const name = titleOf(facts, record.value ?? here?.base)
      return [
        {
          record,
          repair: { difference, collection, parent, id: record.id, ...name, ...listOf(engine, facts, parent) },
        },
      ]
    })
    const records = differing.flatMap(({ record }) => (implied.has(keyOf(record)) ? [] : [record]))
    const ghosts = differing.flatMap(({ record }) => (implied.has(keyOf(record)) ? [keyOf(record)] : []))
    const deps = { memory, commits, store, now, setTimer }
    await recognize(engine, records, true)
    await applyRecords(deps, records)
    await removeRows(deps, ghosts, () => undefined)
    for (const [key] of some) this.suspects.delete(key)
    this.repairs.push(...differing.map(({ repair }) => repair))
  }
}

function titleOf({ title }: Collection, value: JsonObject | undefined): { name?: string } {
  const name = title === undefined ? undefined : value?.[title]
  return typeof name === 'string' ? { name } : {}
}

/** Name of a list for users. */
function listOf({ memory }: Engine, facts: Collection, parent: string | null): { list?: string } {
  const key = keyOfParent(facts, parent)
  const row = key === undefined ? undefined : memory.row(key)
  if (!row?.value) return {}
  const { name } = titleOf(memory.facts.of(row.collection), row.value)
  return name === undefined ? {} : { list: name }
}

const isGoneForm = ({ gone }: Collection, value: JsonObject): boolean =>
  gone !== undefined && value[gone.field] === gone.is

const keyOf = ({ collection, parent, id }: RemoteRecord): string => recordKey(collection, parent, id)

const rowOf = ({ memory }: Engine, record: RemoteRecord): StoredRow | null =>
  storedRow(memory.behaviors.of(record.collection), record)
