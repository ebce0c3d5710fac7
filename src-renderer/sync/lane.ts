import { faultOf, faults, type Fault } from '#shared/fault'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import { untilDayRenews } from '#shared/wire/quotas'
import type { ServiceName } from '#shared/wire/services'
import type { LaneStatus, SyncPhase } from '../replica/api'
import { backOff } from '../replica/environment'
import { ReadAheadCache } from './read-ahead'
import { RateLimitScope } from './rate-limit-scope'
import { LaneCheck } from './lane-check'
import type { Looks } from './downloads'
import type { Engine, Shared } from './engine'
import { awaitsLists } from './find-moved-record'
import { isBehindTwin, pick, type Picked } from './queue'
import type { Pulled } from './pull'
import { askFirst, sendEntry } from './push'
import { Reading } from './lane-reader'
import { sideEffectsOf, type Target } from './targets'

export interface LaneHooks {
  /** Something that `status` shows has changed. */
  changed(): void
  /** A target was read to its end. */
  pulled(target: Target, pulled: Pulled): void
  /** Entries have ended, so entries in other lanes that depend on them may be sent. */
  sent(): void
  /** Everything due has been read, so it's known what to watch. */
  read(): void
}

/** A lane's own state. The number of pending entries comes from the outbox. */
export type LaneState = Omit<LaneStatus, 'unsent' | 'needsYou' | 'drafts'>

/** Delay after the last edit before sending, in milliseconds. Coalesces edits. */
const editPause = 400
/** Consecutive server errors after which the service counts as down, not the entry. */
const outageAfter = 3

/**
 * Pulls and pushes of one service, one at a time, so that a page never restores what a push has just replaced. A long pull
 * pauses between pages. Nothing that delays one lane affects another. All state is in the store, except when to retry.
 */
export class Lane {
  private readonly engine: Engine
  private readonly reading: Reading
  private readonly checks: LaneCheck
  private running: Promise<void> | null = null
  private again = false
  private timer: unknown
  private stopped = true
  private offline = false
  private paused = false
  private frozen = false
  private readonly ahead = new ReadAheadCache()
  /** Deadlines in monotonic time, so that a changed clock neither hurries nor delays anything. */
  private readonly waits = new Map<string, number>()
  private readonly missed: Engine['missed'] = new Map()
  private readonly entriesToBlame = new RateLimitScope()
  private pushAt = 0
  private holdUntil = 0
  private failures = 0
  private phase: SyncPhase = 'starting'
  private fault: Fault | undefined
  /** Why the entry to be sent next waits, while the service itself works. */
  private entryFault: Fault | undefined
  private nextTry: number | undefined

  constructor(
    readonly service: ServiceName,
    private readonly shared: Shared,
    private readonly hooks: LaneHooks,
  ) {
    const { waits, missed, judge, hurry } = this
    const mark = (): number => this.reading.mark()
    const since: Engine['since'] = (key, at) => this.reading.readSince(key, at)
    const outdated: Engine['outdated'] = (key) => this.reading.outdated(key)
    this.engine = { ...shared, waits, missed, judge, hurry, mark, since, outdated }
    this.reading = new Reading(service, shared, {
      engine: () => this.engine,
      stopped: () => this.stopped,
      isBlocked: () => this.blockingPhase() !== undefined,
      waiting: () => (this.paused ? [] : this.pick().ready),
      sends: (may) => !this.paused && !this.stopped && this.elapsed() >= this.pushAt && this.pick(may).ready.length > 0,
      letOut: (may) => this.pushRound(() => may),
      hold: (fault) => this.hold(fault, 0),
      met: (fault) => {
        this.fault = fault
        if (!fault) this.failures = 0
      },
      show: (phase) => this.show(phase),
      phase: () => this.phase,
      changed: () => hooks.changed(),
      pulled: (target, pulled) => {
        // The local state may be newer than the prefetched one.
        this.ahead.forget()
        hooks.pulled(target, pulled)
      },
      read: () => hooks.read(),
    })
    this.checks = new LaneCheck(
      service,
      {
        engine: () => this.engine,
        targets: () => this.reading.all,
        changed: () => hooks.changed(),
      },
      shared.environment.elapsed,
    )
  }

