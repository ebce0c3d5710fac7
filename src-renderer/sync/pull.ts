import { parseRecordKey, recordKey, type Collection } from '#shared/domain/collections'
import type { LogFields } from '#shared/facts/remark'
import { FaultError } from '#shared/fault'
import type { Answer, RequestArguments } from '#shared/ipc/contract'
import type { Cursor } from '#shared/ipc/cursor'
import type { PullPage } from '#shared/ipc/sync-questions'
import { applyRecords, dropOrphans, finishPull } from '../replica/apply'
import { recognize } from './arrivals'
import type { Engine } from './engine'
import { firstCursor, followLog, logKept } from './follow-log'
import { LostUpdates, type LostUpdate } from './lost-update'
import { broughtKeys, fieldKeys, isUnattributed, targetsIn, uncovered } from './download-targets'
import type { Target } from './targets'
import { readUnlisted } from './unlisted'

export interface Pulled {
  changed: boolean
  records: number
  /** The service rejected the cursor: everything was read again next to the old rows. */
  refilled: boolean
  /** Unreadable records, with the field at fault. Their local state stays. */
  unreadable: NonNullable<PullPage['unreadable']>
  /** Unseen changes of other people that one of ours replaced. */
  lostUpdates: readonly LostUpdate[]
  /** Time of the request for its last page, in `elapsed` time, because the answer may have taken long. */
  asked: number
}

/** Work that may run between two pages of a long pull. */
export interface Between {
  /** True if the pull should end because its target is no longer needed. */
  ends(): boolean
  /** True if work is waiting. No further page is then requested. */
  wanted(): boolean
  /** Runs the work. Returns true if the pull may continue. */
  run(): Promise<boolean>
}

/** The pull stopped in the middle, because everything must pause. */
export class PullLeft extends Error {}

/** Number of times that one pull may restart because the service lost its position. */
const restarts = 3

/**
 * Pulls one target to its end.
 * @param turn varies the request when a pending change relies on the answer
 * @throws FaultError, PullLeft; stored pages stay, the cursor doesn't move
 */
export async function pullTarget(
  engine: Engine,
  target: Target,
  between: Between,
  progress?: (records: number) => void,
  turn?: number,
): Promise<Pulled> {
  const { memory, commits, store } = engine
  const { now, elapsed, setTimer } = engine.environment
  const deps = { memory, commits, store, now, setTimer }
  const { collection, parent, key } = target
  const facts = memory.facts.of(collection)
  let cursor: Cursor | null = memory.cursors.get(key)?.cursor ?? (facts.log ? await firstCursor(engine, target) : null)
  const listed = memory.cursors.has(key)
  const { drops } = memory
  /** True if rows were removed, perhaps some of these, which invalidates the progress. */
  const isMoved = (): boolean => facts.cursor === 'snapshot' && memory.drops !== drops
  const left = facts.cursor === 'snapshot' ? memory.pages.get(key) : undefined
  let page: string | null = left?.page ?? null
  let records = left?.records ?? 0
  /** Keys of everything in this pull. Null if it resumed in the middle. */
  let seen: Set<string> | null = left ? null : new Set()
  /** IDs of records that came without saying that they belong to this part. */
  let came = new Set(left ? memory.brought.get(key) : [])
  let refilled = false
  let unreadable: Pulled['unreadable'] = []
  const lost = facts.log && new LostUpdates(engine, target, facts.log)
  const lostUpdates: LostUpdate[] = []
  /** Number of records, without log entries that were read before: reads of a log overlap. */
  let news = 0
  /** Fetch the next page while this one is stored. */
  let ahead: Promise<Answer<PullPage>> | undefined
  let asked = elapsed()
  const ask = (page: string | null): Promise<Answer<PullPage>> => {
    asked = elapsed()
    return askFor(engine, target, cursor, page, turn)
  }
  if (records > 0) progress?.(records)
  for (let restarted = 0; ;) {
    const answer: Answer<PullPage> = await (ahead ?? ask(page))
    ahead = undefined
    if (!answer.ok) {
      if (answer.fault.code !== 'cursorExpired' || restarted++ >= restarts) throw new FaultError(answer.fault)
      refilled ||= cursor !== null && page === null
      cursor = page === null ? null : cursor
      page = null
      seen = new Set()
      came = new Set()
      records = 0
      unreadable = []
      continue
    }
    const { value }: { value: PullPage } = answer
    engine.spend(value.units)
    const firstPage = page === null
    const letIn = value.nextPage !== undefined && (between.wanted() || between.ends())
    if (value.nextPage !== undefined && !letIn) {
      ahead = ask(value.nextPage)
      ahead.catch(() => undefined)
    }
    if (value.full)
      for (const record of value.records) seen?.add(recordKey(record.collection, record.parent, record.id))
    unreadable = unreadable.concat(value.unreadable ?? [])
    for (const { id } of value.unreadable ?? []) if (id !== null) seen?.add(recordKey(collection, parent, id))
    await recognize(engine, value.records, listed)
    const followed = lost && (await followLog(engine, deps, lost, value.records))
    lostUpdates.push(...(followed?.lostUpdates ?? []))
    news += followed?.news ?? value.records.length
    const unattributed = unattributedOf(memory.brought.get(key), target, value)
    for (const id of unattributed) came.add(id)
    // Stored before the rows, so that rows removed in between are known, and none stays if this is taken back.
    if (unattributed.length > 0) {
      const brought = new Set([...(memory.brought.get(key) ?? []), ...unattributed])
      await commits.run('sync', (tx) => tx.putBrought(key, brought)).saved
    }
    await applyRecords(deps, followed?.unstored ?? value.records, value.full)
    if (isMoved()) throw new PullLeft()
    records += value.records.length
    engine.pace.page(key, records, value.records.at(-1)?.id)
    progress?.(records)
    if (firstPage && facts.cursor === 'snapshot' && value.nextPage !== undefined && engine.pace.wantsEnd(key))
      await findEnd(engine, target, value.records[0]?.id)
    if (isMoved()) throw new PullLeft()
    if (value.nextPage !== undefined) {
      page = value.nextPage
      if (facts.cursor === 'snapshot') commits.run('sync', (tx) => tx.putPage(key, { page: page!, records }))
      if (letIn) {
        const before = new Set(await store.rowKeys(collection, parent))
        const goesOn = await between.run()
        // Created here after the list began.
        for (const key of await store.rowKeys(collection, parent)) if (!before.has(key)) seen?.add(key)
        if (!goesOn) throw new PullLeft()
      }
      continue
    }
    const next = value.cursor ?? (remembers(facts) ? snapshotCursor : undefined)
    // A record without an ID may be any of those that seem to be missing.
    const sweeps = value.full && unreadable.every(({ id }) => id !== null)
    const unnamed = sweeps && seen && !facts.log ? await goneOf(engine, target, seen) : []
    const unlisted = await readUnlisted(engine, target, unnamed)
    await applyRecords(deps, unlisted)
    const there = new Set(unlisted.map((record) => recordKey(record.collection, record.parent, record.id)))
    const gone = facts.log ? oldOf(engine, target, facts.log) : unnamed.filter((key) => !there.has(key))
    if (isMoved()) throw new PullLeft()
    engine.pace.ended(key)
    await finishPull(deps, {
      cursorKey: key,
      cursor: next,
      gone,
      ...(value.full && { records }),
      ...(sweeps && { brought: came }),
    })
    break
  }
  await dropOrphans(deps, collection)
  return { changed: news > 0 && facts.cursor !== 'snapshot', records, refilled, unreadable, lostUpdates, asked }
}

