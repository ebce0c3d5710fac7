import { parseRecordKey, type Collection } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import type { Fault } from '#shared/fault'
import type { DownloadChoice, DownloadPart, DownloadProgress, DownloadStatus } from '../replica/api'
import { dropOrphans, removeRows, type ApplyDeps } from '../replica/apply'
import { downloadKey, type Download } from '../replica/downloads'
import type { Memory } from '../replica/memory'
import type { Tx } from '../replica/tx'
import type { Shared } from './engine'
import { isChosen, isUnattributed, partKeys, targetsIn, targetsOf, uncovered } from './download-targets'
import { pulledOf } from './pulled-collections'
import { isPatient } from './timetable'
import { storedTarget, targetsFrom, type Target } from './target'
import { logsOf } from './targets'

/** The target that a lane reads, with the records so far, and those that it couldn't read. */
export interface Looks {
  readonly current: { readonly key: string; readonly records: number } | null
  readonly unread: readonly (readonly [key: string, fault: Fault])[]
}

/** A lane's knowledge of a target. */
export interface Reader {
  recordsOf(key: string): number | undefined
  faultOf(key: string): DownloadPart['fault'] | undefined
  chosen(refresh?: readonly Target[]): void
}

/** A removed target, and the remaining downloads of its collection. */
interface Unwanted {
  target: Target
  others: readonly Target[]
  /** Keys of its rows, as known when it was removed. */
  rows: Set<string>
}

/** Retry delay after a disk error, in milliseconds. */
const finishPause = 30_000
/** Interval for checking whether a page is still being stored, in milliseconds. */
const readPause = 50

/** Parts of a service's records that the user chose to download. */
export class Downloads {
  constructor(
    private readonly shared: Shared,
    private readonly readers: ReadonlyMap<string, Reader>,
  ) {}

  /** Chosen downloads without their progress. */
  get chosen(): Download[] {
    return [...this.shared.memory.downloads.values()]
  }

  get list(): DownloadStatus[] {
    return [...this.shared.memory.downloads.values()].map((download) => this.statusOf(download))
  }

  /** Progress of several downloads as one. A list that several need counts once. */
  progress(choices: readonly DownloadChoice[]): DownloadProgress {
    const { pace } = this.shared
    const targets = this.distinct(choices)
    const kinds = new Map<Collection['name'], Omit<DownloadPart, 'collection'>[]>()
    for (const target of targets) {
      const part = this.partOf(target)
      const known = kinds.get(target.collection)
      if (known) known.push(part)
      else kinds.set(target.collection, [part])
    }
    const parts = [...kinds].map(([collection, all]) => joined(collection, all))
    const times = targets.map((target) => this.readAt(target))
    const readAt = times.some((at) => at === undefined) || times.length === 0 ? null : Math.min(...(times as number[]))
    const { share, left } = pace.of(targets)
    const state = stateOf(parts)
    return { state, parts, share, ...(left !== undefined && state === 'reading' && { left }), readAt }
  }

  private distinct(choices: readonly DownloadChoice[]): Target[] {
    const found = choices.flatMap((choice) => this.targets(choice).map(({ target }) => target))
    return [...new Map(found.map((target) => [target.key, target])).values()]
  }

  /** Starts a download. Returns its key. */
  async add(choice: DownloadChoice): Promise<string> {
    const key = downloadKey(choice)
    await this.write((tx) => tx.putDownload(key, { ...choice, key, paused: false }))
    this.tell(this.unread(choice))
    return key
  }

  /** Targets to read at once, because they were removed or became stale while paused. */
  private unread(choice: DownloadChoice): Target[] {
    const { cursors } = this.shared.memory
    return this.targets(choice).flatMap(({ target }) => (cursors.has(target.key) ? [] : [target]))
  }

  /** Fewest calls that downloads would take: one for each list that isn't here yet, and more for long ones. */
  leastCalls(choices: readonly DownloadChoice[]): number {
    const { cursors } = this.shared.memory
    return this.distinct(choices).filter(({ key }) => !cursors.has(key)).length
  }

  async pause(key: string, paused: boolean): Promise<void> {
    const download = this.shared.memory.downloads.get(key)
    if (!download) return
    await this.write((tx) => tx.putDownload(key, { ...download, paused }))
    this.tell(paused ? [] : this.unread(download))
  }

  /**
   * Removes rows that no other download needs, except those with pending changes. Returns true if all are gone. Others
   * are removed later, also after a restart.
   * @throws FaultError `storage`, with nothing changed
   */
  async remove(key: string): Promise<boolean> {
    const { memory } = this.shared
    const download = memory.downloads.get(key)
    if (!download) return true
    const left = [...memory.downloads.values()].filter((other) => other !== download)
    const unwanted = this.unwantedOf(
      this.targets(download).map(({ target }) => target),
      left,
    )
    await this.write((tx) => {
      tx.putDownload(key, null)
      tx.putRemoving([...memory.removing, ...unwanted.map(({ target }) => storedTarget(target))])
    })
    this.tell()
    return this.takeOff(unwanted).then(
      () => true,
      () => {
        this.finishLater()
        return false
      },
    )
  }

