import { factsOf, type Facts } from '#shared/facts/facts'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import { IdIndex } from './id-index'
import { outboxIndexes, type IndexKeys } from './outbox-indexes'
import { SortedIds } from './sorted-ids'
import type { UnknownEntry } from '#shared/mutation/unknown'

/** Number of pending entries of a service, and of those that need attention. */
export interface QueueCount {
  unsent: number
  needsYou: number
  /** Drafts, which wait until they are posted. */
  drafts: number
}

/**
 * Pending entries with indexes for every lookup, so that an operation on one entry costs only what that entry touches. Also
 * tracks which entries can be sent: the first of their record, pending, and without pending dependencies.
 */
export class Outbox {
  private readonly entries = new Map<string, OutboxEntry>()
  private readonly sorted = new SortedIds()
  /** Index keys of each entry as of its last write. */
  private readonly keys = new Map<string, (readonly string[])[]>()
  private readonly indexes: readonly { keys: IndexKeys; found: IdIndex }[]
  private readonly positions: ReadonlyMap<string, number>
  /** Number of pending dependencies by entry ID. Missing: none. */
  private readonly conditions = new Map<string, number>()
  private readonly free = new Map<ServiceName, SortedIds>()
  private readonly busy = new Map<ServiceName, number>()
  private parked = 0
  private readonly counts = new Map<ServiceName, QueueCount>()
  private all: readonly OutboxEntry[] | undefined
  private foreign: readonly UnknownEntry[] = []
  private foreignIds: ReadonlySet<string> = new Set()
  private foreignKeys = new IdIndex()
  /** Number of incomplete edits. Nothing is sent unless it's zero. */
  held = 0

  /** @param more indexes of the collections' behaviors */
  constructor(
    private readonly facts: Pick<Facts, 'of'> = factsOf(),
    more: Readonly<Record<string, IndexKeys>> = {},
  ) {
    const all = Object.entries({ ...outboxIndexes, ...more })
    this.indexes = all.map(([, keys]) => ({ keys, found: new IdIndex() }))
    this.positions = new Map(all.map(([name], position) => [name, position]))
  }

  get size(): number {
    return this.entries.size
  }

  /** Number of entries that need attention. */
  get needsYou(): number {
    return this.parked
  }

  /** Number of drafts. */
  get drafts(): number {
    return [...this.counts.values()].reduce((sum, { drafts }) => sum + drafts, 0)
  }

  /**
   * Number of entries that this version doesn't understand. They aren't sent, and neither is anything that depends on
   * them.
   */
  get unknown(): number {
    return this.foreign.length
  }

  get(id: string): OutboxEntry | undefined {
    return this.entries.get(id)
  }

  has(id: string): boolean {
    return this.entries.has(id)
  }

  get lastId(): string | undefined {
    return this.sorted.last
  }

  /** Keys of the rows that an entry changes. Empty once it has ended. */
  shownBy(id: string): readonly string[] {
    return this.keys.get(id)?.[this.at('shows')] ?? none
  }

  /** All entries, oldest first. Remains the same array until one changes. */
  list(): readonly OutboxEntry[] {
    this.all ??= Array.from(this.sorted, (id) => this.entries.get(id)!)
    return this.all
  }

  /** Entries under a key of an index, oldest first. */
  find(index: string, key: string): OutboxEntry[] {
    const found: OutboxEntry[] = []
    for (const id of this.index(index).ids(key)) found.push(this.entries.get(id)!)
    return found
  }

  /** Entries under any of these keys, oldest first, without duplicates. */
  findAny(...wanted: readonly (readonly [string, string])[]): OutboxEntry[] {
    const found = new Set(wanted.flatMap(([index, key]) => this.find(index, key)))
    return wanted.length > 1 ? [...found].sort(byId) : [...found]
  }

  any(index: string, key: string): boolean {
    return this.index(index).has(key)
  }

  /** The newest entry under a key. */
  last(index: string, key: string): OutboxEntry | undefined {
    const id = this.index(index).last(key)
    return id === undefined ? undefined : this.entries.get(id)
  }

  countOf(service: ServiceName): QueueCount {
    return this.counts.get(service) ?? { unsent: 0, needsYou: 0, drafts: 0 }
  }

  sending(service: ServiceName): number {
    return this.busy.get(service) ?? 0
  }

  services(): ServiceName[] {
    return [...this.free.keys()]
  }

  /** Entries of a service that nothing in the outbox blocks, oldest first. */
  *sendable(service: ServiceName): Generator<OutboxEntry> {
    for (const id of this.free.get(service) ?? []) yield this.entries.get(id)!
  }

  /** True if an entry can be sent: it's pending, the first of its record, and its dependencies have ended. */
  isSendable(id: string): boolean {
    const entry = this.entries.get(id)
    if (entry?.state !== 'waiting' || entry.held || this.conditions.has(id)) return false
    const key = ownKey(entry)
    const unknown = this.foreignKeys.first(key)
    return this.index('own').first(key) === id && (unknown === undefined || unknown > id)
  }

  /** True if at least half of an entry's dependencies have ended. */
  halfEnded(id: string): boolean {
    const named = this.keys.get(id)?.[this.at('waitsFor')]?.length ?? 0
    return (this.conditions.get(id) ?? 0) * 2 <= named
  }

