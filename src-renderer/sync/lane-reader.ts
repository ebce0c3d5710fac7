import { parseRecordKey } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { faultOf, faults, type Fault } from '#shared/fault'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import type { SyncPhase, SyncProgress, UnreadList } from '../replica/api'
import { backOff } from '../replica/environment'
import { RateLimitScope } from './rate-limit-scope'
import type { Looks } from './downloads'
import type { Engine, Shared } from './engine'
import { Freshness, type May } from './freshness'
import { PullLeft, pullTarget, type Between, type Pulled } from './pull'
import { holdersIn, isByChoice, keysFor, listOf, rootsOf, targets, type Target } from './targets'
import { Timetable } from './timetable'

/** A pull that lasts longer lets edits out between its pages. */
const letOutAfter = 5_000
/** Consecutive failures after which a target no longer holds up others, or sending. */
const aloneAfter = 3

/** The lane around the reader. */
export interface Around {
  engine(): Engine
  stopped(): boolean
  isBlocked(): boolean
  /** Entries to send next, whether they may be sent yet or not. */
  waiting(): readonly OutboxEntry[]
  /** True if a sendable entry should be sent now. */
  sends(may: May): boolean
  /** Sends what's allowed between two reads. */
  letOut(may: May): Promise<void>
  /** Makes the whole lane wait. */
  hold(fault: Fault): undefined
  /** Reports the current fault, or that there is none. */
  met(fault: Fault | undefined): void
  show(phase: SyncPhase): void
  phase(): SyncPhase
  changed(): void
  pulled(target: Target, pulled: Pulled): void
  /** Everything due has been read. */
  read(): void
}

/** All targets, as of a revision of what decides them. */
interface Known {
  revision: number
  targets: readonly Target[]
  keys: ReadonlySet<string>
}

/** One pass through the due targets. Edits may be sent in between. */
interface Round {
  readonly done: Set<string>
  records: number
  /** Number of targets read since the last pause. */
  heard: number
}

/**
 * The reading half of a lane: what to read from a service and when, and what has been read since the lane was paused.
 */
export class Reading {
  readonly roots: readonly Target[]
  private readonly rootKeys: ReadonlySet<string>
  private readonly holders: ReturnType<typeof holdersIn>
  private latest: Known | undefined
  lastPull: number | null = null
  progress: SyncProgress | undefined
  private readonly timetable: Timetable
  /**
   * After start, waking up, and being offline, an entry is sent only when everything related has been read. Until a
   * round ends, holds the targets read so far, and then 'everywhere'.
   */
  private looked: Set<string> | 'everywhere' = new Set()
  private round: Round | null = null
  private current: { key: string; records: number } | null = null
  private readonly blame = new RateLimitScope()
  private since = 0
  private readonly freshness: Freshness
  /** Faults by target key. Each target is retried on its own. */
  private readonly unread = new Map<string, Fault>()
  /** Targets that weren't found, and the roots to read before that counts, because they may just have been deleted. */
  private readonly missing = new Map<string, { fault: Fault; awaits: Set<string> }>()

  constructor(
    private readonly service: ServiceName,
    private readonly shared: Shared,
    private readonly around: Around,
  ) {
    const { memory, environment } = shared
    this.timetable = new Timetable(memory.facts, environment.elapsed, (key) => {
      const read = memory.cursors.get(key)?.pulledAt
      return read === undefined ? undefined : Math.max(0, environment.now() - read)
    })
    this.roots = rootsOf(memory.facts, shared.account, service)
    this.rootKeys = new Set(this.roots.map(({ key }) => key))
    this.holders = holdersIn(memory.facts, service)
    const lists = {
      all: () => this.all,
      failed: (key: string) => this.unread.has(key) || this.missing.has(key),
      refresh: (targets: readonly Target[]) => this.timetable.refresh(targets),
    }
    this.freshness = new Freshness(memory, environment.elapsed, lists, environment.now())
  }