  /** Resumes interrupted removals once memory knows all rows. */
  async finish(): Promise<void> {
    const { memory, commits } = this.shared
    if (memory.removing.length === 0 || commits.closed) return
    const begun = targetsFrom(memory.removing)
    const unwanted = this.unwantedOf(begun, [...memory.downloads.values()])
    const open = new Set(unwanted.map(({ target }) => target.key))
    const again = new Set(begun.flatMap(({ key }) => (open.has(key) ? [] : key)))
    try {
      await this.takeOff(unwanted)
      await this.endRemoving((key) => again.has(key))
    } catch {
      this.finishLater()
    }
  }

  private finishLater(): void {
    this.shared.environment.setTimer(() => void this.finish(), finishPause)
  }

  /** Targets among these that no remaining download needs. */
  private unwantedOf(targets: readonly Target[], left: readonly Download[]): Unwanted[] {
    const { memory } = this.shared
    return targets.flatMap((target) => {
      const others = left.flatMap((other) => targetsOf(memory, memory.facts.of(target.collection), other))
      return others.some(({ key }) => key === target.key) ? [] : [{ target, others, rows: new Set<string>() }]
    })
  }

  private async takeOff(unwanted: readonly Unwanted[]): Promise<void> {
    const underWay = unwanted.filter(({ target }) => this.isRead(target))
    for (const one of unwanted) if (!this.isWanted(one.target)) await this.drop(one)
    if (underWay.length > 0) this.dropAgain(underWay)
    await this.readAgain(unwanted)
    // Drops running reads again.
    const still = new Set(underWay.map(({ target }) => target.key))
    const done = new Set(unwanted.flatMap(({ target: { key } }) => (still.has(key) ? [] : key)))
    await this.endRemoving((key) => done.has(key))
  }

  private async endRemoving(isDone: (key: string) => boolean): Promise<void> {
    const { memory } = this.shared
    const left = targetsFrom(memory.removing).filter(({ key }) => !isDone(key))
    if (left.length < memory.removing.length) await this.write((tx) => tx.putRemoving(left.map(storedTarget)))
  }

  /** Rereads remaining downloads of the same lists if only the service knows which rows they need. */
  private async readAgain(unwanted: readonly Unwanted[]): Promise<void> {
    const { memory, commits } = this.shared
    const lists = unwanted.filter(({ target }) => !target.part || isUnattributed(target))
    const unattributed = lists.flatMap(({ target, others }) =>
      others.filter(
        (other) => other.parent === target.parent && (isUnattributed(other) || memory.brought.has(other.key)),
      ),
    )
    if (unattributed.length > 0)
      await commits.run('sync', (tx) => unattributed.forEach(({ key }) => tx.removeCursor(key))).saved
    const wanted = [...memory.downloads.values()].flatMap((one) => this.targets(one)).map(({ target }) => target)
    // Parts of a list that isn't here yet are read once it is, whenever they were read before.
    this.tell([...unwanted.map(({ target }) => target), ...wanted.filter(({ key }) => !memory.cursors.has(key))])
  }

  /** True if a target was chosen again. */
  private isWanted({ key }: Target): boolean {
    return [...this.shared.memory.downloads.values()].some((one) =>
      this.targets(one).some(({ target }) => target.key === key),
    )
  }

  /** A page that was just being stored may have restored part of what was removed. */
  private dropAgain(underWay: readonly Unwanted[]): void {
    const { environment } = this.shared
    environment.setTimer(() => {
      if (underWay.some(({ target }) => this.isRead(target))) return this.dropAgain(underWay)
      void (async () => {
        for (const one of underWay) if (!this.isWanted(one.target)) await this.drop(one)
        const keys = new Set(underWay.map(({ target }) => target.key))
        await this.endRemoving((key) => keys.has(key))
      })().catch(() => this.finishLater())
    }, readPause)
  }

  private isRead({ key }: Target): boolean {
    return [...this.readers.values()].some((reader) => reader.recordsOf(key) !== undefined)
  }

  refresh(key: string): void {
    const download = this.shared.memory.downloads.get(key)
    if (!download) return
    const targets = this.targets(download).map(({ target }) => target)
    this.tell(targets)
  }