/** Asks for one page of a target; without a cursor and a page, for the first page of everything. */
export function askFor(
  { bridge, account }: Engine,
  { collection, parent, id, part }: Target,
  cursor: Cursor | null,
  page: string | null,
  turn?: number,
): Promise<Answer<PullPage>> {
  const request: RequestArguments<'sync/pull'> = {
    accountId: account.id,
    collection,
    parent,
    cursor,
    page,
    ...(id !== undefined && { id }),
    ...(part && { within: part.params }),
    ...(turn !== undefined && { turn }),
  }
  return bridge.ask('sync/pull', request)
}

/** IDs on a page of a part that no field assigns to it. Unreadable records keep their assignment. */
function unattributedOf(known: ReadonlySet<string> | undefined, target: Target, page: PullPage): string[] {
  const { part } = target
  if (!part) return []
  const { field, id: owner } = part
  const records = page.records.filter(({ value }) => field === undefined || (value !== null && value[field] !== owner))
  const unreadable = (page.unreadable ?? []).filter(({ id }) => isUnattributed(target) || known?.has(id ?? ''))
  return [...records, ...unreadable].flatMap(({ id }) => id ?? [])
}

/** Reads the last record of a long list, to estimate the remaining time. */
async function findEnd(engine: Engine, target: Target, first: string | undefined): Promise<void> {
  const { list, table } = engine.memory.facts.of(target.collection)
  const method = table.methods.find(({ id }) => id === list?.operation)
  if (first === undefined || !method?.queryParams['sortOrder'] || !method.queryParams['maxResults']) return
  const params = { ...target.part?.params, sortOrder: 'DESCENDING', maxResults: 1 }
  const answer = await askFor(engine, { ...target, part: { id: '', params } }, null, null)
  if (!answer.ok) return
  engine.spend(answer.value.units)
  const last = answer.value.records[0]?.id
  if (last !== undefined) engine.pace.bounds(target.key, first, last)
}

function oldOf({ memory, environment }: Engine, { collection, parent }: Target, log: LogFields): string[] {
  const table = memory.columns(collection)
  const column = table.columns.indexOf(log.at)
  const oldest = environment.now() - logKept
  const keys: string[] = []
  table.each((key, cells) => {
    const at = cells(column)
    if (typeof at === 'string' && Date.parse(at) < oldest && parseRecordKey(key).parent === parent) keys.push(key)
  })
  return keys
}

/** Rows that a complete read of a target didn't list. For a part, the rows known to belong to it. */
export async function goneOf(
  { memory, store }: Pick<Engine, 'memory' | 'store'>,
  target: Target,
  seen: ReadonlySet<string>,
): Promise<string[]> {
  const { collection, parent, id, part } = target
  if (id !== undefined) return []
  const isGone = (key: string): boolean => !seen.has(key)
  if (!part) return (await store.rowKeys(collection, parent)).filter(isGone)
  // Only reading shows which records belong to another part.
  const others = targetsIn(memory, memory.facts.of(collection), parent).filter(({ key }) => key !== target.key)
  return [
    ...fieldKeys(memory, target).filter(isGone),
    ...uncovered(memory, others, broughtKeys(memory, target).filter(isGone)),
  ]
}

/** Snapshots have no real cursor. This only marks a complete one. */
const snapshotCursor = { kind: 'updatedMin', value: 'snapshot' } as const

const remembers = ({ cursor, etag }: Collection): boolean => cursor === 'snapshot' || (cursor === 'etag' && !etag)
