import { collections, parseRecordKey } from '#shared/domain/collections'
import { faultOf, faults, type Fault } from '#shared/fault'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import { untilDayRenews } from '#shared/wire/quotas'
import type { ServiceName } from '#shared/wire/services'
import type { LaneStatus, SyncPhase, SyncProgress } from '../replica/api'
import { backOff } from '../replica/environment'
import { Ahead } from './ahead'
import { Blame } from './blame'
import type { Engine, Shared } from './engine'
import { pick, type Picked } from './queue'
import { PullLeft, pullTarget, type Between, type Pulled } from './pull'
import { sendEntry } from './push'
import { isByChoice, keysFor, listOf, rootsOf, stirredBy, targets, type Target } from './targets'
import { Timetable } from './timetable'

export interface LaneHooks {
  /** Something that `status` shows has changed. */
  changed(): void
  /** A target was read to its end. */
  pulled(target: Target, pulled: Pulled): void
  /** Entries have ended: what waited for them elsewhere may go. */
  sent(): void
  /** All that was due has been read: it is known what there is to watch. */
  read(): void
}

/** What a lane knows of itself; how much of it is unsent stands in the outbox. */
export type LaneState = Omit<LaneStatus, 'unsent' | 'needsYou' | 'drafts'>

/** Edits are sent so long after the last one, coalesced. */
const editPause = 400
/** A pull that lasts longer lets edits out between its pages. */
const letOutAfter = 5_000
/** A target that failed so often in a row no longer keeps the others, and what is to be sent, waiting. */
const aloneAfter = 3
/** So many server errors in a row mean the service, not the entry. */
const outageAfter = 3

/** Reading what is due, target by target; edits may be sent in the middle of it. */
interface Round {
  readonly done: Set<string>
  records: number
  /** Targets that were heard since the last wait. */
  heard: number
}

/**
 * Pulls and pushes of one service, one after the other and never both at once, so that a page never brings back what a push
 * has just replaced; a long pull makes room between two pages. Nothing that keeps one lane waiting is felt in another.
 * Everything it knows is in the store; what it holds itself is only when to try again.
 */
export class Lane {
  readonly roots: readonly Target[]
  private readonly timetable: Timetable
  private running: Promise<void> | null = null
  private again = false
  private timer: unknown
  private stopped = true
  private offline = false
  private paused = false
  private frozen = false
  /**
   * After start, waking up and being offline, an entry is sent only when what concerns it has been read: until a round has
   * ended these are the targets that were, and then everything was.
   */
  private looked: Set<string> | 'everywhere' = new Set()
  private round: Round | null = null
  private current: { key: string; records: number } | null = null
  private readonly ahead = new Ahead()
  /** What waits, waits by `elapsed`: a clock that is set anew neither hurries nor holds anything. */
  private readonly waits = new Map<string, number>()
  private readonly entriesToBlame = new Blame()
  private readonly targetsToBlame = new Blame()
  private pushAt = 0
  private holdUntil = 0
  private failures = 0
  private pullingSince = 0
  /** What keeps targets from being read, by their keys; each is tried again on its own. */
  private readonly unread = new Map<string, Fault>()
  private phase: SyncPhase = 'starting'
  private fault: Fault | undefined
  private lastPull: number | null = null
  private progress: SyncProgress | undefined
  private nextTry: number | undefined

  constructor(
    readonly service: ServiceName,
    private readonly shared: Shared,
    private readonly hooks: LaneHooks,
  ) {
    const { memory, environment } = shared
    this.timetable = new Timetable(environment.elapsed, (key) => {
      const read = memory.cursors.get(key)?.pulledAt
      return read === undefined ? undefined : Math.max(0, environment.now() - read)
    })
    this.roots = rootsOf(shared.account, service)
  }

  get state(): LaneState {
    const [unread] = this.unread.values()
    const fault = this.fault ?? unread
    return {
      service: this.service,
      phase: this.phase,
      lastPull: this.lastPull,
      ...(this.nextTry !== undefined && { nextTry: this.nextTry }),
      ...(fault && { fault }),
      ...(this.progress && { progress: this.progress }),
    }
  }

