import { collections, type CollectionName } from '#shared/domain/collections'
import { faultOf, FaultError, transient, type Fault, type FaultCode } from '#shared/fault'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import type { SyncPhase, SyncStatus } from '../replica/api'
import { backOff } from '../replica/environment'
import { pick, type Picked } from './queue'
import { PullLeft, pullTarget, type Pulled } from './pull'
import { sendEntry } from './push'
import { Spent } from './spent'
import { rootsOf, targets, targetOf, Timetable, type Target } from './targets'
import type { Engine } from './engine'
import { watched } from './watchdog'

export interface LoopHooks {
  /** Something that `status` shows has changed. */
  changed(): void
  /** A target was read to its end. */
  pulled(target: Target, pulled: Pulled): void
}

/** Edits are sent so long after the last one, coalesced. */
const editPause = 400
/** A pull that lasts longer lets edits out between its pages. */
const letOutAfter = 5_000
/** A target that failed so often in a row no longer keeps the others, and what is to be sent, waiting. */
const aloneAfter = 3
/** So many server errors in a row mean the service, not the entry. */
const outageAfter = 3

/** Faults that say nothing about what was asked: everything waits. */
const concernsAll = new Set<FaultCode>(['offline', 'unreachable', 'rateLimited', 'quotaSpent', 'signInExpired'])

/**
 * Pulls and pushes, one after the other and never both at once, so that a page never brings back what a push has just
 * replaced; a long pull makes room between two pages. Everything it knows is in the store; what it holds itself is only when to try again.
 */
export class SyncLoop {
  private readonly spent: Spent
  private readonly timetable: Timetable
  private readonly roots: readonly Target[]
  private readonly bridge: Engine['bridge']
  private running: Promise<void> | null = null
  private timer: unknown
  private stopped = true
  private offline = false
  private paused = false
  private frozen = false
  /** Nothing is sent before a pull: after start, waking up, and being offline. */
  private pullFirst = true
  /** What waits, waits by `elapsed`: a clock that is set anew neither hurries nor holds anything. */
  private readonly waits = new Map<string, number>()
  private pushAt = 0
  private holdUntil = 0
  private failures = 0
  private pullingSince = 0
  /** What keeps targets from being read, by their keys; each is tried again on its own. */
  private readonly unread = new Map<string, Fault>()
  private phase: SyncPhase = 'starting'
  private fault: Fault | undefined
  private lastPull: number | null = null
  private progress: SyncStatus['progress']
  private nextTry: number | undefined

  constructor(
    private readonly engine: Omit<Engine, 'spend' | 'waits'>,
    private readonly hooks: LoopHooks,
  ) {
    const { elapsed } = engine.environment
    this.spent = new Spent(elapsed)
    this.timetable = new Timetable(elapsed)
    this.roots = rootsOf(engine.account)
    this.bridge = watched(engine.bridge, engine.environment)
  }

  get status(): Pick<
    SyncStatus,
    'phase' | 'offline' | 'paused' | 'lastPull' | 'nextTry' | 'fault' | 'progress' | 'unitsLastMinute'
  > {
    const [unread] = this.unread.values()
    const fault = this.fault ?? unread
    return {
      phase: this.phase,
      offline: this.offline,
      paused: this.paused,
      lastPull: this.lastPull,
      ...(this.nextTry !== undefined && { nextTry: this.nextTry }),
      ...(fault && { fault }),
      ...(this.progress && { progress: this.progress }),
      unitsLastMinute: this.spent.lastMinute,
    }
  }

  start(lastPull: number | null): void {
    this.stopped = false
    this.lastPull = lastPull
    this.wake()
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true
    this.engine.environment.clearTimer(this.timer)
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
    this.resume()
  }

