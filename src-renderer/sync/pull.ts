import { collections, recordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { Answer, Cursor, PullPage, RequestArguments } from '#shared/ipc/contract'
import type { RemoteRecord } from '#shared/mutation/entry'
import { adopted, isMadeBy } from '#shared/mutation/made'
import { applyRecords, dropOrphans, finishPull } from '../replica/apply'
import { settle } from '../replica/settle'
import type { Engine } from './engine'
import type { Target } from './targets'

export interface Pulled {
  changed: boolean
  records: number
  /** The service forgot our cursor: everything was fetched again beside the old rows. */
  refilled: boolean
  /** Records that came and could not be read, with the field that was wrong: what was here of them stays. */
  unreadable: NonNullable<PullPage['unreadable']>
}

/** What may come between two pages of a long pull. */
export interface Between {
  /** Whether something is waiting to come between now; no further page is then on its way. */
  wanted(): boolean
  /** Whether the pull may go on afterwards. */
  run(): Promise<boolean>
}

/** The pull was left where it was, because everything has to stand still. */
export class PullLeft extends Error {}

/** Pages of one pull that may be asked for again from the start because the service lost its place. */
const restarts = 3

/** Pulls one target to its end. @throws FaultError, PullLeft; what was kept so far stays, the cursor does not move. */
export async function pullTarget(
  engine: Engine,
  target: Target,
  between: Between,
  progress?: (records: number) => void,
): Promise<Pulled> {
  const { bridge, account, memory, commits, store } = engine
  const { now, setTimer } = engine.environment
  const deps = { memory, commits, store, now, setTimer }
  const { collection, parent, id } = target
  let cursor: Cursor | null = memory.cursors.get(target.key)?.cursor ?? null
  let page: string | null = null
  let seen = new Set<string>()
  let records = 0
  let refilled = false
  let unreadable: Pulled['unreadable'] = []
  const askFor = async (cursor: Cursor | null, page: string | null): Promise<Answer<PullPage>> => {
    const request: RequestArguments<'sync/pull'> = {
      accountId: account.id,
      collection,
      parent,
      cursor,
      page,
      ...(id !== undefined && { id }),
    }
    return bridge.ask('sync/pull', request)
  }
  /** The next page is on its way while this one is kept. */
  let ahead: Promise<Answer<PullPage>> | undefined
  for (let restarted = 0; ;) {
    const answer: Answer<PullPage> = await (ahead ?? askFor(cursor, page))
    ahead = undefined
    if (!answer.ok) {
      if (answer.fault.code !== 'cursorExpired' || restarted++ >= restarts) throw new FaultError(answer.fault)
      refilled ||= cursor !== null && page === null
      cursor = page === null ? null : cursor
      page = null
      seen = new Set()
      unreadable = []
      continue
    }
    const { value }: { value: PullPage } = answer
    engine.spend(value.units)
    const letIn = value.nextPage !== undefined && between.wanted()
    if (value.nextPage !== undefined && !letIn) {
      ahead = askFor(cursor, value.nextPage)
      ahead.catch(() => undefined)
    }
    if (value.full) for (const record of value.records) seen.add(recordKey(record.collection, record.parent, record.id))
    unreadable = unreadable.concat(value.unreadable ?? [])
    for (const { id } of value.unreadable ?? []) if (id !== null) seen.add(recordKey(collection, parent, id))
    await adoptMade(engine, value.records)
    await applyRecords(deps, value.records, value.full)
    records += value.records.length
    progress?.(records)
    if (value.nextPage !== undefined) {
      page = value.nextPage
      if (letIn) {
        const before = new Set(await store.rowKeys(collection, parent))
        const goesOn = await between.run()
        // Made by us just now: the list began before it was there.
        for (const key of await store.rowKeys(collection, parent)) if (!before.has(key)) seen.add(key)
        if (!goesOn) throw new PullLeft()
      }
      continue
    }
    const next = value.cursor ?? (collections[collection].cursor === 'snapshot' ? snapshotCursor : undefined)
    // A record that does not say which it is may be any of those that seem to be gone.
    const sweeps = value.full && unreadable.every(({ id }) => id !== null)
    await finishPull(deps, { collection, parent, cursorKey: target.key, cursor: next, ...(sweeps && { seen }) })
    break
  }
  await dropOrphans(deps, collection)
  return { changed: records > 0 && collections[collection].cursor !== 'snapshot', records, refilled, unreadable }
}

/** Snapshots go on from nothing; this only remembers that one was taken. */
const snapshotCursor = { kind: 'updatedMin', value: 'snapshot' } as const

/**
 * A creation whose answer was lost is recognised as soon as its record turns up, before anyone can take the two for
 * different things.
 */
async function adoptMade(
  { memory, store, commits, ids, environment }: Engine,
  records: readonly RemoteRecord[],
): Promise<void> {
  const lost = memory.outbox.find('lost', '')
  if (lost.length === 0) return
  const taken = new Set<string>()
  for (const record of records) {
    if (memory.stored.has(recordKey(record.collection, record.parent, record.id))) continue
    const entry = lost.find((one) => !taken.has(one.id) && isMadeBy(one, record))
    if (!entry) continue
    // Rows of a window are on disk and not in memory: one that is there is older than the creation.
    const [onDisk] = memory.isWindow(record.collection)
      ? await store.get('rows', [recordKey(record.collection, record.parent, record.id)])
      : []
    if (onDisk && collections[record.collection].ids === 'service') continue
    taken.add(entry.id)
    const context = { ids, now: environment.now, backOff: () => 0 }
    await commits.run('sync', (tx) => settle({ tx, ...context }, entry.id, { ...adopted(entry, record), units: 0 }))
      .saved
  }
}