  start(): void {
    this.stopped = false
    const times = [...this.shared.memory.cursors.values()]
      .filter(({ key }) => collections[parseRecordKey(key).collection]?.service === this.service)
      .map(({ pulledAt }) => pulledAt)
    this.lastPull = times.length > 0 ? Math.max(...times) : null
    this.wake()
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true
    this.shared.environment.clearTimer(this.timer)
    while (this.running) await this.running
  }

  /** There is something new to send. */
  edited(): void {
    this.pushAt = this.elapsed() + editPause
    this.wake()
  }

  /** Pull everything and send everything now, whatever was to wait; also the way out of an expired sign-in. */
  syncNow(): void {
    this.frozen = false
    this.waits.clear()
    this.entriesToBlame.clear()
    this.targetsToBlame.clear()
    this.resume()
  }

  /** After waking up or coming back: look before sending. */
  resume(): void {
    this.lookAgain()
    this.pushAt = 0
    this.holdUntil = 0
    this.wake()
  }

  /** The service says that something has changed. */
  notified(key: string): void {
    this.timetable.hurry((known) => known === key)
    this.wake()
  }

  setOffline(offline: boolean): void {
    if (this.offline === offline) return
    this.offline = offline
    if (offline) this.wake()
    else this.resume()
  }

  setPaused(paused: boolean): void {
    this.paused = paused
    this.wake()
  }

  /** What is to be kept here is another than before: what is read for nobody ends, what is new begins. */
  chosen(refresh: readonly Target[] = []): void {
    this.timetable.refresh(refresh)
    this.wake()
  }

  /** Whether a target is being read, and how many records of it have come. */
  reading(key: string): number | undefined {
    return this.current?.key === key ? this.current.records : undefined
  }

  /** What keeps a target from being read. */
  faultOf(key: string): Fault | undefined {
    return this.unread.get(key)
  }

  /** Targets whose changes the service can tell us. */
  get watchable(): Target[] {
    return this.all.filter(({ collection, id }) => collections[collection].watch !== undefined && id === undefined)
  }

  /** The keys of targets that it does tell us about. */
  watched(keys: ReadonlySet<string>): void {
    this.timetable.watched = keys
  }

  /** Lets the lane look again; it decides itself what there is to do. */
  wake(): void {
    if (this.stopped) return
    this.shared.environment.clearTimer(this.timer)
    this.timer = undefined
    if (this.running) {
      this.again = true
      return
    }
    const running = this.run().catch((error: unknown) => {
      // Whatever went wrong, the queue is tried again: a lane that ended would say nothing and send nothing.
      this.hold(faultOf(error), 0)
      if (!this.stopped) this.rest('waiting', this.holdUntil)
    })
    this.running = running.finally(() => {
      this.running = null
      if (this.again) {
        this.again = false
        this.wake()
      }
    })
  }

  private async run(): Promise<void> {
    for (;;) {
      this.again = false
      if (this.stopped) return
      const still = this.mustStandStill()
      // Even if the wait is over by now: without a timer nobody would look again.
      if (still) return this.rest(still, still === 'waiting' ? this.holdUntil : undefined)
      const now = this.elapsed()
      const { ready, nextAt } = this.paused ? { ready: [], nextAt: undefined } : this.pick(this.maySend)
      if (ready.length > 0 && now >= this.pushAt) {
        await this.pushRound(() => this.maySend)
        continue
      }
      if (this.looked !== 'everywhere' || this.dueTargets().length > 0) {
        await this.pullRound()
        continue
      }
      const pushing = ready.length > 0 ? this.pushAt : nextAt
      const pulling = Math.min(...this.all.map((target) => this.timetable.due(target)))
      const waiting = ready.length === 0 && nextAt !== undefined
      return this.rest(
        this.paused ? 'paused' : waiting ? 'waiting' : 'idle',
        Math.min(pushing ?? Infinity, pulling),
        pushing,
      )
    }
  }

  private mustStandStill(): SyncPhase | undefined {
    if (this.offline) return 'offline'
    if (this.frozen) return 'signIn'
    if (this.elapsed() < this.holdUntil) return 'waiting'
    return undefined
  }