  start(): void {
    const times = [...this.shared.memory.cursors.values()]
      .filter(({ key }) => this.facts.find(parseRecordKey(key).collection)?.service === this.service)
      .map(({ pulledAt }) => pulledAt)
    this.lastPull = times.length > 0 ? Math.max(...times) : null
  }

  /** The fault that keeps something from being read, if any. */
  get fault(): Fault | undefined {
    return [...this.unread.values()][0]
  }

  /** Lists that couldn't be read, and why, including missing ones whose parent still exists. */
  get unreadLists(): UnreadList[] {
    const missing = [...this.missing].filter(([, { awaits }]) => awaits.size === 0)
    const named = missing.flatMap(([key, { fault }]) => (this.living.has(key) ? [[key, fault] as const] : []))
    return [...this.unread, ...named].map(([key, fault]) => {
      const { collection, parent } = parseRecordKey(key)
      return { collection, parent, fault }
    })
  }

  faultOf(key: string): Fault | undefined {
    return this.unread.get(key)
  }

  /** Number of records of a target read so far, while it's being read. */
  recordsOf(key: string): number | undefined {
    return this.current?.key === key ? this.current.records : undefined
  }

  /** The targets being read, and those that couldn't be. */
  get looks(): Looks {
    return { current: this.current, unread: [...this.unread] }
  }

  /** True if there is something to read now. */
  get isDue(): boolean {
    const now = this.elapsed()
    return this.looked !== 'everywhere' || this.all.some((target) => this.timetable.due(target) <= now)
  }

  /** Time of the next read, in `elapsed` time. */
  get dueAt(): number {
    return Math.min(...this.all.map((target) => this.timetable.due(target)))
  }

  /** Discards the results of earlier reads. */
  readAgain(): void {
    this.looked = new Set()
    this.round = null
    this.timetable.hurry()
  }

  /** Clears the history of rate limits. */
  forgive(): void {
    this.blame.clear()
  }

  hurry(keys: ReadonlySet<string>): void {
    this.timetable.hurry((key) => keys.has(key))
  }

  /** Reads these targets soon, even those that are read once a day. */
  refresh(wanted: readonly Target[]): void {
    this.timetable.refresh(wanted)
  }

  /** Reads targets that a pending change depends on soon, and not from a cache. */
  await(wanted: (target: Target) => boolean): void {
    const targets = this.all.filter(wanted)
    this.freshness.awaits(targets)
    this.timetable.refresh(targets)
  }

  /** See `Engine`. */
  mark(): number {
    return this.freshness.begin()
  }

  readSince(key: string, mark: number): ReturnType<Engine['since']> {
    const state = this.freshness.since(key, mark)
    if (state === 'read') return state
    return state && this.living.has(key) && !this.unread.has(key) && !this.missing.has(key) ? state : 'unreadable'
  }

  /** See `Engine`. */
  outdated(key: string): void {
    this.freshness.forget(key)
  }

  /** Targets whose changes the service can notify us about. */
  get watchable(): Target[] {
    return this.all.filter(({ collection, id }) => this.facts.of(collection).watch !== undefined && id === undefined)
  }

  /** Returns true if some of them have to be read again. */
  watched(keys: ReadonlySet<string>): boolean {
    return this.timetable.watch(keys)
  }

  /** Check of an entry: everything that concerns it has been read since this computer was away. */
  get maySend(): May {
    const { looked, round } = this
    if (looked === 'everywhere') return this.freshness.may()
    // If no target could be reached, sending would fail the same way.
    if (!round?.heard || !this.roots.every(({ key }) => looked.has(key))) return () => false
    const { living } = this
    const isFresh = this.freshness.may()
    return (entry) => {
      if (!this.isKnown(entry) || !isFresh(entry)) return false
      // If no etag guards a write, its record is read and compared anyway.
      if (!this.facts.of(entry.collection).etag) return true
      return [...keysFor(this.facts, entry)].every((key) => !living.has(key) || looked.has(key))
    }
  }