  private async drop({ target, others, rows }: Unwanted): Promise<void> {
    const { memory, store } = this.shared
    const { collection, parent, key } = target
    memory.drops++
    const same = others.filter((other) => other.parent === parent)
    for (const row of target.part ? partKeys(memory, target) : await store.rowKeys(collection, parent)) rows.add(row)
    const gone = uncovered(memory, same, [...rows])
    const waits = (row: string): boolean => memory.outbox.any('shows', row)
    const made = madeIn(memory, target).filter((row) => !rows.has(row))
    const stay = [...gone.filter(waits), ...uncovered(memory, same, made)]
    if (stay.length > 0) await this.write((tx) => tx.putLeaving(stay, true))
    const last = (tx: Tx): void => {
      tx.removeCursor(key)
      tx.putPage(key, null)
      tx.putBrought(key, null)
    }
    await removeRows(
      this.deps,
      gone.filter((row) => !waits(row)),
      last,
    )
    await dropOrphans(this.deps, collection)
  }

  /** Removes rows that only stayed because of pending changes, once those are sent, unless they were chosen again. */
  async sweep(): Promise<void> {
    const { memory } = this.shared
    const ended = [...memory.leaving].filter((key) => !memory.outbox.any('shows', key))
    if (ended.length === 0) return
    const gone = ended.map((key) => memory.realKey(key)).filter((key) => !this.isCovered(key))
    await removeRows(this.deps, gone, (tx) => tx.putLeaving(ended, false))
  }

  private isCovered(key: string): boolean {
    const { memory } = this.shared
    const { collection, parent } = parseRecordKey(key)
    return uncovered(memory, targetsIn(memory, memory.facts.of(collection), parent), [key]).length === 0
  }

  private get deps(): ApplyDeps {
    const { memory, commits, store, environment } = this.shared
    return { memory, commits, store, now: environment.now, setTimer: environment.setTimer }
  }

  private statusOf(download: Download): DownloadStatus {
    const { left, ...progress } = this.progress([download])
    if (download.paused) return { ...download, ...progress, state: 'paused' }
    return { ...download, ...progress, ...(left !== undefined && { left }) }
  }

  private partOf(target: Target): Omit<DownloadPart, 'collection'> {
    const { cursors, pages } = this.shared.memory
    const { key } = target
    const cursor = cursors.get(key)
    const facts = this.shared.memory.facts.of(target.collection)
    const reader = this.readers.get(facts.service)
    const reading = reader?.recordsOf(key)
    const fault = reader?.faultOf(key)
    // A list that is checked every few minutes stays complete during the check.
    const routine = cursor !== undefined && !isPatient(facts)
    return {
      state: reading !== undefined && !routine ? 'reading' : fault ? 'failed' : cursor ? 'ready' : 'waiting',
      records: Math.max(reading ?? 0, pages.get(key)?.records ?? 0) || (cursor?.records ?? 0),
      readAt: this.readAt(target) ?? null,
      ...(fault && { fault }),
    }
  }

  /** Time at which a target was last known completely: by its own read, or by a read of the log with its later changes. */
  private readAt({ key, collection, parent }: Target): number | undefined {
    const { cursors, downloads, facts } = this.shared.memory
    const own = cursors.get(key)?.pulledAt
    // New records of a paused download aren't read.
    if (own === undefined || [...downloads.values()].some(({ paused }) => paused)) return own
    return Math.max(own, ...logsOf(facts, collection, parent).map((log) => cursors.get(log)?.pulledAt ?? 0))
  }

  private targets(download: DownloadChoice): { facts: Collection; target: Target }[] {
    const { memory } = this.shared
    return pulledOf(memory.facts).flatMap((facts) =>
      targetsOf(memory, facts, download).map((target) => ({ facts, target })),
    )
  }

  private async write(work: (tx: Tx) => void): Promise<void> {
    await this.shared.commits.run('sync', work).saved
  }

  private tell(refresh: readonly Target[] = []): void {
    for (const reader of this.readers.values()) reader.chosen(refresh)
  }
}

/** Keys of unsent local records inside a target. */
const madeIn = (memory: Memory, target: Target): string[] =>
  memory.outbox
    .list()
    .filter((entry) => entry.kind === 'create' && isChosen([target], entry.collection, entry.parent, entry.patch))
    .map(ownKey)

/** Combines several parts of one collection, such as those of many advertisers. */
function joined(
  collection: DownloadPart['collection'],
  parts: readonly Omit<DownloadPart, 'collection'>[],
): DownloadPart {
  const times = parts.map(({ readAt }) => readAt)
  const fault = parts.find(({ fault }) => fault)?.fault
  return {
    collection,
    state:
      (['reading', 'failed', 'waiting'] as const).find((state) => parts.some((one) => one.state === state)) ?? 'ready',
    records: parts.reduce((sum, { records }) => sum + records, 0),
    readAt: times.includes(null) ? null : Math.min(...(times as number[])),
    ...(fault && { fault }),
  }
}

/** A kind that can't be read doesn't hold up the others. */
const stateOf = (parts: readonly DownloadPart[]): DownloadProgress['state'] =>
  (['reading', 'waiting', 'failed'] as const).find((state) => parts.some((part) => part.state === state)) ?? 'ready'
