import { faultOf, type Fault } from '#shared/fault'
import type { CheckResult, CheckStatus } from '../replica/checks'
import type { Engine } from './engine'
import { ListCheck, type Repair } from './list-check'
import type { Target } from './targets'

/** Each list is compared so often, in milliseconds. */
const every = 86_400_000
/** So long after a start the first check begins, and another one that did not come to its end. */
const firstAfter = 3_600_000
/** From this share of a day's quota on, calls are left to what people wait for. */
const mostOfDay = 0.8

export interface ChecksAround {
  engine(): Engine
  /** Everything that is read of the service. */
  targets(): readonly Target[]
  changed(): void
}

/**
 * The sync check of one lane: its lists, one after the other, one call at a time, whenever nothing else is to be done.
 * Results are kept over a restart.
 */
export class Checks {
  private queue: Target[] = []
  private current: ListCheck | null = null
  private done = 0
  private repairs: Repair[] = []
  private asked = false
  private running = false
  private notBefore = 0
  private readonly began: number

  constructor(
    private readonly service: string,
    private readonly around: ChecksAround,
    private readonly elapsed: () => number,
  ) {
    this.began = elapsed()
  }

  get status(): CheckStatus | undefined {
    const last = this.around.engine().memory.checks.get(this.service)
    const running = this.running ? { done: this.done, total: this.done + this.queue.length } : undefined
    if (!running && !last) return undefined
    return { ...(running && { running }), ...(last && { last }) }
  }

  /** Whether there is a call to make now; the daily check begins by this. */
  get isDue(): boolean {
    if (!this.running && this.elapsed() >= this.dueAt) this.begin(false)
    return this.running
  }

  /** When the next daily check begins, as `elapsed` counts; a first one an hour after a start. */
  get dueAt(): number {
    if (this.running) return this.elapsed()
    const { memory, environment } = this.around.engine()
    if (this.lists(false).length === 0) return Infinity
    const last = memory.checks.get(this.service)?.at
    // A clock that was set back must not put it off.
    const age = last === undefined ? this.elapsed() - this.began : Math.max(0, environment.now() - last)
    return Math.max(this.notBefore, this.elapsed() + (last === undefined ? firstAfter : every) - age)
  }

  /** Begins a check of all lists. `asked`: by hand, so that the result is shown whatever it is. */
  begin(asked: boolean): void {
    if (this.running) {
      this.asked ||= asked
      return
    }
    this.queue = this.lists(asked)
    this.done = 0
    this.repairs = []
    this.asked = asked
    this.running = this.queue.length > 0
    this.around.changed()
  }

  cancel(): void {
    this.running = false
    this.queue = []
    this.current = null
    this.around.changed()
  }

  /** Makes the next call. What is no longer read here is left out. */
  async step(): Promise<void> {
    const engine = this.around.engine()
    const [target] = this.queue
    if (!target) return this.end(engine)
    if (this.current?.target.key !== target.key) this.current = new ListCheck(target)
    const { current } = this
    try {
      if (!this.asked && (await this.isDaySpent(engine))) return this.putOff()
      if (!engine.memory.cursors.has(target.key)) return this.next(engine, current)
      if ((await current.step(engine)) && this.current === current) await this.next(engine, current)
    } catch (error) {
      if (this.current === current) await this.end(engine, faultOf(error))
    }
  }

  private async next(engine: Engine, { repairs }: ListCheck): Promise<void> {
    this.repairs.push(...repairs)
    this.queue.shift()
    this.current = null
    this.done++
    if (this.queue.length === 0) await this.end(engine)
    else this.around.changed()
  }

  private async isDaySpent({ bridge, account }: Engine): Promise<boolean> {
    const answer = await bridge.ask('sync/budget', { accountId: account.id })
    if (!answer.ok) return true
    return answer.value.budgets.some(
      ({ service, per, used, limit }) => service === this.service && per === 'day' && used >= limit * mostOfDay,
    )
  }

  private putOff(): void {
    this.notBefore = this.elapsed() + firstAfter
    this.cancel()
  }

  private async end(engine: Engine, fault?: Fault): Promise<void> {
    // Nobody asked, and what was repaired stays so.
    if (fault && !this.asked && this.repairs.length === 0) return this.putOff()
    const repairs = fault && this.current ? [...this.repairs, ...this.current.repairs] : this.repairs
    const at = engine.environment.now()
    const result: CheckResult = { at, lists: this.done, asked: this.asked, repairs, ...(fault && { fault }) }
    this.cancel()
    await engine.commits.run('sync', (tx) => tx.putCheck(this.service, result)).saved
    this.around.changed()
  }

  /**
   * Lists that have been read. A list without a cursor of its own is compared whole whenever it is read, so only a check by
   * hand takes part in it; a log is never whole.
   */
  private lists(asked: boolean): Target[] {
    const { memory } = this.around.engine()
    return this.around.targets().filter(({ key, collection, id }) => {
      const { list, log, cursor } = memory.facts.of(collection)
      return list && !log && id === undefined && memory.cursors.has(key) && (asked || cursor !== 'snapshot')
    })
  }
}