  /** True if an entry must be checked again, because the computer was asleep since `checked` (in `elapsed` time). */
  isOutdated(entry: OutboxEntry, checked: number): boolean {
    return this.freshness.isOutdated(entry, checked)
  }

  /** Keys of lists that an entry removes from, that can't be read, and that its author must be asked about. */
  unreadBy(entry: OutboxEntry): string[] {
    return this.freshness.unreadBy(entry)
  }

  /** Reads due targets until an entry may be sent. The next call continues. */
  async read(): Promise<void> {
    const { around } = this
    const first = this.roots.some((root) => !this.shared.memory.cursors.has(root.key)) || this.lastPull === null
    const round = (this.round ??= { done: new Set(), records: 0, heard: 0 })
    this.since = this.elapsed()
    around.show(first ? 'firstSync' : 'pulling')
    for (;;) {
      // New calendars and lists turn up on the way.
      const { target, left } = this.nextTarget(round.done)
      if (!target) break
      const { size } = round.done
      if (first) this.progress = { done: size, total: size + left, records: round.records }
      around.changed()
      const records = await this.pullOne(target, round.records)
      if (records === undefined) {
        round.heard = 0
        return
      }
      if (this.round !== round) return
      round.done.add(target.key)
      if (this.looked !== 'everywhere') this.looked.add(target.key)
      round.records += records
      if (!this.unread.has(target.key)) round.heard++
      if (around.stopped() || around.isBlocked() || around.sends(this.maySend)) return
    }
    this.endRound(round)
  }

  private endRound(round: Round): void {
    const { around } = this
    this.round = null
    this.freshness.forgetEnded()
    const { living } = this
    for (const kept of [this.unread, this.missing])
      for (const key of kept.keys()) if (!living.has(key)) kept.delete(key)
    const silent = [...this.unread.values()].find(({ code }) => faults[code].retry)
    // No target could be reached, so sending would fail the same way.
    if (round.heard === 0 && silent) return around.hold(silent)
    if (this.watchable.length > 0) around.read()
    this.looked = 'everywhere'
    this.progress = undefined
    around.met(undefined)
    if (!silent) this.lastPull = this.shared.environment.now()
    around.changed()
  }

  /** All known targets of the service. */
  get all(): readonly Target[] {
    return this.known.targets
  }

  /** Keys of all known targets. */
  private get living(): ReadonlySet<string> {
    return this.known.keys
  }

  /** Every step of a sync asks for the targets, and few change any. */
  private get known(): Known {
    const { memory } = this.shared
    const revision = memory.revision(this.holders)
    if (this.latest?.revision !== revision) {
      const all = targets(memory, this.service, this.roots)
      this.latest = { revision, targets: all, keys: new Set(all.map(({ key }) => key)) }
    }
    return this.latest
  }

  /** After the roots, targets that entries wait for come first, and those that keep hitting limits last. */
  private nextTarget(done: ReadonlySet<string>): { target: Target | undefined; left: number } {
    const now = this.elapsed()
    const waited = new Set(this.around.waiting().flatMap((entry) => [...keysFor(this.facts, entry)]))
    const rank = ({ key }: Target): number =>
      this.blame.letsPass(key) ? 3 : this.rootKeys.has(key) ? 0 : waited.has(key) ? 1 : 2
    let target: Target | undefined
    let first = Infinity
    let left = 0
    for (const one of this.all) {
      if (done.has(one.key) || this.timetable.due(one) > now) continue
      left++
      const place = first === 0 ? 0 : rank(one)
      if (place < first) [target, first] = [one, place]
    }
    return { target, left }
  }