  get roots(): readonly Target[] {
    return this.reading.roots
  }

  get state(): LaneState {
    const { lastPull, progress, unreadLists: unread } = this.reading
    const fault = this.fault ?? this.reading.fault ?? (this.phase === 'waiting' ? this.entryFault : undefined)
    const check = this.checks.status
    return {
      service: this.service,
      phase: this.phase,
      lastPull,
      ...(this.nextTry !== undefined && { nextTry: this.nextTry }),
      ...(fault && { fault }),
      ...(progress && { progress }),
      ...(unread.length > 0 && { unread }),
      ...(check && { check }),
    }
  }

  start(): void {
    this.stopped = false
    this.reading.start()
    this.wake()
  }

  /** Resolves once the lane is idle. */
  async stop(): Promise<void> {
    this.stopped = true
    this.shared.environment.clearTimer(this.timer)
    while (this.running) await this.running
  }

  /** Called when there's something new to send. */
  edited(): void {
    this.pushAt = this.elapsed() + editPause
    this.wake()
  }

  /** Pulls and sends everything now without waiting. Also resumes after an expired sign-in. */
  syncNow(): void {
    this.frozen = false
    this.waits.clear()
    this.entriesToBlame.clear()
    this.reading.forgive()
    this.resume()
  }

  /** Sends what is ready without waiting. Reads only the lists that it depends on: see `Freshness`. */
  sendNow(): void {
    this.frozen = false
    this.pushAt = 0
    this.holdUntil = 0
    this.wake()
  }

  /** Compares all lists with the service, once everything else is done. */
  checkSync(): void {
    this.checks.begin(true)
    this.wake()
  }

  cancelCheck(): void {
    this.checks.cancel()
  }

  /** Reads before sending, after the computer woke or came online. */
  resume(): void {
    this.readAgain()
    this.pushAt = 0
    this.holdUntil = 0
    this.wake()
  }

  /** Called when the service reports a change. */
  notified(key: string): void {
    this.reading.hurry(new Set([key]))
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
    this.ahead.forget()
    this.wake()
  }

  /** Follows a change of downloads: stops unneeded reads and starts new ones. */
  chosen(refresh: readonly Target[] = []): void {
    this.reading.refresh(refresh)
    this.wake()
  }

  /** Number of records of a target read so far, while it's being read. */
  recordsOf(key: string): number | undefined {
    return this.reading.recordsOf(key)
  }

  /** The fault that keeps a target from being read. */
  faultOf(key: string): Fault | undefined {
    return this.reading.faultOf(key)
  }

  get looks(): Looks {
    return this.reading.looks
  }

  /** Targets whose changes the service can notify us about. */
  get watchable(): Target[] {
    return this.reading.watchable
  }

  /** Sets the keys of targets with notifications. */
  watched(keys: ReadonlySet<string>): void {
    if (this.reading.watched(keys)) this.wake()
  }

