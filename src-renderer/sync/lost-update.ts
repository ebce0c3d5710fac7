import type { CollectionName } from '#shared/domain/collections'
import type { LogFields } from '#shared/facts/remark'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import type { Rules } from '#shared/merge/rules'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { HistoryItem } from '../replica/api'
import { historyKept } from '../replica/store'
import type { Engine } from './engine'
import type { Target } from './target'

/** Someone else's change that a change or deletion of ours replaced: neither author had seen the other's. */
export interface LostUpdate {
  /** The log's own ID of our change, or of theirs if the record is deleted. */
  id: string
  label: string
  collection: CollectionName
  /** Path of the changed field, as the log names it. */
  field: string
  /** The current value, or null if the record is deleted, and the lost one. */
  mine: string | null
  theirs: string
  who?: string
}

/** Maximum time from a logged change to its place in the history here, in milliseconds. */
export const bookedWithin = 30 * 60_000

/** Finds lost updates in a log, page by page. */
export class LostUpdates {
  /** Rows of records that were deleted from here, on all pages so far, by ID. */
  private readonly ofDeleted = new Map<Json | undefined, JsonObject>()
  private readonly fresh = new Set<Json | undefined>()

  constructor(
    private readonly engine: Engine,
    /** Its parent is the profile under which changes are made. */
    readonly target: Target,
    readonly log: LogFields,
  ) {}

  /** @param news rows of this page that weren't read before */
  async on(page: readonly RemoteRecord[], news: readonly JsonObject[]): Promise<LostUpdate[]> {
    if (news.length === 0) return []
    const rows = page.flatMap(({ value }) => (value ? [value] : []))
    const history = (await this.engine.store.history(historyKept)).filter(
      ({ how, entry, unguarded }) =>
        how !== 'withdrawn' && (entry.kind !== 'delete' || unguarded || entry.unknownOutcome),
    )
    return [...news.flatMap((row) => this.replaced(row, rows, history)), ...this.removed(rows, news, history)]
  }

  /** If the value before our change isn't the one we knew, someone else wrote between the last read and our write. */
  private replaced(row: JsonObject, rows: readonly JsonObject[], history: readonly Made[]): LostUpdate[] {
    const { log } = this
    if (!this.isOwn(row) || row[log.field] === undefined) return []
    const made = this.madeOn(row, history).filter((item) =>
      isOfChange(this.engine.memory.facts.of(item.entry.collection).rules, item, row, log),
    )
    const [item] = made
    if (!item || made.some((other) => says(valueAt(seenBy(other), pathOf(row, log)), row[log.before]))) return []
    const before = rows.find(
      (other) =>
        other[log.id] === row[log.id] &&
        other[log.field] === row[log.field] &&
        !this.isOwn(other) &&
        other[log.after] === row[log.before],
    )
    return [lostUpdate(row, item, log, textOf(row[log.after]), textOf(row[log.before]), before?.[log.who])]
  }

  /** If a field's last value before our deletion isn't the one we knew, someone else wrote it since then. */
  private removed(rows: readonly JsonObject[], news: readonly JsonObject[], history: readonly Made[]): LostUpdate[] {
    const { log, ofDeleted, fresh } = this
    const deletionOf = (row: JsonObject): Made | undefined =>
      this.madeOn(row, history).find(({ entry }) => entry.kind === 'delete')
    for (const row of rows) if (deletionOf(row)) ofDeleted.set(row['id'], row)
    for (const row of news) fresh.add(row['id'])
    const ordered = [...ofDeleted.values()].sort((one, other) => order(one, other, log))
    return ordered.flatMap((deletion, at): LostUpdate[] => {
      const item = deletionOf(deletion)
      if (!item || deletion[log.deletion.field] !== log.deletion.is || !this.isOwn(deletion)) return []
      const earlier = ordered
        .slice(0, at)
        .filter((row) => row[log.id] === deletion[log.id] && row[log.field] !== undefined)
      const last = new Map(earlier.map((row) => [row[log.field], row]))
      return [...last.values()]
        .filter((row) => fresh.has(deletion['id']) || fresh.has(row['id']))
        .filter((row) => !says(valueAt(seenBy(item), pathOf(row, log)), row[log.after]))
        .map((row) => lostUpdate(row, item, log, null, textOf(row[log.after]), row[log.who]))
    })
  }

  private isOwn(row: JsonObject): boolean {
    return row[this.log.whoId] === this.target.parent
  }

  /** Our changes of a row's record, ended or on their way: a log may have them before their answers arrive, or if those were lost. */
  private madeOn(row: JsonObject, history: readonly Made[]): Made[] {
    const { facts, outbox } = this.engine.memory
    const sent = outbox
      .find('record', String(row[this.log.id]))
      .filter(({ state, unknownOutcome }) => state === 'sending' || unknownOutcome)
    return [...sent.map((entry): Made => ({ entry })), ...history].filter(
      ({ entry }) =>
        entry.recordId === row[this.log.id] && facts.of(entry.collection).objectType === row[this.log.type],
    )
  }
}

/** A change of ours, ended or on its way. */
type Made = Pick<HistoryItem, 'entry' | 'receipt' | 'unguarded'>

/** Returns the record read just before our change was written, at least the written fields. */
const seenBy = ({ entry, unguarded }: Made): JsonObject => unguarded?.seen ?? entry.base ?? {}

/** True if a row of the log records this change of ours. The service may have completed what was sent. */
function isOfChange(rules: Rules, made: Made, row: JsonObject, log: LogFields): boolean {
  const { entry, receipt, unguarded } = made
  const path = pathOf(row, log)
  const field = path[0]!
  const sent = unguarded?.sent ?? entry.patch
  if (entry.kind !== 'change' || !(field in sent) || (!unguarded && receipt?.combined.includes(field))) return false
  if (says(valueAt(sent, path), row[log.after])) return true
  const after = parsed(row[log.after])
  return (
    path.length === 1 &&
    typeof after === 'object' &&
    alreadyHolds(rules, seenBy(made), { [field]: after }, { [field]: sent[field] })
  )
}

const lostUpdate = (
  row: JsonObject,
  { entry }: Made,
  log: LogFields,
  mine: string | null,
  theirs: string,
  who: Json | undefined,
): LostUpdate => ({
  id: String(row['id']),
  label: entry.label,
  collection: entry.collection,
  field: String(row[log.field]),
  mine,
  theirs,
  ...(typeof who === 'string' && { who }),
})

/** Rows of one moment are in the order of their IDs, which are numbers. */
const order = (one: JsonObject, other: JsonObject, { at }: LogFields): number =>
  Date.parse(String(one[at])) - Date.parse(String(other[at])) || Number(one['id']) - Number(other['id'])

const pathOf = (row: JsonObject, { field }: LogFields): string[] => String(row[field]).split('.')

const valueAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((around, name) => (isJsonObject(around) ? around[name] : undefined), value)

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** True if a log's text is about this value. */
function says(value: Json | undefined, text: Json | undefined): boolean {
  if (textOf(value) === textOf(text)) return true
  return typeof value === 'object' && value !== null && sameJson(parsed(text), value)
}

function parsed(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
