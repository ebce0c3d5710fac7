import { factsOf } from '#shared/facts/facts'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { itemFields } from '#shared/domain/calendar-item'
import { deriveInstance, instanceId, parseInstanceId, seriesOf } from '#shared/domain/instances'
import type { Account } from '#shared/ipc/account-questions'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { occurrenceBySuffix, occurrences } from '#shared/time/recurrence'
import type { CalendarItem, Change, Mark, Replica, Row, SyncStatus, Topic } from '../../../src-renderer/replica/api'
import { now as fixedNow } from './fixture-data'

export interface Seed {
  collection: CollectionName
  parent: string | null
  id: string
  value: JsonObject
  mark?: Mark
}

/** An in-memory replica to preview views without main: edits and undo work, and nothing is sent. */
export function fixtureReplica(account: Account, seeds: readonly Seed[], status: Partial<SyncStatus> = {}): Replica {
  const facts = factsOf()
  const rows = new Map<string, Row>()
  const listeners = new Set<(topics: ReadonlySet<Topic>) => void>()
  const past: { label: string; before: Map<string, Row | undefined> }[] = []
  const future: typeof past = []
  const tell = (...topics: Topic[]): void => listeners.forEach((listener) => listener(new Set(topics)))
  const put = (seed: Seed): void => {
    const key = recordKey(seed.collection, seed.parent, seed.id)
    const { mark = 'synced' } = seed
    rows.set(key, {
      key,
      collection: seed.collection,
      parent: seed.parent,
      id: seed.id,
      value: seed.value,
      base: seed.value,
      complete: true,
      mark,
      remoteSeq: 0,
    })
  }
  seeds.forEach(put)
  let now: SyncStatus = {
    phase: 'idle',
    offline: false,
    paused: false,
    unsent: [...rows.values()].filter((row) => row.mark !== 'synced').length,
    needsYou: [...rows.values()].filter((row) => row.mark === 'needsYou').length,
    notUnderstood: 0,
    drafts: 0,
    lastPull: fixedNow - 180_000,
    unitsLastMinute: 12,
    lanes: (['calendar', 'tasks'] as const).map((service) => ({
      service,
      phase: 'idle',
      lastPull: fixedNow - 180_000,
      unsent: 0,
      needsYou: 0,
      drafts: 0,
    })),
    ...status,
  }
  let cache: { all: CalendarItem[] } | null = null
  const item = (row: Row, event: JsonObject, id: string, recurring: boolean): CalendarItem | null => {
    const fields = itemFields(id, event)
    if (!fields) return null
    const itemKey = id === row.id ? row.key : `${row.key}#${id}`
    return { ...fields, itemKey, rowKey: row.key, calendarId: row.parent!, recurring, mark: row.mark }
  }
  const build = (): CalendarItem[] => {
    const all: CalendarItem[] = []
    const overridden = new Set(
      [...rows.values()].filter((row) => row.collection === 'events' && parseInstanceId(row.id)).map((row) => row.id),
    )
    for (const row of rows.values()) {
      if (row.collection !== 'events' || !row.value) continue
      const series = seriesOf(row.value)
      if (!series) {
        const made = item(row, row.value, row.id, row.value['recurringEventId'] !== undefined)
        if (made) all.push(made)
        continue
      }
      for (const occurrence of occurrences(series, fixedNow - 200 * 86_400_000, fixedNow + 200 * 86_400_000)) {
        const id = instanceId(row.id, occurrence.idSuffix)
        if (overridden.has(id)) continue
        const made = item(row, deriveInstance({ ...row.value, id: row.id }, occurrence), id, true)
        if (made) all.push(made)
      }
    }
    return all.sort((a, b) => a.start - b.start)
  }
  const derivedRow = (key: string): Row | undefined => {
    const { parent, id } = parseRecordKey(key)
    const instance = parseInstanceId(id)
    const master = instance && rows.get(recordKey('events', parent, instance.masterId))
    const series = master && seriesOf(master.value)
    const found = series && occurrenceBySuffix(series, instance!.suffix)
    if (!found) return undefined
    return { ...master!, key, id, value: deriveInstance({ ...master!.value, id: master!.id }, found), base: null }
  }
  const apply = (change: Change, before: Map<string, Row | undefined>): string => {
    if (change.kind === 'create') {
      const id = change.id ?? `local:${rows.size}`
      const key = recordKey(change.collection, change.parent, id)
      before.set(key, rows.get(key))
      put({ collection: change.collection, parent: change.parent, id, value: change.value, mark: 'local' })
      return key
    }
    const row = rows.get(change.key) ?? derivedRow(change.key)
    before.set(change.key, rows.get(change.key))
    if (!row) return change.key
    if (change.kind === 'change')
      for (const key of change.hides ?? []) rows.set(key, { ...rows.get(key)!, value: null })
    if (change.kind === 'delete') rows.set(row.key, { ...row, value: null, mark: 'local' })
    else if (change.kind === 'change') {
      const value = { ...row.value, ...change.patch }
      for (const key of Object.keys(value)) if (value[key] === null) delete value[key]
      rows.set(row.key, { ...row, value, mark: 'local' })
    } else if (change.kind === 'action' && change.action.name === 'moveEvent') {
      const key = recordKey('events', change.action.destination, row.id)
      before.set(key, rows.get(key))
      rows.delete(row.key)
      rows.set(key, { ...row, key, parent: change.action.destination, mark: 'local' })
    }
    return change.key
  }
  const changed = (): void => {
    cache = null
    now = { ...now, unsent: [...rows.values()].filter((row) => row.mark !== 'synced').length }
    tell('events', 'tasks', 'calendarList', 'status', 'undo')
  }
  const swap = (from: typeof past, to: typeof past): string | null => {
    const step = from.pop()
    if (!step) return null
    const before = new Map([...step.before.keys()].map((key) => [key, rows.get(key)]))
    for (const [key, row] of step.before)
      if (row) rows.set(key, row)
      else rows.delete(key)
    to.push({ label: step.label, before })
    changed()
    return step.label
  }

  return {
    account,
    rows: (collection, parent) =>
      [...rows.values()].filter(
        (row) => row.collection === collection && row.value && (parent === undefined || row.parent === parent),
      ),
    peek: (key) => rows.get(key),
    peekField: (key, path) => valueAt(rows.get(key)?.value ?? undefined, path),
    remoteSeq: () => 0,
    inTurn: (work) => work({ end: () => undefined }),
    realKey: (key) => key,
    firstKey: (key) => key,
    read: async (key) => rows.get(key),
    readAll: async (keys) => new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key)!]] : []))),
    async readItem(wanted) {
      const row = rows.get(wanted.rowKey)
      if (!row?.value) return undefined
      const series = seriesOf(row.value)
      if (!series || wanted.eventId === row.id) {
        const masterId = row.value['recurringEventId']
        const master = typeof masterId === 'string' ? rows.get(recordKey('events', row.parent, masterId)) : undefined
        return { row, event: row.value, ...(master && { master }) }
      }
      const found = occurrences(series, fixedNow - 200 * 86_400_000, fixedNow + 200 * 86_400_000).find(
        (occurrence) => instanceId(row.id, occurrence.idSuffix) === wanted.eventId,
      )
      return (
        found && {
          row: derivedRow(recordKey('events', row.parent, wanted.eventId))!,
          event: deriveInstance({ ...row.value, id: row.id }, found),
          master: row,
        }
      )
    },
    exceptions: (masterKey) => {
      const master = rows.get(masterKey)
      return [...rows.values()].filter(
        (row) => row.parent === master?.parent && parseInstanceId(row.id)?.masterId === master?.id,
      )
    },
    eventKeys: () => [],
    newLocalId: () => `local:${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`,
    newEventId: () => `new${crypto.randomUUID().replaceAll('-', '')}`,
    items(from, to, options = {}) {
      cache ??= { all: build() }
      return cache.all.filter(
        (one) =>
          one.start < to &&
          (one.end > from || one.start >= from) &&
          (!options.calendars || options.calendars.has(one.calendarId)),
      )
    },
    search: async (text, limit = 8) =>
      build()
        .filter((one) => one.title.toLowerCase().includes(text.toLowerCase()))
        .reverse()
        .slice(0, limit),
    async edit(changes, options) {
      const before = new Map<string, Row | undefined>()
      const keys = changes.map((change) => apply(change, before))
      past.push({ label: options.label, before })
      future.length = 0
      changed()
      return { group: String(past.length), keys, left: [] }
    },
    undo: async () => swap(past, future),
    redo: async () => swap(future, past),
    get undoable() {
      return { undo: past.at(-1)?.label ?? null, redo: future.at(-1)?.label ?? null }
    },
    get undoSteps() {
      return past.map((_step, at) => String(at)).reverse()
    },
    deleted: () => [],
    outbox: () => [],
    history: async () => [],
    withdraw: async () => {},
    post: async () => 0,
    facts,
    table: async () => ({
      columns: [],
      length: 0,
      total: 0,
      key: () => '',
      cell: () => undefined,
      cells: () => () => undefined,
      mark: () => 'synced',
      isThere: () => true,
      find: () => -1,
    }),
    findRecords: async (text, limit) =>
      [...rows.values()]
        .filter(({ collection, value }) => value && facts.of(collection).references)
        .map(({ key, value }) => ({
          key,
          name: String(value!['name'] ?? ''),
          archived: value!['archived'] === true,
        }))
        .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
        .slice(0, limit),
    downloads: () => [],
    downloadProgress: () => ({ state: 'ready', parts: [], share: 1, readAt: null }),
    leastDownloadCalls: () => 0,
    chosenDownloads: () => [],
    download: async () => '',
    pauseDownload: async () => {},
    removeDownload: async () => true,
    refreshDownload: () => {},
    retry: async () => {},
    resolve: async () => null,
    resolveAll: async () => ({ group: '', left: [] }),
    get status() {
      return now
    },
    notices: () => [],
    dismiss: () => {},
    syncNow: () => {},
    checkSync: () => {},
    cancelCheck: () => {},
    pause: () => {},
    async setOffline(offline) {
      now = { ...now, offline, phase: offline ? 'offline' : 'idle' }
      tell('status')
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {},
  }
}
