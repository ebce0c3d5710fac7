import { parseRecordKey } from '#shared/domain/collections'
import { logOf } from '#shared/facts/log'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Memory } from '../replica/memory'
import { reachedPlaces } from '../replica/reach'
import { keysFor, listOf, logsOf, targetOf, type Target } from './targets'

/** True if an entry may be sent now. */
export type May = (entry: OutboxEntry) => boolean

/** Maximum age of what is known of a list when an entry that depends on it is sent, in milliseconds. */
const freshFor = 1_000
/** Maximum time that an answer may take, in milliseconds. A longer one may mean that the computer was asleep. */
const underWayFor = 30_000
/** Number of answers in a row that take longer and mean a slow line. */
const slowAfter = 3
/**
 * Maximum time that a removal waits for a list that can't be read, in milliseconds. After that its author is asked, if the
 * list still can't be read. A creation whose answer was lost waits as long for lists that it may have been moved to.
 */
const unreadFor = 600_000
/** Maximum age of the request that shows this, in milliseconds. The computer may have been asleep since an older one. */
const missedFor = 120_000

interface Lists {
  /** Everything that is read from the service. */
  all(): readonly Target[]
  /** True if a target couldn't be read. It's retried on its own. */
  failed(key: string): boolean
  refresh(targets: readonly Target[]): void
}

/**
 * Checks that an entry's author would be asked about everything it removes besides its own record, and about every record
 * that it may have created already: those lists were read after the entry was made or last tried, and recently.
 */
export class Freshness {
  /** Orders reads and checks. Two of them can share a millisecond, so a clock doesn't show which came first. */
  private steps = 0
  /**
   * When each target was last read to its end: the step at which the read began and ended, times as `elapsed` counts, and the
   * number of answers in a row, up to this one, that took long.
   */
  private readonly read = new Map<string, { began: number; done: number; asked: number; ended: number; long: number }>()
  /**
   * When each entry that waits for a list was first to be sent, by its turn. `ownRead` is the step at which the first
   * read of its own list since then ended.
   */
  private readonly due = new Map<string, { at: number; step: number; ownRead?: number }>()
  /** When the last request for a target that couldn't be read began, as `elapsed` counts. */
  private readonly missed = new Map<string, number>()
  /** Targets that entries wait for, with the step at which they were last asked for. */
  private readonly awaited = new Map<string, number>()
  /** Number of the last read of each target that an entry waited for. It only grows, because a cache may still have any of them. */
  private readonly turns = new Map<string, number>()
  private readonly firstTurn: number
  /** The step at which the last read of each target with a turn began. */
  private readonly uncached = new Map<string, number>()

  constructor(
    private readonly memory: Memory,
    private readonly elapsed: () => number,
    private readonly lists: Lists,
    now: number,
  ) {
    // Above the numbers of earlier windows.
    this.firstTurn = Math.max(1, Math.floor(now / 1_000))
  }

  /** The start of a read, to be passed to `heard` when it has ended, or another moment. */
  begin(): number {
    return ++this.steps
  }

  /**
   * Records that a target was read completely.
   * @param asked time of the request for its last page, in `elapsed` time
   * @param turn see `turn`
   */
  heard(key: string, began: number, asked: number, turn: number | undefined): void {
    if (turn !== undefined) this.uncached.set(key, began)
    const ended = this.elapsed()
    const long = ended - asked > underWayFor ? (this.read.get(key)?.long ?? 0) + 1 : 0
    this.read.set(key, { began, done: ++this.steps, asked, ended, long })
  }

  /** Discards the last read of a target. */
  forget(key: string): void {
    this.read.delete(key)
  }

  /** Whether a target was read completely, from its start and not from a cache, after a moment, or waits for such a read. */
  since(key: string, moment: number): 'read' | 'pending' | undefined {
    if ((this.uncached.get(key) ?? 0) > moment) return 'read'
    return this.awaited.has(key) ? 'pending' : undefined
  }