  /** The number of records, or undefined if the whole round must stop. */
  private async pullOne(target: Target, before: number): Promise<number | undefined> {
    const { key } = target
    const began = this.freshness.begin()
    const asked = this.shared.environment.elapsed()
    this.timetable.begun(target)
    this.current = { key, records: 0 }
    const count = (records: number): void => {
      this.current = { key, records }
      if (this.progress) this.progress = { ...this.progress, records: before + records }
      this.around.changed()
    }
    try {
      const turn = this.freshness.turn(key)
      const pulled = await pullTarget(this.around.engine(), target, this.betweenOf(target), count, turn)
      this.timetable.pulled(target, pulled.changed)
      this.freshness.heard(key, began, pulled.asked, turn)
      this.blame.passed(key)
      this.unread.delete(key)
      this.missing.delete(key)
      for (const { awaits } of this.missing.values()) awaits.delete(key)
      this.around.pulled(target, pulled)
      return pulled.records
    } catch (error) {
      if (this.around.stopped() || error instanceof PullLeft) return undefined
      return this.pullFailed(target, faultOf(error), asked)
    } finally {
      this.current = null
    }
  }

  private pullFailed(target: Target, fault: Fault, asked: number): number | undefined {
    const { around } = this
    const { key } = target
    const { retry, concerns } = faults[fault.code]
    if (concerns !== 'entry') {
      this.blame.limited(key)
      if (!retry || !this.blame.isOwn(key)) return around.hold(fault)
    }
    this.freshness.unheard(key, asked)
    const failures = this.timetable.failures(target)
    const passes = retry && concerns === 'entry' && failures + 1 < aloneAfter
    const { random } = this.shared.environment
    this.timetable.failed(target, passes ? 0 : (fault.retryAfter ?? backOff(failures + 4, random)))
    if (passes) return around.hold(fault)
    // A calendar that can't be read doesn't hold up the others, or sending.
    if (fault.code === 'notFound' || fault.code === 'gone') {
      this.unread.delete(key)
      this.missing.set(key, { fault, awaits: this.missing.get(key)?.awaits ?? new Set(this.rootKeys) })
    } else {
      this.missing.delete(key)
      this.unread.set(key, fault)
    }
    if (fault.code === 'notFound') this.hurry(this.rootKeys)
    around.met(fault)
    return 0
  }

  /** Edits to send between two pages: only those whose copies could be distinguished from existing records. */
  private betweenOf(target: Target): Between {
    const { around } = this
    const may = (): May => {
      const isFresh = this.freshness.may()
      return (entry) => this.isKnown(entry) && isFresh(entry)
    }
    return {
      ends: () => this.isUnwanted(target),
      wanted: () => this.elapsed() - this.since >= letOutAfter && !around.isBlocked() && around.sends(may()),
      run: async () => {
        if (this.isUnwanted(target)) return false
        const phase = around.phase()
        await around.letOut(may())
        this.since = this.elapsed()
        around.show(phase)
        return !this.isUnwanted(target) && !around.isBlocked()
      },
    }
  }

  /** True if the running target is no longer needed. */
  private isUnwanted({ key }: Target): boolean {
    return this.around.stopped() || !this.living.has(key)
  }

  /**
   * A creation whose ID the service assigns is recognized as a new record in its list, so that list must have been read
   * once.
   */
  private readonly isKnown: May = ({ collection, parent, kind }) => {
    if (kind !== 'create' || this.facts.of(collection).ids !== 'service') return true
    const list = listOf(this.facts, { collection, parent })
    const { cursors } = this.shared.memory
    if (cursors.has(list.key)) return true
    // Downloads aren't required, but the list of choices must come first.
    if (!isByChoice(this.facts.of(list.collection))) return false
    const here = this.all.filter((target) => target.collection === list.collection && target.parent === list.parent)
    return here.every(({ key }) => cursors.has(key))
  }

  private get facts(): Facts {
    return this.shared.memory.facts
  }

  private elapsed(): number {
    return this.shared.environment.elapsed()
  }
}