  /** Makes the lane check for work. */
  wake(): void {
    if (this.stopped) return
    this.shared.environment.clearTimer(this.timer)
    this.timer = undefined
    if (this.running) {
      this.again = true
      return
    }
    const running = this.run().catch((error: unknown) => {
      // Retries the queue after any error: a lane that ended would be silent and send nothing.
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
      const still = this.blockingPhase()
      if (still && this.checks.isRunning) await this.checks.interrupt(this.stillFault(still))
      // Even if the wait is over: without a timer nothing would check again.
      if (still) return this.rest(still, still === 'waiting' ? this.holdUntil : undefined)
      const now = this.elapsed()
      const { ready, nextAt, next }: Picked = this.paused ? { ready: [] } : this.pick(this.reading.maySend)
      if (ready.length > 0 && now >= this.pushAt) {
        await this.pushRound(() => this.reading.maySend)
        continue
      }
      if (this.reading.isDue) {
        await this.reading.read()
        continue
      }
      if (this.checks.isDue) {
        this.show('pulling')
        await this.checks.step()
        continue
      }
      const pushing = ready.length > 0 ? this.pushAt : nextAt
      const pulling = this.reading.dueAt
      const waiting = ready.length === 0 && nextAt !== undefined
      this.entryFault = next?.fault
      return this.rest(
        this.paused ? 'paused' : waiting ? 'waiting' : 'idle',
        Math.min(pushing ?? Infinity, pulling, this.checks.dueAt),
        pushing,
      )
    }
  }

  private stillFault(phase: SyncPhase): Fault {
    if (phase === 'offline') return { code: 'offline', message: 'You’re offline.' }
    return this.fault ?? { code: 'aborted', message: 'The service isn’t responding.' }
  }

  private blockingPhase(): SyncPhase | undefined {
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

  private readAgain(): void {
    this.ahead.forget()
    this.reading.readAgain()
  }

  private async pushRound(may: () => (entry: OutboxEntry) => boolean): Promise<void> {
    this.show('pushing')
    const sending = new Map<string, Promise<void>>()
    let outage = 0
    let stop = false
    const send = async (entry: OutboxEntry): Promise<void> => {
      const { engine } = this
      const checked = this.elapsed()
      const isOutdated = (): boolean => this.reading.isOutdated(entry, checked)
      const unread = this.reading.unreadBy(entry)
      const seen = await this.ahead.of(engine, entry, this.shared.memory.outbox.sendable(this.service))
      const sent =
        unread.length > 0 ? askFirst(engine, entry.id, unread) : sendEntry(engine, entry.id, isOutdated, seen)
      const outcome = await sent.catch((error: unknown) => {
        // Neither sent nor stored, because this computer can't save it.
        this.hold(faultOf(error), 0)
        stop = true
      })
      if (!outcome) return
      // Not the service's fault: a record is looked for.
      const isFailure = outcome.kind === 'retry' && outcome.fault.code !== 'aborted'
      outage = isFailure ? outage + 1 : 0
      if (this.takeOutcome(entry, outcome, outage)) stop = true
    }
    for (;;) {
      const { ready } = this.pick(may())
      const next = stop || this.paused || this.stopped || this.blockingPhase() ? [] : ready
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

  /** Finds the scope of an outcome before it's stored. Returns milliseconds for which the entry lets others go first. */
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

  /** Returns true if sending must stop. */
  private takeOutcome(entry: OutboxEntry, outcome: Outcome, outage: number): boolean {
    if (outcome.kind === 'frozen') {
      this.frozen = true
      this.fault = outcome.fault
      return true
    }
    if (outcome.kind === 'retry') {
      const { code } = outcome.fault
      if (code === 'badAnswer') {
        // Is it this entry, or does something in between answer everything? The next read shows it.
        this.readAgain()
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
      this.reading.hurry(sideEffectsOf(this.shared.memory.facts, entry))
    }
    return false
  }

  /** Waits because the service or the connection fails, longer each time. */
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
    if (fault.code === 'offline' || fault.code === 'unreachable') this.readAgain()
    return undefined
  }

  private readonly hurry: Engine['hurry'] = (wanted) => this.reading.await(wanted)

  private show(phase: SyncPhase, nextTry?: number): void {
    this.phase = phase
    this.nextTry = nextTry
    this.hooks.changed()
  }

  private pick(may?: (entry: OutboxEntry) => boolean): Picked {
    const { memory } = this.shared
    return pick(
      memory.outbox,
      this.service,
      this.waits,
      this.elapsed(),
      (entry) => !isBehindTwin(memory, entry) && !awaitsLists(this.engine, entry) && (may?.(entry) ?? true),
    )
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