  private rest(phase: SyncPhase, until?: number, nextTry = until): void {
    this.show(phase, phase === 'waiting' && nextTry !== undefined ? this.now() + nextTry - this.elapsed() : undefined)
    if (until === undefined || until === Infinity || phase === 'offline' || phase === 'signIn') return
    const { environment } = this.shared
    this.timer = environment.setTimer(() => this.wake(), Math.max(1, until - this.elapsed()))
  }

  private lookAgain(): void {
    this.looked = new Set()
    this.round = null
    this.ahead.forget()
    this.timetable.hurry()
  }

  private get all(): Target[] {
    return targets(this.shared.memory, this.service, this.roots)
  }

  private dueTargets(): Target[] {
    const now = this.elapsed()
    return this.all.filter((target) => this.timetable.due(target) <= now)
  }

  /** What an entry waits for comes first after the roots; what keeps meeting a limit comes last. */
  private nextTarget(done: ReadonlySet<string>): { target: Target | undefined; left: number } {
    const due = this.dueTargets().filter(({ key }) => !done.has(key))
    const waited = new Set(this.paused ? [] : this.pick().ready.flatMap((entry) => [...keysFor(entry)]))
    const roots = new Set(this.roots.map(({ key }) => key))
    const rank = ({ key }: Target): number =>
      this.targetsToBlame.letsPass(key) ? 3 : roots.has(key) ? 0 : waited.has(key) ? 1 : 2
    const target = due.reduce<Target | undefined>(
      (best, one) => (best === undefined || rank(one) < rank(best) ? one : best),
      undefined,
    )
    return { target, left: due.length }
  }

  /** Reads what is due, until it is read or something may be sent; the next call then goes on. */
  private async pullRound(): Promise<void> {
    const first = this.roots.some((root) => !this.shared.memory.cursors.has(root.key)) || this.lastPull === null
    const round = (this.round ??= { done: new Set(), records: 0, heard: 0 })
    this.pullingSince = this.elapsed()
    this.show(first ? 'firstSync' : 'pulling')
    for (;;) {
      // New calendars and lists turn up on the way.
      const { target, left } = this.nextTarget(round.done)
      if (!target) break
      const { size } = round.done
      if (first) this.progress = { done: size, total: size + left, records: round.records }
      this.hooks.changed()
      const records = await this.pullOne(target, (count) => this.count(target, round.records + count, count))
      if (records === undefined) {
        round.heard = 0
        return
      }
      if (this.round !== round) return
      round.done.add(target.key)
      if (this.looked !== 'everywhere') this.looked.add(target.key)
      round.records += records
      if (!this.unread.has(target.key)) round.heard++
      if (this.stopped || this.mustStandStill()) return
      if (this.elapsed() >= this.pushAt && !this.paused && this.pick(this.maySend).ready.length > 0) return
    }
    this.round = null
    const living = new Set(this.all.map(({ key }) => key))
    for (const key of this.unread.keys()) if (!living.has(key)) this.unread.delete(key)
    const silent = [...this.unread.values()].find(({ code }) => faults[code].retry)
    // Nobody was heard: whatever is sent now would meet the same.
    if (round.heard === 0 && silent) return this.hold(silent, 0)
    if (this.watchable.length > 0) this.hooks.read()
    this.looked = 'everywhere'
    this.progress = undefined
    this.fault = undefined
    this.failures = 0
    if (!silent) this.lastPull = this.now()
    this.hooks.changed()
  }

  private count({ key }: Target, all: number, records: number): void {
    if (this.progress) this.progress = { ...this.progress, records: all }
    if (this.current?.key === key) this.current.records = records
    this.hooks.changed()
  }