  /**
   * Records that a target couldn't be read.
   * @param asked when the read began, in `elapsed` time
   */
  unheard(key: string, asked: number): void {
    this.missed.set(key, asked)
  }

  /** Returns a number that no earlier reading of a target had, if entries wait for it. Otherwise undefined. */
  turn(key: string): number | undefined {
    if (!this.awaited.has(key)) return undefined
    const turn = (this.turns.get(key) ?? this.firstTurn) + 1
    this.turns.set(key, turn)
    return turn
  }

  /** Entries wait for these targets, so the next reads of them must not come from a cache. */
  awaits(targets: readonly Target[]): void {
    for (const { key } of targets) this.awaited.set(key, ++this.steps)
  }

  forgetEnded(): void {
    for (const sent of this.due.keys())
      if (!this.memory.outbox.has(sent.slice(0, sent.indexOf(' ')))) this.due.delete(sent)
    if (this.due.size > 0) return
    for (const [key, asked] of this.awaited) if (this.since(key, asked) === 'read') this.awaited.delete(key)
  }

  /** Returns a check of entries as things are now. It asks for the lists that an entry still waits for. */
  may(): May {
    const existing = this.existing()
    return (entry) => {
      const stale = this.stale(existing(this.withUnknownHolders(this.reachedBy(entry), existing)), entry)
      const unread = existing(this.tellingOf(entry)).filter(({ key }) => !this.read.has(key) && !this.lists.failed(key))
      this.awaits(stale)
      const asked = [...stale, ...unread].filter(({ key }) => !this.lists.failed(key) || this.hasWaited(entry, key))
      if (asked.length > 0) this.lists.refresh(asked)
      return stale.length + unread.length === 0
    }
  }

  /**
   * True if the computer was asleep since an entry that removes more than its own record was checked.
   * @param checked in `elapsed` time
   */
  isOutdated(entry: OutboxEntry, checked: number): boolean {
    return this.elapsed() - checked > underWayFor && this.reachedBy(entry).some((key) => this.longest(key) < Infinity)
  }

  /** Keys of lists that an entry that may be sent removes from, that can't be read, and that its author wasn't asked about. */
  unreadBy(entry: OutboxEntry): string[] {
    if (entry.kind === 'create') return []
    const keys = this.withUnknownHolders(this.reachedBy(entry), this.existing())
    return keys.filter((key) => this.lists.failed(key) && !entry.unread?.includes(key))
  }

  /** Returns the targets of keys, as things are now. */
  private existing(): (keys: readonly string[]) => Target[] {
    let living: Map<string, Target> | undefined
    return (keys) => {
      if (keys.length === 0) return []
      living ??= new Map(this.lists.all().map((target) => [target.key, target]))
      return keys.flatMap((key) => living!.get(key) ?? [])
    }
  }

  /** Adds the calendar list or the task lists if a reached list isn't known here, as after a database loss. */
  private withUnknownHolders(keys: readonly string[], existing: (keys: readonly string[]) => Target[]): string[] {
    const known = new Set(existing(keys).map(({ key }) => key))
    const holders = keys.flatMap((key) => {
      const holder = known.has(key) ? undefined : this.memory.facts.of(parseRecordKey(key).collection).parent
      return holder ? [targetOf(holder.collection).key] : []
    })
    return [...new Set([...keys, ...holders])]
  }