  put(entry: OutboxEntry): void {
    const { id } = entry
    const before = this.entries.get(id)
    if (before) this.count(before, -1)
    this.count(entry, 1)
    this.entries.set(id, entry)
    const firsts = this.firstsOf(before, entry)
    this.sorted.add(id)
    this.reindex(
      id,
      this.indexes.map(({ keys }) => keys(entry)),
    )
    if (before?.dependsOn !== entry.dependsOn) this.countConditions(id)
    if (before && this.serviceOf(before) !== this.serviceOf(entry)) this.free.get(this.serviceOf(before))?.delete(id)
    if (!before) this.tellDependants(id, 1)
    for (const touched of new Set([id, ...firsts, ...this.firstsOf(before, entry)])) this.refresh(touched)
    this.all = undefined
  }

  delete(id: string): void {
    const before = this.entries.get(id)
    if (!before) return
    this.count(before, -1)
    this.entries.delete(id)
    this.sorted.delete(id)
    this.reindex(id, undefined)
    this.conditions.delete(id)
    this.free.get(this.serviceOf(before))?.delete(id)
    this.tellDependants(id, -1)
    for (const first of this.firstsOf(before)) this.refresh(first)
    this.all = undefined
  }

  /** Sets the entries that this version doesn't understand, as found at startup. */
  setUnknown(entries: readonly UnknownEntry[]): void {
    const before = this.foreign
    const touched = new Set([...before, ...entries].flatMap(({ key }) => this.index('own').first(key ?? '') ?? []))
    this.foreign = [...entries]
    this.foreignKeys = new IdIndex()
    for (const { id, key } of entries) if (key !== undefined) this.foreignKeys.add(key, id)
    const known = this.foreignIds
    const now = new Set(entries.map(({ id }) => id))
    this.foreignIds = now
    for (const id of known) if (!now.has(id)) this.tellDependants(id, -1)
    for (const id of now) if (!known.has(id)) this.tellDependants(id, 1)
    for (const id of touched) this.refresh(id)
  }

  private at(name: string): number {
    const position = this.positions.get(name)
    if (position === undefined) throw new RangeError(`The outbox has no index ${name}`)
    return position
  }

  private index(name: string): IdIndex {
    return this.indexes[this.at(name)]!.found
  }

  private reindex(id: string, next: (readonly string[])[] | undefined): void {
    const before = this.keys.get(id)
    for (const [number, { found }] of this.indexes.entries()) {
      const from = before?.[number] ?? none
      const to = next?.[number] ?? none
      if (same(from, to)) continue
      const stays = new Set(to)
      for (const key of from) if (!stays.has(key)) found.delete(key, id)
      for (const key of to) found.add(key, id)
    }
    if (next)
      this.keys.set(
        id,
        before ? next.map((keys, number) => (same(before[number]!, keys) ? before[number]! : keys)) : next,
      )
    else this.keys.delete(id)
  }

  private serviceOf({ collection }: OutboxEntry): ServiceName {
    return this.facts.of(collection).service
  }

  private count(entry: OutboxEntry, by: 1 | -1): void {
    const { unsent, needsYou, drafts } = this.countOf(this.serviceOf(entry))
    const stuck = entry.state === 'needsYou' ? by : 0
    const held = entry.held && stuck === 0 ? by : 0
    const counted = { unsent: unsent + by, needsYou: needsYou + stuck, drafts: drafts + held }
    this.counts.set(this.serviceOf(entry), counted)
    if (entry.state === 'needsYou') this.parked += by
    if (entry.state === 'sending') this.busy.set(this.serviceOf(entry), this.sending(this.serviceOf(entry)) + by)
  }

  /** True if an entry hasn't ended, including one that this version doesn't understand. */
  waits(id: string): boolean {
    return this.entries.has(id) || this.foreignIds.has(id)
  }

  private countConditions(id: string): void {
    const there = this.keys.get(id)![this.at('waitsFor')]!.filter((other) => other !== id && this.waits(other)).length
    if (there === 0) this.conditions.delete(id)
    else this.conditions.set(id, there)
  }

  /** Updates dependents when an entry is added or removed. */
  private tellDependants(id: string, by: 1 | -1): void {
    for (const { id: other } of this.find('waitsFor', id)) {
      if (other === id) continue
      const left = (this.conditions.get(other) ?? 0) + by
      if (left > 0) this.conditions.set(other, left)
      else this.conditions.delete(other)
      if (left === 0 || by > 0) this.refresh(other)
    }
  }

  private firstsOf(...entries: readonly (OutboxEntry | undefined)[]): string[] {
    return entries.flatMap((entry) => (entry && this.index('own').first(ownKey(entry))) ?? [])
  }

  /** Updates whether an entry can be sent. */
  private refresh(id: string): void {
    const entry = this.entries.get(id)
    if (!entry) return
    const service = this.serviceOf(entry)
    let free = this.free.get(service)
    if (!free) this.free.set(service, (free = new SortedIds()))
    if (this.isSendable(id)) free.add(id)
    else free.delete(id)
  }
}

const none: readonly string[] = []
const same = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((key, index) => key === b[index]))

const byId = (a: OutboxEntry, b: OutboxEntry): number => (a.id < b.id ? -1 : 1)