  /** After waking up or coming back: look before sending. */
  resume(): void {
    this.pullFirst = true
    this.pushAt = 0
    this.holdUntil = 0
    this.timetable.hurry()
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

  /** Lets the loop look again; it decides itself what there is to do. */
  wake(): void {
    if (this.stopped) return
    this.engine.environment.clearTimer(this.timer)
    this.timer = undefined
    if (this.running) {
      this.again = true
      return
    }
    const running = this.run().catch((error: unknown) => {
      // Whatever went wrong, the queue is tried again: a loop that ended would say nothing and send nothing.
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
  private again = false

  private async run(): Promise<void> {
    for (;;) {
      this.again = false
      if (this.stopped) return
      const still = this.mustStandStill()
      // Even if the wait is over by now: without a timer nobody would look again.
      if (still) return this.rest(still, still === 'waiting' ? this.holdUntil : undefined)
      const now = this.elapsed()
      const { ready, nextAt } = this.paused ? { ready: [], nextAt: undefined } : this.pick()
      const due = this.dueTargets()
      if (this.pullFirst || (due.length > 0 && (ready.length === 0 || now < this.pushAt))) {
        await this.pullRound(due)
        continue
      }
      if (ready.length > 0 && now >= this.pushAt) {
        await this.pushRound()
        continue
      }
      const pushing = ready.length > 0 ? this.pushAt : nextAt
      const pulling = Math.min(...targets(this.engine.memory, this.roots).map((target) => this.timetable.due(target)))
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
    const { environment } = this.engine
    this.timer = environment.setTimer(() => this.wake(), Math.max(1, until - this.elapsed()))
  }

  private dueTargets(): Target[] {
    const now = this.elapsed()
    return targets(this.engine.memory, this.roots).filter((target) => this.timetable.due(target) <= now)
  }

  private async pullRound(due: readonly Target[]): Promise<void> {
    const first = this.roots.some((root) => !this.engine.memory.cursors.has(root.key)) || this.lastPull === null
    const all = this.pullFirst
    const queue = [...due]
    const done = new Set<string>()
    let records = 0
    let read = 0
    this.pullingSince = this.elapsed()
    this.show(first ? 'firstSync' : 'pulling')
    while (queue.length > 0) {
      const target = queue.shift()!
      done.add(target.key)
      if (first) this.progress = { done: done.size - 1, total: done.size + queue.length, records }
      this.hooks.changed()
      const finished = await this.pullOne(target, first ? (count) => this.count(records + count) : undefined)
      if (finished === undefined) return
      records += finished
      if (!this.unread.has(target.key)) read++
      // New calendars and lists turn up on the way.
      const more = this.dueTargets().filter((next) => !done.has(next.key) && !queue.some(({ key }) => key === next.key))
      queue.push(...more)
      if (this.stopped || this.mustStandStill()) return
      if (!all && this.elapsed() >= this.pushAt && !this.paused && this.pick().ready.length > 0) return
    }
    const [unreadable] = this.unread.values()
    // Nobody was heard: whatever is sent now would meet the same.
    if (read === 0 && unreadable) return this.hold(unreadable, 0)
    void this.watch()
    this.pullFirst = false
    this.progress = undefined
    this.fault = undefined
    this.failures = 0
    const living = new Set(targets(this.engine.memory, this.roots).map(({ key }) => key))
    for (const key of this.unread.keys()) if (!living.has(key)) this.unread.delete(key)
    if (this.unread.size === 0) this.lastPull = this.now()
    this.hooks.changed()
  }

  /** Asks to be told of changes, where the service can; whatever it cannot is polled as before. */
  private async watch(): Promise<void> {
    const wanted = targets(this.engine.memory, this.roots).filter(
      ({ collection, id }) => collections[collection].watch !== undefined && id === undefined,
    )
    const { bridge, account } = this.engine
    const request = wanted.map(({ collection, parent }) => ({ collection, parent }))
    const answer = await bridge.ask('sync/watch', { accountId: account.id, targets: request })
    this.timetable.watched = new Set(answer.ok ? answer.value.watched : [])
  }

  private count(records: number): void {
    if (this.progress) this.progress = { ...this.progress, records }
    this.hooks.changed()
  }

  /** The number of records, or undefined when the whole round has to stop. */
  private async pullOne(target: Target, progress?: (records: number) => void): Promise<number | undefined> {
    try {
      const pulled = await pullTarget(this.counting, target, this.between, progress)
      this.timetable.pulled(target, pulled.changed)
      this.unread.delete(target.key)
      this.hooks.pulled(target, pulled)
      return pulled.records
    } catch (error) {
      const fault = error instanceof FaultError ? error.fault : faultOf(error)
      if (this.stopped || error instanceof PullLeft) return undefined
      if (!concernsAll.has(fault.code)) {
        const failures = this.timetable.failures(target)
        const passes = transient[fault.code] && failures + 1 < aloneAfter
        this.timetable.failed(target, passes ? 0 : backOff(failures + 4, this.random))
        if (passes) return this.hold(fault, 0)
        // One calendar that cannot be read does not keep the others from being read, nor edits from being sent.
        if (transient[fault.code]) this.unread.set(target.key, fault)
        else this.unread.delete(target.key)
        if (fault.code === 'notFound') this.timetable.hurry((key) => this.roots.some((root) => root.key === key))
        this.fault = fault
        return 0
      }
      return this.hold(fault, 0)
    }
  }

  /** Edits that come between two pages: only where a copy of theirs could be told from what was there before. */
  private readonly between = {
    wanted: (): boolean => {
      const long = this.elapsed() - this.pullingSince >= letOutAfter
      const may = long && !this.paused && !this.stopped && !this.mustStandStill() && this.elapsed() >= this.pushAt
      return may && this.pick().ready.some((entry) => this.isKnown(entry))
    },
    run: async (): Promise<boolean> => {
      const { phase } = this
      await this.pushRound((entry) => this.isKnown(entry))
      this.pullingSince = this.elapsed()
      this.show(phase)
      return !this.stopped && !this.mustStandStill()
    },
  }

  /** A creation that the service names is looked for by what was not there before: its list must have been read once. */
  private isKnown(entry: OutboxEntry): boolean {
    if (entry.kind !== 'create' || collections[entry.collection].ids !== 'service') return true
    const { memory } = this.engine
    const { collection, parent } = memory.habits.of(entry.collection).turnsUpIn?.(entry) ?? entry
    return memory.cursors.has(targetOf(collection, parent).key)
  }

  private async pushRound(may: (entry: OutboxEntry) => boolean = () => true): Promise<void> {
    this.show('pushing')
    const sending = new Map<string, Promise<void>>()
    let outage = 0
    let stop = false
    const send = async (entry: OutboxEntry): Promise<void> => {
      const outcome = await sendEntry(this.counting, entry.id).catch((error: unknown): Outcome => {
        return { kind: 'retry', fault: faultOf(error), wait: 0, unknown: true, units: 0 }
      })
      if (!outcome) return
      outage = outcome.kind === 'retry' ? outage + 1 : 0
      if (this.takeOutcome(entry, outcome, outage)) stop = true
    }
    for (;;) {
      const { ready } = this.pick()
      const next = stop || this.paused || this.stopped || this.mustStandStill() ? [] : ready
      for (const entry of next) {
        if (sending.has(entry.id) || !may(entry)) continue
        sending.set(
          entry.id,
          send(entry).finally(() => sending.delete(entry.id)),
        )
      }
      if (sending.size === 0) return
      this.hooks.changed()
      await Promise.race(sending.values())
    }
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
      const general = code === 'offline' || code === 'unreachable' || code === 'rateLimited' || code === 'quotaSpent'
      if (code === 'badAnswer') {
        // Is it this entry, or does somebody in between answer everything? What is read next tells.
        this.pullFirst = true
        this.timetable.hurry()
        return true
      }
      if (!general && code !== 'storage' && outage < outageAfter) return false
      this.hold(outcome.fault, outcome.wait)
      return true
    }
    this.failures = 0
    this.fault = undefined
    if (outcome.kind === 'confirmed' || outcome.kind === 'merged') this.hurryAfter(entry)
    return false
  }

  /** What the service changes by itself after some writes: order of siblings, occurrences, lists of calendars. */
  private hurryAfter(entry: OutboxEntry): void {
    const wanted = new Set<string>()
    const add = (collection: CollectionName, parent: string | null = null): unknown =>
      wanted.add(targetOf(collection, parent).key)
    const { habits } = this.engine.memory
    const beside = [habits.of(entry.collection), entry.action && habits.action(entry.action.name)]
    for (const habit of beside) for (const [name, parent] of habit?.changesBeside?.(entry) ?? []) add(name, parent)
    if (entry.action && 'destination' in entry.action && entry.action.destination)
      add(entry.collection, entry.action.destination)
    if (wanted.size > 0) this.timetable.hurry((key) => wanted.has(key))
  }

  /** The service or the way to it is in trouble: wait, longer each time. */
  private hold(fault: Fault, asked: number): undefined {
    this.fault = fault
    if (fault.code === 'signInExpired') {
      this.frozen = true
      return undefined
    }
    const wait = asked > 0 ? asked : (fault.retryAfter ?? backOff(this.failures, this.random))
    this.failures++
    this.holdUntil = this.elapsed() + wait
    if (fault.code === 'offline' || fault.code === 'unreachable') this.pullFirst = true
    return undefined
  }

  private get counting(): Engine {
    return { ...this.engine, bridge: this.bridge, waits: this.waits, spend: (units) => this.spent.add(units) }
  }

  private show(phase: SyncPhase, nextTry?: number): void {
    this.phase = phase
    this.nextTry = nextTry
    this.hooks.changed()
  }

  private pick(): Picked {
    return pick(this.engine.memory.outbox, this.waits, this.elapsed())
  }

  private elapsed(): number {
    return this.engine.environment.elapsed()
  }

  private now(): number {
    return this.engine.environment.now()
  }

  private get random(): () => number {
    return this.engine.environment.random
  }
}
