import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Keep } from '#shared/reports/report-files'
import { isOver, type Run } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { ReadFileFacts } from './file-facts'
import { Library, type DamagedRun } from './library'
import { waitFor } from './patience'
import { isFolderAway } from './report-folder'
import { isHeldElsewhere } from './run-hold'
import type { RunRecord } from './run-record'
import { goingOn, seen } from './run-seen'
import type { RunService } from './run-service'
import { runToEnd, type RunProgress } from './runner'
import { searchRun, searchRuns } from './search-runs'
import { surplus } from './surplus'
import { traffickingRun, traffickingRuns } from './trafficking-runs'

export interface DeskOptions {
  library: Library
  readFacts: ReadFileFacts
  /** Undefined for an account that is not there any more. */
  clientOf: (accountId: string) => Client | undefined
  clock: Clock
  random: () => number
  changed: (run: Run) => void
  removed: (run: Pick<Run, 'accountId' | 'id'>) => void
  /** The whole file of a run is here. */
  kept?: (run: RunRecord) => void
  /** Runs whose files somebody needs still. */
  awaited?: (accountId: string) => Promise<ReadonlySet<string>>
  /** How many files of a report stay beside pinned ones. */
  keep: () => Keep
}

/** What is to be run; where it awaits changes of its report, not before `release`. */
export type Wanted =
  | { service: 'trafficking'; profileId: string; report: JsonObject; awaits: string[] }
  | { service: 'search'; reportId: string; name: string; request: JsonObject; zone: string }

/** Runs of one account that are under way at a time: services count those that are made at once. */
const atOnce = 2
/** Until a run that met what waiting alone may mend is tried again, in milliseconds. */
const untilRetry = 10 * 60_000
/** Until it is looked whether another process ended with a run. */
const untilLetGo = 5_000

const habitsOf: Record<RunRecord['service'], (client: Client, now: () => number) => RunService> = {
  trafficking: traffickingRuns,
  search: searchRuns,
}

/** Runs of reports behind the window: begun, gone on with after a start, stopped, and told of. */
export class RunDesk {
  readonly #options: DeskOptions
  readonly #under = new Map<string, AbortController>()
  readonly #known = new Map<string, Run>()
  /** Those that wait for others to end, and those that met what only time, a person or the network mends. */
  readonly #queue: RunRecord[] = []
  readonly #stalled: RunRecord[] = []
  readonly #wakes = new Set<() => void>()
  #closed = false
  /** Files are being moved. */
  #moving: Promise<unknown> | undefined
  /** Runs are asked for one after the other: two clicks are one run. */
  #order: Promise<unknown> = Promise.resolve()

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** Runs of the account, the newest first, then those whose record is damaged. @throws FaultError `storage` */
  async runs(accountId: string): Promise<Run[]> {
    const { library } = this.#options
    const [records, damaged] = [await library.runs(accountId), await library.damaged(accountId)]
    const runs = records.map(
      async (record) => this.#known.get(record.id) ?? seen(record, await library.hasFile(record)),
    )
    return [...(await Promise.all(runs)), ...damaged.map((one) => damagedRun(accountId, one))]
  }

