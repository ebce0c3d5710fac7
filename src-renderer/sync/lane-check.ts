import { faultOf, faults, type Fault } from '#shared/fault'
import type { CheckResult, CheckStatus } from '../replica/check-result'
import type { Engine } from './engine'
import { ListCheck, type Repair } from './list-check'
import type { Target } from './targets'

/** Interval between two checks of a list, in milliseconds. */
const every = 86_400_000
/** Delay before a daily check that failed is tried again, in milliseconds. */
const again = 3_600_000
/** Milliseconds for which a daily check's repairs stay listed with later ones. */
const listedFor = 7 * 86_400_000
/** Maximum share of a day's quota that a check may use up to. The rest is for people's changes. */
const maxDayShare = 0.8

const daySpent: Fault = { code: 'quotaSpent', message: 'The rest of today’s quota is reserved for your changes.' }

export interface ChecksAround {
  engine(): Engine
  /** Everything that is read of the service. */
  targets(): readonly Target[]
  changed(): void
}

/** A check in progress. */
interface Check {
  /** True if started by hand. */
  asked: boolean
  queue: Target[]
  current?: ListCheck
  /** Lists that were compared. */
  done: number
  repairs: Repair[]
  /** Repairs of earlier daily checks that stay listed. */
  earlier: readonly Repair[]
  /** The fault of a list that couldn't be read while the next ones could. */
  fault?: Fault
}

/**
 * The sync check of one lane: compares its lists one after the other, one call at a time, while the lane is idle. Repairs and
 * the next time of each list are stored with each call, so that a restart loses nothing.
 */
export class LaneCheck {
  private check: Check | null = null
  private notBefore = 0

  constructor(
    private readonly service: string,
    private readonly around: ChecksAround,
    private readonly elapsed: () => number,
  ) {}

  get status(): CheckStatus | undefined {
    const { check } = this
    const last = this.around.engine().memory.checks.get(this.service)
    // No one waits for a daily check.
    const running = check?.asked ? { done: check.done, total: check.done + check.queue.length } : undefined
    if (!running && !last) return undefined
    return { ...(running && { running }), ...(last && { last }) }
  }

  get isRunning(): boolean {
    return this.check !== null
  }

  /** True if there is a call to make now. Starts the daily check. */
  get isDue(): boolean {
    if (!this.check && this.elapsed() >= this.dueAt) this.begin(false)
    return this.check !== null
  }

  /** Start of the next daily check, in `elapsed` time. */
  get dueAt(): number {
    if (this.check) return this.elapsed()
    const waits = this.lists(false).map((target) => this.waitOf(target))
    return Math.max(this.notBefore, this.elapsed() + Math.min(...waits))
  }

  /** Starts a check. `asked` means that the user requested it. */
  begin(asked: boolean): void {
    if (asked && this.check?.asked) return
    const { memory, environment } = this.around.engine()
    const last = memory.checks.get(this.service)
    const isListed = last && environment.now() - last.at < listedFor
    const queue = this.lists(asked).filter((target) => asked || this.waitOf(target) === 0)
    if (queue.length === 0) return
    this.check = { asked, queue, done: 0, repairs: [], earlier: !asked && isListed ? last.repairs : [] }
    this.around.changed()
  }

  cancel(): void {
    this.check = null
    this.around.changed()
  }

  /** Ends a running check, because the lane has stopped and it's unknown for how long. */
  async interrupt(fault: Fault): Promise<void> {
    if (this.check) await this.end(this.check, fault)
  }

  /** Makes the next call. Skips lists that are no longer read. */
  async step(): Promise<void> {
    const { check } = this
    const target = check?.queue[0]
    if (!check || !target) return
    const engine = this.around.engine()
    if (await this.isDaySpent(engine, check.asked)) return this.end(check, daySpent)
    if (this.check !== check) return
    if (check.current?.target.key !== target.key) check.current = new ListCheck(target)
    const { current } = check
    let done = !engine.memory.cursors.has(target.key)
    let fault: Fault | undefined
    try {
      done ||= await current.step(engine)
    } catch (error) {
      fault = faultOf(error)
    }
    const found = current.takeRepairs()
    check.repairs.push(...found)
    if (this.check !== check) return found.length > 0 ? this.keep(check) : undefined
    const isOfList = fault && faults[fault.code].concerns === 'entry' && !faults[fault.code].retry
    if (fault && !isOfList) return this.end(check, fault, found.length > 0)
    if (done || isOfList) {
      check.queue.shift()
      if (fault) check.fault ??= fault
      else check.done++
    }
    if (check.queue.length === 0) return this.end(check, check.fault, true, target)
    if (found.length > 0 || done) await this.keep(check, check.fault, done ? target : undefined)
    this.around.changed()
  }

  private async end(check: Check, fault?: Fault, isNews = true, compared?: Target): Promise<void> {
    this.check = null
    if (fault && !check.asked) this.notBefore = this.elapsed() + again
    if (isNews || check.asked) await this.keep(check, fault, compared, true)
    this.around.changed()
  }

  /** Saves what was found so far. A daily check has a result only if it repaired something. */
  private async keep(check: Check, fault?: Fault, compared?: Target, ended = false): Promise<void> {
    const { commits, environment } = this.around.engine()
    const { asked, done: lists, repairs } = check
    const at = environment.now()
    const isListed = repairs.length > 0 || (asked && ended)
    const result: CheckResult = { at, lists, asked, repairs: [...check.earlier, ...repairs], ...(fault && { fault }) }
    const { saved } = commits.run('sync', (tx) => {
      if (isListed) tx.putCheck(this.service, result)
      if (compared) tx.putCheckDue(compared.key, at + every)
    })
    await saved
  }

  private async isDaySpent({ bridge, account }: Engine, asked: boolean): Promise<boolean> {
    const answer = await bridge.ask('sync/budget', { accountId: account.id })
    if (!answer.ok) return !asked
    return answer.value.budgets.some(
      ({ service, per, used, limit }) => service === this.service && per === 'day' && used >= limit * maxDayShare,
    )
  }

  /** Milliseconds until a list is compared. A clock that was set back must not delay it. */
  private waitOf({ key }: Target): number {
    const { memory, environment } = this.around.engine()
    const wait = (memory.checksDue.get(key) ?? 0) - environment.now()
    return wait > every ? 0 : Math.max(0, wait)
  }

  /**
   * Lists that have been read. A list without a cursor is compared whenever it's read, so only a manual check includes it. A log
   * is never complete.
   */
  private lists(asked: boolean): Target[] {
    const { memory } = this.around.engine()
    return this.around.targets().filter(({ key, collection, id }) => {
      const { list, log, cursor } = memory.facts.of(collection)
      return list && !log && id === undefined && memory.cursors.has(key) && (asked || cursor !== 'snapshot')
    })
  }
}