  private stale(targets: readonly Target[], entry: OutboxEntry): Target[] {
    if (targets.length === 0) return []
    const { kind } = entry
    const now = this.elapsed()
    const sent = turnOf(entry)
    const since = this.due.get(sent) ?? { at: now, step: ++this.steps }
    this.due.set(sent, since)
    const own = kind === 'create' ? targets[0]!.key : undefined
    const ownRead = own === undefined ? undefined : this.read.get(own)
    if (ownRead && ownRead.began > since.step) since.ownRead ??= ownRead.done
    // Lists are read one after another. On a slow line, the first is no longer fresh when the last arrives.
    const took = targets.reduce((sum, { key }) => sum + Math.min(this.lastAnswerTook(key), this.longest(key)), 0)
    return targets.filter(({ key }) => {
      // A creation is looked up in its own list again as it's sent, and the user is asked if that fails.
      if (this.lists.failed(key) && kind === 'create') return key !== own && now - since.at < unreadFor
      if (this.lists.failed(key) && this.hasWaited(entry, key)) return !this.wasJustMissed(entry, key)
      const read = this.read.get(key)
      // A record moved out of its list is found elsewhere only by reads that begin after its own list's.
      const after =
        own === undefined || key === own || this.lists.failed(own) ? since.step : (since.ownRead ?? Infinity)
      if (!read || read.began < after || this.lastAnswerTook(key) > this.longest(key)) return true
      return read.ended < now - freshFor - took
    })
  }

  /** True if a removal has waited long enough for a list that can't be read, or its author confirmed it. */
  private hasWaited(entry: OutboxEntry, key: string): boolean {
    const since = this.due.get(turnOf(entry))
    if (entry.kind === 'create' || !since) return false
    return entry.unread?.includes(key) || this.elapsed() - since.at >= unreadFor
  }

  /** True if recent reads of a list failed, also since its entry was confirmed. */
  private wasJustMissed(entry: OutboxEntry, key: string): boolean {
    const missed = this.missed.get(key) ?? -Infinity
    const confirmed = entry.unread?.includes(key) ? (this.due.get(turnOf(entry))?.at ?? Infinity) : -Infinity
    return missed >= confirmed && this.elapsed() - missed <= missedFor
  }

  private lastAnswerTook(key: string): number {
    const { asked, ended } = this.read.get(key) ?? { asked: 0, ended: 0 }
    return ended - asked
  }

  private longest(key: string): number {
    return (this.read.get(key)?.long ?? 0) >= slowAfter ? Infinity : underWayFor
  }

  /** Keys of the lists that an entry removes from, or that may have its creation if its answer was lost and there is no log. */
  private reachedBy(entry: OutboxEntry): string[] {
    const { facts, behaviors } = this.memory
    if (entry.kind === 'create') {
      const looks = entry.unknownOutcome && facts.of(entry.collection).ids === 'service'
      return looks && !logOf(facts, facts.of(entry.collection)) ? this.listsOf(entry) : []
    }
    const places = reachedPlaces(behaviors, entry)
    if (places.length === 0) return []
    return [...keysFor(facts, entry)].filter((key) => places.includes(parseRecordKey(key).parent ?? ''))
  }

  /** Keys of the lists that show whether a later copy of this database already sent a creation. */
  private tellingOf(entry: OutboxEntry): string[] {
    const { facts, carriedOver } = this.memory
    if (!carriedOver.has(entry.id) || entry.twins !== undefined) return []
    const logs = logsOf(facts, entry.collection, entry.parent)
    return logs.length > 0 ? logs : this.listsOf(entry)
  }

  /** Keys of the lists that may contain a created record, because someone may have moved it. */
  private listsOf(entry: OutboxEntry): string[] {
    const { facts, behaviors } = this.memory
    const { parent: holder } = facts.of(entry.collection)
    const moves = holder && behaviors.of(entry.collection).carried
    // A list to be deleted still exists.
    const places = moves ? this.memory.everyRow(holder.collection).filter(({ base }) => base !== null) : []
    const elsewhere = places.length > 0 ? [targetOf(holder!.collection).key] : []
    return [listOf(facts, entry).key, ...elsewhere, ...places.map(({ id }) => targetOf(entry.collection, id).key)]
  }
}

/** An entry's ID, attempt, and confirmations: each has to wait on its own. */
const turnOf = ({ id, attempts, unread }: OutboxEntry): string => `${id} ${attempts} ${unread?.length ?? 0}`
