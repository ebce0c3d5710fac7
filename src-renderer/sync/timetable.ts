import { parseRecordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { daily } from '#shared/facts/remark'
import type { Target } from './targets'

/** Interval of targets with notifications, in case one was lost. */
const watchedPatience = [900_000, 1_800_000] as const
/** Defaults for collections without their own. */
const defaultPatience = [300_000, 1_800_000] as const

/** Schedules reads: soon for targets that change, and increasingly later for those that don't. */
export class Timetable {
  /** Keys of targets with notifications. */
  private watched: ReadonlySet<string> = new Set()
  private readonly plan = new Map<string, { due: number; interval: number; failures: number }>()
  /** Running targets, and whether they were requested again, because a change may have been missed. */
  private readonly reading = new Map<string, boolean>()

  /**
   * `elapsed`: monotonic milliseconds, used for `due`. `age`: milliseconds since a target was last read completely, also before
   * this start, or undefined if never.
   */
  constructor(
    private readonly facts: Facts,
    private readonly elapsed: () => number,
    private readonly age: (key: string) => number | undefined = () => undefined,
  ) {}

  due(target: Target): number {
    const planned = this.plan.get(target.key)?.due
    if (planned !== undefined) return planned
    // Daily targets aren't read again at each start.
    const age = this.isPatient(target) ? this.age(target.key) : undefined
    return age === undefined ? 0 : this.elapsed() + Math.max(0, this.patienceOf(target)[0] - age)
  }

  failures(target: Target): number {
    return this.plan.get(target.key)?.failures ?? 0
  }

  /** Reads these targets at once, even if they were read since this start. */
  refresh(targets: readonly Target[]): void {
    for (const target of targets) {
      const { key } = target
      if (this.reading.has(key)) this.reading.set(key, true)
      else this.plan.set(key, { interval: this.patienceOf(target)[0], failures: 0, ...this.plan.get(key), due: 0 })
    }
  }

  /**
   * Sets the keys of targets with notifications. New ones are read again, because a change between their last read and now
   * came without one. Returns true if there are any.
   */
  watch(keys: ReadonlySet<string>): boolean {
    const added = new Set([...keys].filter((key) => !this.watched.has(key)))
    this.watched = keys
    if (added.size > 0) this.hurry((key) => added.has(key))
    return added.size > 0
  }

  begun({ key }: Target): void {
    this.reading.set(key, false)
  }

  pulled(target: Target, changed: boolean): void {
    const { key } = target
    const [first, most] = this.watched.has(key) ? watchedPatience : this.patienceOf(target)
    const before = this.plan.get(key)?.interval
    const interval = changed || before === undefined ? first : Math.min(before * 1.5, most)
    const again = this.reading.get(key) === true
    this.reading.delete(key)
    this.plan.set(key, { due: again ? 0 : this.elapsed() + interval, interval, failures: 0 })
  }

  failed(target: Target, wait: number): void {
    const failures = this.failures(target) + 1
    this.reading.delete(target.key)
    this.plan.set(target.key, { due: this.elapsed() + wait, interval: this.patienceOf(target)[0], failures })
  }

  /** Reads targets at once: those a test accepts, or by default all but those that are read once a day. */
  hurry(wanted: (key: string) => boolean = (key) => !this.isPatient(parseRecordKey(key))): void {
    for (const [key, entry] of this.plan) if (wanted(key)) entry.due = 0
    for (const key of this.reading.keys()) if (wanted(key)) this.reading.set(key, true)
  }

  private isPatient({ collection }: Pick<Target, 'collection'>): boolean {
    return isPatient(this.facts.of(collection))
  }

  private patienceOf({ collection }: Pick<Target, 'collection'>): readonly [number, number] {
    return patienceOf(this.facts.of(collection))
  }
}

const patienceOf = ({ pull }: Collection): readonly [number, number] => pull?.patience ?? defaultPatience

/** True if a collection is read once a day. */
export const isPatient = (facts: Collection): boolean => patienceOf(facts)[0] >= daily[0]