  /** The number of records, or undefined when the whole round has to stop. */
  private async pullOne(target: Target, progress: (records: number) => void): Promise<number | undefined> {
    this.timetable.begun(target)
    this.current = { key: target.key, records: 0 }
    try {
      const pulled = await pullTarget(this.engine, target, this.betweenOf(target), progress)
      this.timetable.pulled(target, pulled.changed)
      this.targetsToBlame.passed(target.key)
      this.unread.delete(target.key)
      this.hooks.pulled(target, pulled)
      return pulled.records
    } catch (error) {
      if (this.stopped || error instanceof PullLeft) return undefined
      return this.pullFailed(target, faultOf(error))
    } finally {
      this.current = null
    }
  }

  private pullFailed(target: Target, fault: Fault): number | undefined {
    const { key } = target
    const { retry, concerns } = faults[fault.code]
    if (concerns !== 'entry') {
      this.targetsToBlame.limited(key)
      if (!retry || !this.targetsToBlame.isOwn(key)) return this.hold(fault, 0)
    }
    const failures = this.timetable.failures(target)
    const passes = retry && concerns === 'entry' && failures + 1 < aloneAfter
    this.timetable.failed(target, passes ? 0 : (fault.retryAfter ?? backOff(failures + 4, this.random)))
    if (passes) return this.hold(fault, 0)
    // One calendar that cannot be read does not keep the others from being read, nor edits from being sent.
    if (fault.code === 'notFound' || fault.code === 'gone') this.unread.delete(key)
    else this.unread.set(key, fault)
    if (fault.code === 'notFound') this.timetable.hurry((other) => this.roots.some((root) => root.key === other))
    this.fault = fault
    return 0
  }

  /** Edits that come between two pages: only where a copy of theirs could be told from what was there before. */
  private betweenOf = (target: Target): Between => ({
    ends: () => this.isUnwanted(target),
    wanted: (): boolean => {
      const long = this.elapsed() - this.pullingSince >= letOutAfter
      const may = long && !this.paused && !this.stopped && !this.mustStandStill() && this.elapsed() >= this.pushAt
      return may && this.pick(this.isKnown).ready.length > 0
    },
    run: async (): Promise<boolean> => {
      const { phase } = this
      if (this.isUnwanted(target)) return false
      await this.pushRound(() => this.isKnown)
      this.pullingSince = this.elapsed()
      this.show(phase)
      return !this.isUnwanted(target) && !this.mustStandStill()
    },
  })

  /** Nobody wants any longer what is being read. */
  private isUnwanted({ key }: Target): boolean {
    return this.stopped || !this.all.some((target) => target.key === key)
  }

  /** Of an entry, whether all that concerns it, as far as there is anything to read, has been read since this computer was away. */
  private get maySend(): (entry: OutboxEntry) => boolean {
    const { looked, round } = this
    if (looked === 'everywhere') return () => true
    // Where nobody was heard, whatever is sent would meet the same.
    if (!round?.heard || !this.roots.every(({ key }) => looked.has(key))) return () => false
    const living = new Set(this.all.map(({ key }) => key))
    return (entry) => {
      if (!this.isKnown(entry)) return false
      // Where no etag guards a write, its record is read and compared all the same.
      if (!collections[entry.collection].etag) return true
      return [...keysFor(entry)].every((key) => !living.has(key) || looked.has(key))
    }
  }

  /** A creation that the service names is looked for by what was not there before: its list must have been read once. */
  private readonly isKnown = ({ collection, parent, kind }: OutboxEntry): boolean => {
    if (kind !== 'create' || collections[collection].ids !== 'service') return true
    const list = listOf(collection, parent)
    const { cursors } = this.shared.memory
    if (cursors.has(list.key)) return true
    // What is kept here by choice alone need not be kept at all; but what is chosen comes first.
    if (!isByChoice(collections[list.collection])) return false
    const here = this.all.filter((target) => target.collection === list.collection && target.parent === list.parent)
    return here.every(({ key }) => cursors.has(key))
  }