  /** Goes on with what a start finds unfinished. */
  async resume(accountId: string): Promise<void> {
    await this.#options.library.clear(accountId)
    for (const run of await this.#options.library.runs(accountId)) this.#begin(run)
  }

  /** A run; one of the same report that is not over is that run. @throws FaultError */
  ask(accountId: string, wanted: Wanted): Promise<Run> {
    return this.#inOrder(() => this.#ask(accountId, wanted))
  }

  /** The report of a held run is at the service now, as `report` says. @throws FaultError `notFound` */
  release(accountId: string, runId: string, report: JsonObject): Promise<Run> {
    return this.#inOrder(async () => {
      const run = await this.#record(accountId, runId)
      if (run.state !== 'held') return this.#known.get(runId) ?? seen(run, false)
      const words = 'Queued'
      return this.#make({ ...run, ...traffickingRun(report, run.profileId ?? ''), state: 'waiting', words })
    })
  }

  /** No operation of either service ends a run: it is watched no longer. @throws FaultError `notFound` */
  stop(accountId: string, runId: string): Promise<Run> {
    return this.#inOrder(async () => {
      await this.#halt(runId)
      const run = await this.#record(accountId, runId)
      if (isOver(run.state)) return this.#known.get(runId) ?? seen(run, await this.#options.library.hasFile(run))
      const words = run.serviceId === undefined ? 'Stopped' : 'Stopped waiting. The report will finish on the server'
      return this.#tell(await this.#keep({ ...run, state: 'stopped', words }))
    })
  }

  /** Goes on with a run that was stopped or needs somebody; makes a new one where it failed, or is wanted `anew`. @throws FaultError */
  again(accountId: string, runId: string, anew = false): Promise<Run> {
    return this.#inOrder(async () => {
      const run = await this.#record(accountId, runId)
      if (!isOver(run.state)) {
        for (const wake of [...this.#wakes]) wake()
        if (takenOut(this.#stalled, runId)) this.#begin(run)
        return this.#known.get(runId) ?? seen(run, false)
      }
      if (!anew && (run.state === 'stopped' || run.state === 'needsYou')) return this.#make({ ...run, ...goingOn(run) })
      const { service, definition, request = definition, profileId = '', reportId = '', name } = run
      return this.#ask(
        accountId,
        service === 'trafficking'
          ? { service, profileId, report: definition as JsonObject, awaits: [] }
          : { service, reportId, name, request: request as JsonObject, zone: run.timeZone ?? 'UTC' },
      )
    })
  }

  /** Whether newer files push it out. @throws FaultError */
  pin(accountId: string, runId: string, pinned: boolean): Promise<Run> {
    return this.#inOrder(async () => {
      const run = await this.#keep({ ...(await this.#record(accountId, runId)), pinned })
      return this.#tell(run, await this.#options.library.hasFile(run))
    })
  }

  /** Takes a run and its file off this computer; until the next start it can be restored. @throws FaultError */
  remove(accountId: string, runId: string): Promise<void> {
    return this.#inOrder(() => this.#putAside(accountId, runId))
  }

  /** Runs of all accounts whose files are beyond this number of their report. @throws FaultError `storage` */
  async beyond(keep: Keep): Promise<RunRecord[]> {
    const { library, awaited } = this.#options
    const found: RunRecord[] = []
    for (const accountId of await library.accounts()) {
      const beyond = surplus(await library.runs(accountId), { keep, awaited: await awaited?.(accountId) })
      for (const run of beyond) if (await library.hasFile(run)) found.push(run)
    }
    return found
  }

  /** Takes those off this computer, all or none; until the next start they can be restored. @throws FaultError */
  clearBeyond(keep: Keep): Promise<Pick<RunRecord, 'accountId' | 'id'>[]> {
    return this.#inOrder(async () => {
      const gone: RunRecord[] = []
      try {
        for (const run of await this.beyond(keep)) {
          await this.#putAside(run.accountId, run.id)
          gone.push(run)
        }
      } catch (error) {
        for (const { accountId, id } of gone) await this.#restore(accountId, id).catch(() => undefined)
        throw error
      }
      return gone
    })
  }

  /** What `remove` took, as it was. @throws FaultError `notFound` */
  restore(accountId: string, runId: string): Promise<Run> {
    return this.#inOrder(() => this.#restore(accountId, runId))
  }

  async #restore(accountId: string, runId: string): Promise<Run> {
    this.#refuseWhileMoving()
    const { library } = this.#options
    const run = await library.bringBack({ accountId, id: runId })
    if (!run) throw new FaultError({ code: 'notFound', message: 'This run is no longer on this computer.' })
    const hasFile = await library.hasFile(run)
    const told = this.#tell(run, hasFile)
    if (hasFile) this.#options.kept?.(run)
    this.#begin(run)
    return told
  }

  /** Ends and removes all that an account had here. @throws FaultError `storage` */
  async forget(accountId: string): Promise<void> {
    await this.#moving
    return this.#inOrder(async () => {
      for (const run of [...this.#known.values()]) if (run.accountId === accountId) await this.#halt(run.id)
      await this.#options.library.removeAccount(accountId)
    })
  }

  /** The file of a run that is kept, with what is known of it. @throws FaultError `notFound` */
  async file(accountId: string, runId: string): Promise<{ run: RunRecord; path: string }> {
    const run = await this.#record(accountId, runId)
    const { library } = this.#options
    if (await library.hasFile(run)) return { run, path: library.fileOf(run) }
    throw new FaultError({ code: 'notFound', message: 'The results of this run are no longer on this computer.' })
  }

  /** Does what must not meet a run: those that are under way wait until it is done, and then go on. */
  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    let done = (): void => undefined
    await this.#inOrder(async () => {
      this.#moving = new Promise<void>((resolve) => (done = resolve))
      for (const id of [...this.#under.keys()]) {
        const accountId = this.#known.get(id)?.accountId
        await this.#halt(id)
        const run = accountId === undefined ? undefined : await this.#options.library.read({ accountId, id })
        if (run) this.#begin(run)
      }
    })
    try {
      return await work()
    } finally {
      this.#moving = undefined
      done()
      for (const run of this.#stalled.splice(0)) this.#begin(run)
    }
  }

  /** Says anew how runs of the account stand: their files came, or went. @throws FaultError `storage` */
  async tellAgain(accountId: string): Promise<void> {
    for (const run of await this.runs(accountId)) this.#options.changed(run)
  }

  /** The network is back, a sign-in was renewed, the computer woke: what waits need not wait on. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake()
    for (const run of this.#stalled.splice(0)) this.#begin(run)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const control of this.#under.values()) control.abort()
    await this.#order.catch(() => undefined)
  }

  async #ask(accountId: string, wanted: Wanted): Promise<Run> {
    const { library, clock } = this.#options
    const about =
      wanted.service === 'trafficking'
        ? traffickingRun(wanted.report, wanted.profileId)
        : { ...searchRun(wanted.name, wanted.request as ReportRequest), reportId: wanted.reportId }
    const runs = await library.runs(accountId)
    const left = runs.find(
      (run) => run.service === about.service && run.reportId === about.reportId && !isOver(run.state),
    )
    if (left) {
      // It may be of a command that was ended: nobody goes on with it here yet.
      if (!this.#stalled.some(({ id }) => id === left.id)) this.#begin(left)
      return this.#known.get(left.id) ?? seen(left, false)
    }
    const awaits = wanted.service === 'trafficking' ? wanted.awaits : []
    // The zone of the account, as the service said it with the run before; else the person's.
    const before = runs.find((run) => run.service === 'search' && run.serviceId !== undefined && run.timeZone)
    const timeZone = wanted.service === 'search' ? (before?.timeZone ?? wanted.zone) : undefined
    return this.#make({
      version: 1,
      id: Library.newId(clock.now()),
      accountId,
      asked: clock.now(),
      fragments: [],
      ...(timeZone !== undefined && { timeZone }),
      ...(awaits.length > 0
        ? { state: 'held', words: 'Waiting for the report’s changes to be sent', awaits }
        : { state: 'waiting', words: 'Queued' }),
      ...about,
    })
  }

  async #make(run: RunRecord): Promise<Run> {
    await this.#keep(run)
    const told = this.#tell(run)
    this.#begin(run)
    return told
  }

  #begin(run: RunRecord): void {
    if (this.#closed || isOver(run.state) || run.state === 'held' || this.#under.has(run.id)) return
    const { accountId } = run
    if (this.#moving) {
      if (!this.#stalled.some(({ id }) => id === run.id)) this.#stalled.push(run)
      this.#tell({ ...run, words: 'Waiting for report files to be moved' })
      return
    }
    const others = [...this.#under.keys()].filter((id) => this.#known.get(id)?.accountId === accountId)
    if (others.length >= atOnce) {
      if (!this.#queue.some(({ id }) => id === run.id)) this.#queue.push(run)
      this.#tell({ ...run, words: run.state === 'waiting' ? 'Waiting for other runs' : run.words })
      return
    }
    const control = new AbortController()
    this.#under.set(run.id, control)
    this.#tell(run)
    void this.#watch(run, control.signal).finally(() => {
      this.#under.delete(run.id)
      const next = this.#queue.findIndex((one) => one.accountId === accountId)
      if (next >= 0) this.#begin(this.#queue.splice(next, 1)[0]!)
    })
  }

  async #watch(run: RunRecord, signal: AbortSignal): Promise<void> {
    const { library, readFacts, clock, random } = this.#options
    const client = this.#options.clientOf(run.accountId)
    if (!client) return
    let last = run
    try {
      const service = habitsOf[run.service](client, clock.now)
      const wait = (ms: number): Promise<void> => waitFor(ms, signal, this.#wakes)
      const onprogress = (progress: RunProgress): void => {
        last = progress.run
        if (!signal.aborted) this.#progress(progress)
      }
      const ended = await runToEnd(run, {
        library,
        service,
        readFacts,
        clock,
        random,
        wait,
        signal,
        onprogress,
        asKept: true,
      })
      this.#tell(ended, ended.state === 'kept')
      // Not waited for: who stops a run waits for this to end. Files that stay are no harm.
      if (ended.state === 'kept') void this.#inOrder(() => this.#makeRoom(ended)).catch(() => undefined)
      if (ended.state === 'kept') this.#options.kept?.(ended)
    } catch (error) {
      if (signal.aborted) return
      await this.#meet(last, faultOf(error))
    }
  }

  /** What waiting, a sign-in or room on the disk mends leaves the run where it stands; the rest ends it. */
  async #meet(run: RunRecord, fault: Fault): Promise<void> {
    if (!faults[fault.code].retry && fault.code !== 'signInExpired') {
      await this.#keep({ ...run, state: 'failed', words: fault.message, finished: this.#options.clock.now() }).then(
        (failed) => this.#tell(failed),
        () => this.#tell(run),
      )
      return
    }
    const { clock } = this.#options
    const until = isHeldElsewhere(fault) ? untilLetGo : untilRetry
    this.#stalled.push(run)
    // It is said once in whole, beside where the folder can be looked for.
    const words = isFolderAway(fault) ? 'The report files folder isn’t available.' : fault.message
    this.#tell(run, false, { next: { at: clock.now() + until, words } })
    setTimeout(() => {
      if (takenOut(this.#stalled, run.id)) this.#begin(run)
    }, until).unref()
  }

  #progress({ run, done, of, wait }: RunProgress): void {
    const { clock } = this.#options
    this.#tell(run, false, {
      ...(done !== undefined && { fetched: { done, ...(of !== undefined && { of }) } }),
      ...(wait && { next: { at: clock.now() + wait.ms, ...(wait.fault && { words: wait.fault.message }) } }),
    })
  }

  #tell(record: RunRecord, hasFile = false, more: Pick<Run, 'fetched' | 'next'> = {}): Run {
    const run = { ...seen(record, hasFile), ...more }
    if (isOver(run.state)) this.#known.delete(run.id)
    else this.#known.set(run.id, run)
    this.#options.changed(run)
    return run
  }

  async #makeRoom({ accountId, id, reportId }: RunRecord): Promise<void> {
    // The next file of it makes room again.
    if (this.#moving) return
    const { library, removed, keep } = this.#options
    const runs = (await library.runs(accountId)).filter((run) => run.reportId === reportId)
    const awaited = await this.#options.awaited?.(accountId)
    for (const run of surplus(runs, { keep: keep(), awaited, just: id })) {
      await library.remove(run)
      removed(run)
    }
  }

  async #putAside(accountId: string, runId: string): Promise<void> {
    this.#refuseWhileMoving()
    await this.#halt(runId)
    await this.#options.library.putAside({ accountId, id: runId })
    this.#known.delete(runId)
    this.#options.removed({ accountId, id: runId })
  }

  #refuseWhileMoving(): void {
    if (!this.#moving) return
    const message = 'Report files are being moved. Wait for the move to finish, or stop it.'
    throw new FaultError({ code: 'conflict', message })
  }

  async #halt(runId: string): Promise<void> {
    for (const list of [this.#queue, this.#stalled]) takenOut(list, runId)
    const control = this.#under.get(runId)
    control?.abort()
    // What it was about to keep is kept before anything else is.
    while (this.#under.get(runId) === control && control) await new Promise((resolve) => setTimeout(resolve, 5))
    this.#known.delete(runId)
  }

  async #keep(run: RunRecord): Promise<RunRecord> {
    await this.#options.library.keep(run)
    return run
  }

  async #record(accountId: string, runId: string): Promise<RunRecord> {
    const found = (await this.#options.library.runs(accountId)).find(({ id }) => id === runId)
    if (found) return found
    throw new FaultError({ code: 'notFound', message: 'This run is no longer on this computer.' })
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#order.then(work, work)
    this.#order = next.catch(() => undefined)
    return next
  }
}

function takenOut(list: RunRecord[], runId: string): boolean {
  const at = list.findIndex(({ id }) => id === runId)
  return at >= 0 && list.splice(at, 1).length > 0
}

/** A run as the window sees it of which nothing but its folder is known. It can be removed. */
const damagedRun = (accountId: string, { id, path }: DamagedRun): Run => ({
  id,
  accountId,
  service: 'trafficking',
  name: 'Damaged run',
  type: '',
  state: 'failed',
  words: `Can’t read the record of this run. Its file may be next to it: ${path}`,
  // The moment stands at the start of its ID.
  asked: Number.parseInt(id, 10) || 0,
  format: 'csv',
  pinned: false,
  hasFile: false,
})
