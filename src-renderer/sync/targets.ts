import { collections, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Account } from '#shared/ipc/contract'
import type { Memory } from '../replica/memory'

/** One thing to pull: a collection, of one parent where it has one, or one record of it. */
export interface Target {
  key: string
  collection: CollectionName
  parent: string | null
  id?: string
}

export function targetOf(collection: CollectionName, parent: string | null = null, id?: string): Target {
  return { key: recordKey(collection, parent, id ?? ''), collection, parent, ...(id !== undefined && { id }) }
}

/** Roots first: they say which calendars and lists there are. */
const allRoots: readonly Target[] = [targetOf('calendarList'), targetOf('tasklists'), targetOf('settings')]

/** The roots of the services that an account has; the embedded one has all, also while it has not started. */
export function rootsOf({ kind, services }: Pick<Account, 'kind' | 'services'>): readonly Target[] {
  if (kind === 'sandbox') return allRoots
  return allRoots.filter(({ collection }) => services[collections[collection].service] !== undefined)
}

/** Everything there is to pull, in the order in which people need it. */
export function targets(memory: Memory, roots: readonly Target[] = allRoots): Target[] {
  const calendars = memory.list('calendarList').filter((row) => row.base !== null && row.base.hidden !== true)
  const rank = (base: { primary?: unknown; selected?: unknown }): number => (base.primary ? 0 : base.selected ? 1 : 2)
  const sorted = [...calendars].sort((a, b) => rank(a.base!) - rank(b.base!))
  const owned = sorted.filter((row) => row.base!.accessRole === 'owner')
  const written = sorted.filter((row) => row.base!.accessRole === 'owner' || row.base!.accessRole === 'writer')
  const lists = memory.list('tasklists').filter((row) => row.base !== null)
  return [
    ...roots,
    ...sorted.map((row) => targetOf('events', row.id)),
    ...lists.map((row) => targetOf('tasks', row.id)),
    ...written.map((row) => targetOf('calendars', null, row.id)),
    ...owned.map((row) => targetOf('acl', row.id)),
  ]
}

/** How long an unchanged collection is left alone at first and at most, in milliseconds. */
const patience: Partial<Record<CollectionName, [number, number]>> = {
  events: [60_000, 300_000],
  tasks: [60_000, 300_000],
  calendarList: [60_000, 300_000],
  tasklists: [60_000, 300_000],
  calendars: [300_000, 1_800_000],
  acl: [300_000, 1_800_000],
  settings: [300_000, 1_800_000],
}

const usualPatience: [number, number] = [60_000, 300_000]

/** The same for what the service tells us about: a look now and then, in case a notification was lost. */
const watchedPatience: [number, number] = [900_000, 1_800_000]

/** When each target is due again: soon where things change, ever later where they do not. */
export class Timetable {
  /** Keys of targets whose changes the service tells us. */
  watched: ReadonlySet<string> = new Set()
  private readonly plan = new Map<string, { due: number; interval: number; failures: number }>()

  /** `elapsed`: milliseconds that only ever grow; `due` is counted in them. */
  constructor(private readonly elapsed: () => number) {}

  due(target: Target): number {
    return this.plan.get(target.key)?.due ?? 0
  }

  failures(target: Target): number {
    return this.plan.get(target.key)?.failures ?? 0
  }

  pulled(target: Target, changed: boolean): void {
    const [first, most] = this.watched.has(target.key)
      ? watchedPatience
      : (patience[target.collection] ?? usualPatience)
    const before = this.plan.get(target.key)?.interval
    const interval = changed || before === undefined ? first : Math.min(before * 1.5, most)
    this.plan.set(target.key, { due: this.elapsed() + interval, interval, failures: 0 })
  }

  failed(target: Target, wait: number): void {
    const failures = this.failures(target) + 1
    this.plan.set(target.key, {
      due: this.elapsed() + wait,
      interval: (patience[target.collection] ?? usualPatience)[0],
      failures,
    })
  }

  /** Asks for targets at once: all, or those a test accepts. */
  hurry(wanted: (key: string) => boolean = () => true): void {
    for (const [key, entry] of this.plan) if (wanted(key)) entry.due = 0
  }
}