  private async pushRound(may: () => (entry: OutboxEntry) => boolean): Promise<void> {
    this.show('pushing')
    const sending = new Map<string, Promise<void>>()
    let outage = 0
    let stop = false
    const send = async (entry: OutboxEntry): Promise<void> => {
      const { engine } = this
      const seen = await this.ahead.of(engine, entry, this.shared.memory.outbox.sendable(this.service))
      const outcome = await sendEntry(engine, entry.id, seen).catch((error: unknown) => {
        // Neither sent nor booked: this computer cannot keep it.
        this.hold(faultOf(error), 0)
        stop = true
      })
      if (!outcome) return
      outage = outcome.kind === 'retry' ? outage + 1 : 0
      if (this.takeOutcome(entry, outcome, outage)) stop = true
    }
    for (;;) {
      const { ready } = this.pick(may())
      const next = stop || this.paused || this.stopped || this.mustStandStill() ? [] : ready
      for (const entry of next) {
        if (sending.has(entry.id)) continue
        sending.set(
          entry.id,
          send(entry).finally(() => sending.delete(entry.id)),
        )
      }
      if (sending.size === 0) break
      this.hooks.changed()
      await Promise.race(sending.values())
    }
    this.hooks.sent()
  }

  /** Whose trouble an outcome is, before it is booked. Milliseconds for which the entry lets others go first. */
  private readonly judge = (entry: OutboxEntry, outcome: Outcome): number | undefined => {
    if (outcome.kind === 'frozen') return undefined
    if (outcome.kind !== 'retry') {
      this.entriesToBlame.passed(entry.id)
      return undefined
    }
    if (faults[outcome.fault.code].concerns === 'entry') return undefined
    this.entriesToBlame.limited(entry.id)
    const more = backOff(this.entriesToBlame.times(entry.id), this.random)
    if (this.entriesToBlame.isOwn(entry.id)) return Math.max(more, outcome.wait)
    this.hold(outcome.fault, outcome.wait)
    return this.entriesToBlame.letsPass(entry.id) ? this.holdUntil - this.elapsed() + more : undefined
  }

  /** Whether sending has to stop. */
  private takeOutcome(entry: OutboxEntry, outcome: Outcome, outage: number): boolean {
    if (outcome.kind === 'frozen') {
      this.frozen = true
      this.fault = outcome.fault
      return true
    }
    if (outcome.kind === 'retry') {
      const { code } = outcome.fault
      if (code === 'badAnswer') {
        // Is it this entry, or does somebody in between answer everything? What is read next tells.
        this.lookAgain()
        return true
      }
      if (faults[code].concerns !== 'entry') return !this.entriesToBlame.isOwn(entry.id)
      if (outage < outageAfter) return false
      this.hold(outcome.fault, outcome.wait)
      return true
    }
    this.failures = 0
    this.fault = undefined
    if (outcome.kind === 'confirmed' || outcome.kind === 'merged') {
      const stirred = stirredBy(entry)
      this.timetable.hurry((key) => stirred.has(key))
    }
    return false
  }

  /** The service or the way to it is in trouble: wait, longer each time. */
  private hold(fault: Fault, asked: number): undefined {
    this.fault = fault
    if (fault.code === 'signInExpired') {
      this.frozen = true
      return undefined
    }
    const spent = fault.code === 'quotaSpent' ? untilDayRenews(this.service, this.now()) : undefined
    const wait = asked > 0 ? asked : (fault.retryAfter ?? spent ?? backOff(this.failures, this.random))
    this.failures++
    this.holdUntil = this.elapsed() + wait
    if (fault.code === 'offline' || fault.code === 'unreachable') this.lookAgain()
    return undefined
  }

  private get engine(): Engine {
    return { ...this.shared, waits: this.waits, judge: this.judge, hurry: this.hurry }
  }

  private readonly hurry: Engine['hurry'] = (wanted) => this.timetable.refresh(this.all.filter(wanted))

  private show(phase: SyncPhase, nextTry?: number): void {
    this.phase = phase
    this.nextTry = nextTry
    this.hooks.changed()
  }

  private pick(may?: (entry: OutboxEntry) => boolean): Picked {
    return pick(this.shared.memory.outbox, this.service, this.waits, this.elapsed(), may)
  }

  private elapsed(): number {
    return this.shared.environment.elapsed()
  }

  private now(): number {
    return this.shared.environment.now()
  }

  private get random(): () => number {
    return this.shared.environment.random
  }
}
