import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Keep } from '#shared/reports/report-files'
import { isOver, type Run, type ServerRuns } from '#shared/reports/runs'
import { SerialQueue } from '#shared/serial-queue'
import type { Clock } from '#shared/time/clock'
import { untilDayRenews } from '#shared/wire/quotas'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { ReadFileFacts } from './file-facts'
import { Library, type DamagedRun } from './library'
import { waitFor } from './poll-interval'
import { isFolderAway } from './report-folder'
import { isLockedElsewhere } from './run-lock'
import type { RunRecord } from './run-record'
import { resumedState, toRun } from './run-view'
import { failureWords, type RunService } from './run-service'
import { runToEnd, type RunProgress } from './runner'
import { searchRun, searchRuns } from './search-runs'
import { isOwn, serverRun, serverRuns, type ReportPlace } from './server-runs'
import { runsToDelete } from './retention'
import { traffickingRun, traffickingRuns } from './trafficking-runs'

export interface DeskOptions {
  library: Library
  readFacts: ReadFileFacts
  /** Undefined for a removed account. */
  clientOf: (accountId: string) => Client | undefined
  clock: Clock
  random: () => number
  changed: (run: Run) => void
  removed: (run: Pick<Run, 'accountId' | 'id'>) => void
  /** Called once the complete file of a run is stored. */
  kept?: (run: RunRecord) => void
  /** Runs with files that an automatic export still needs. */
  awaited?: (accountId: string) => Promise<ReadonlySet<string>>
  /** Maximum number of files per report, not counting pinned runs. */
  keep: () => Keep
}

/** A report to run. With pending changes in `awaits`, the run is held until `release`. */
export type Wanted =
  | { service: 'trafficking'; profileId: string; report: JsonObject; awaits: string[] }
  | { service: 'search'; reportId: string; name: string; request: JsonObject; zone: string }

/** Maximum number of concurrent runs per account, because services limit them. */
const atOnce = 2
/** Delay before a run is retried after a transient error, in milliseconds. */
const untilRetry = 10 * 60_000
/** Delay before checking whether another process released a run, in milliseconds. */
const untilLetGo = 5_000

const runServices: Record<RunRecord['service'], (client: Client, now: () => number) => RunService> = {
  trafficking: traffickingRuns,
  search: searchRuns,
}

/** Runs reports in the background: starts, resumes, retries, and stops runs, and announces their state. */
export class RunManager {
  readonly #options: DeskOptions
  readonly #under = new Map<string, AbortController>()
  readonly #known = new Map<string, Run>()
  /** `#queue`: runs waiting for others to finish. `#stalled`: runs parked after a transient error. */
  readonly #queue: RunRecord[] = []
  readonly #stalled: RunRecord[] = []
  readonly #wakes = new Set<() => void>()
  #closed = false
  /** Resolves when the current move of files ends. */
  #moving: Promise<unknown> | undefined
  /** Serializes requests, so that two clicks start one run. */
  readonly #order = new SerialQueue()

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** Runs of the account, newest first, followed by those with a damaged record. @throws FaultError `storage` */
  async runs(accountId: string): Promise<Run[]> {
    const { library } = this.#options
    const [records, damaged] = [await library.runs(accountId), await library.damaged(accountId)]
    const runs = records.map(
      async (record) => this.#known.get(record.id) ?? toRun(record, await library.hasFile(record)),
    )
    return [...(await Promise.all(runs)), ...damaged.map((one) => damagedRun(accountId, one))]
  }

  /** Resumes unfinished runs after a start. */
  async resume(accountId: string): Promise<void> {
    await this.#options.library.clear(accountId)
    for (const run of await this.#options.library.runs(accountId)) this.#begin(run)
  }

  /** Starts a run, or returns the unfinished one of the same report. @throws FaultError */
  ask(accountId: string, wanted: Wanted): Promise<Run> {
    return this.#order.run(() => this.#ask(accountId, wanted))
  }

  /** A page of a report’s runs on the server that this computer doesn’t have. @throws FaultError */
  async onServer(accountId: string, wanted: ReportPlace & { pageToken?: string | undefined }): Promise<ServerRuns> {
    const found = await serverRuns(this.#client(accountId), wanted)
    // Read them last, because a run may have started since.
    const own = (await this.#options.library.runs(accountId)).filter(({ reportId }) => reportId === wanted.reportId)
    return { ...found, runs: found.runs.filter((run) => !own.some(isOwn(run))) }
  }

  /** Downloads a run from the server, or returns the existing run of that file. @throws FaultError */
  async download(accountId: string, wanted: ReportPlace & { fileId: string }): Promise<Run> {
    const { library } = this.#options
    const earlier = [...(await library.runs(accountId)), ...(await library.asideRuns(accountId))]
    const before = earlier.filter(({ reportId }) => reportId === wanted.reportId)
    const about = await serverRun(this.#client(accountId), { ...wanted, before })
    return this.#order.run(async () => {
      const own = (await library.runs(accountId)).find(isOfFile(wanted.fileId))
      if (own) return this.#known.get(own.id) ?? toRun(own, await library.hasFile(own))
      const run: RunRecord = {
        ...{ version: 1, id: Library.newId(about.asked), accountId, state: 'stopped', words: '' },
        ...about,
        found: this.#options.clock.now(),
      }
      return this.#make({ ...run, ...resumedState(run) })
    })
  }

  /** Starts a held run once its report was sent as `report`. @throws FaultError `notFound` */
  release(accountId: string, runId: string, report: JsonObject): Promise<Run> {
    return this.#order.run(async () => {
      const run = await this.#record(accountId, runId)
      if (run.state !== 'held') return this.#known.get(runId) ?? toRun(run, false)
      const words = 'Queued'
      return this.#make({ ...run, ...traffickingRun(report, run.profileId ?? ''), state: 'waiting', words })
    })
  }

  /** Stops watching a run. The services have no operation to cancel one. @throws FaultError `notFound` */
  stop(accountId: string, runId: string): Promise<Run> {
    return this.#order.run(async () => {
      await this.#halt(runId)
      const run = await this.#record(accountId, runId)
      if (isOver(run.state)) return this.#known.get(runId) ?? toRun(run, await this.#options.library.hasFile(run))
      const words = run.serviceId === undefined ? 'Stopped' : 'Stopped waiting. The report will finish on the server'
      return this.#tell(await this.#keep({ ...run, state: 'stopped', words }))
    })
  }

  /**
   * Resumes a run that was stopped or needs attention. Starts a new one if it failed or `rerun` is true.
   * @throws FaultError
   */
  again(accountId: string, runId: string, rerun = false): Promise<Run> {
    return this.#order.run(async () => {
      const run = await this.#record(accountId, runId)
      if (!isOver(run.state)) {
        for (const wake of [...this.#wakes]) wake()
        if (takenOut(this.#stalled, runId)) this.#begin(run)
        return this.#known.get(runId) ?? toRun(run, false)
      }
      if (!rerun && (run.state === 'stopped' || run.state === 'needsYou'))
        return this.#make({ ...run, ...resumedState(run) })
      const { service, definition, request = definition, profileId = '', reportId = '', name } = run
      return this.#ask(
        accountId,
        service === 'trafficking'
          ? { service, profileId, report: definition as JsonObject, awaits: [] }
          : { service, reportId, name, request: request as JsonObject, zone: run.timeZone ?? 'UTC' },
      )
    })
  }

  /** Pins or unpins a run. Cleanup skips pinned runs. @throws FaultError */
  pin(accountId: string, runId: string, pinned: boolean): Promise<Run> {
    return this.#order.run(async () => {
      const run = await this.#keep({ ...(await this.#record(accountId, runId)), pinned })
      return this.#tell(run, await this.#options.library.hasFile(run))
    })
  }

  /** Deletes a run and its file. They can be restored until the next start. @throws FaultError */
  remove(accountId: string, runId: string): Promise<void> {
    return this.#order.run(() => this.#putAside(accountId, runId))
  }

  /** Runs of all accounts that exceed this number of files per report. @throws FaultError `storage` */
  async beyond(keep: Keep): Promise<RunRecord[]> {
    const { library, awaited } = this.#options
    const found: RunRecord[] = []
    for (const accountId of await library.accounts()) {
      const beyond = runsToDelete(await library.runs(accountId), { keep, awaited: await awaited?.(accountId) })
      for (const run of beyond) if (await library.hasFile(run)) found.push(run)
    }
    return found
  }

  /** Deletes those runs, all or none. They can be restored until the next start. @throws FaultError */
  clearBeyond(keep: Keep): Promise<Pick<RunRecord, 'accountId' | 'id'>[]> {
    return this.#order.run(async () => {
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

  /** Restores a run that `remove` deleted. @throws FaultError `notFound` */
  restore(accountId: string, runId: string): Promise<Run> {
    return this.#order.run(() => this.#restore(accountId, runId))
  }

  async #restore(accountId: string, runId: string): Promise<Run> {
    this.#refuseWhileMoving()
    const { library } = this.#options
    const aside = (await library.asideRuns(accountId)).find(({ id }) => id === runId)
    // Its file may have been downloaded again.
    const again = aside?.serviceId && (await library.runs(accountId)).find(isOfFile(aside.serviceId, aside.service))
    if (again && (await library.hasFile(again))) return this.#tell(again, true)
    if (again) await this.#putAside(accountId, again.id)
    const run = await library.bringBack({ accountId, id: runId })
    if (!run) throw new FaultError({ code: 'notFound', message: 'This run is no longer on this computer.' })
    const hasFile = await library.hasFile(run)
    const view = this.#tell(run, hasFile)
    if (hasFile) this.#options.kept?.(run)
    this.#begin(run)
    return view
  }

  /** Stops and deletes all runs of an account. @throws FaultError `storage` */
  async forget(accountId: string): Promise<void> {
    await this.#moving
    return this.#order.run(async () => {
      for (const run of [...this.#known.values()]) if (run.accountId === accountId) await this.#halt(run.id)
      await this.#options.library.removeAccount(accountId)
    })
  }

  /** The file of a completed run, and its record. @throws FaultError `notFound` */
  async file(accountId: string, runId: string): Promise<{ run: RunRecord; path: string }> {
    const run = await this.#record(accountId, runId)
    const { library } = this.#options
    if (await library.hasFile(run)) return { run, path: library.fileOf(run) }
    throw new FaultError({ code: 'notFound', message: 'The results of this run are no longer on this computer.' })
  }

  /** Pauses all runs during `work`, then resumes them. */
  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    let done = (): void => undefined
    await this.#order.run(async () => {
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

  /**
   * Announces all runs of the account again, because their files appeared or disappeared. @throws FaultError `storage`
   */
  async tellAgain(accountId: string): Promise<void> {
    for (const run of await this.runs(accountId)) this.#options.changed(run)
  }

  /** Retries stalled runs at once: the network is back, a sign-in was renewed, or the computer woke up. */
  wake(): void {
    for (const wake of [...this.#wakes]) wake()
    for (const run of this.#stalled.splice(0)) this.#begin(run)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const control of this.#under.values()) control.abort()
    await this.#order.idle()
  }

  async #ask(accountId: string, wanted: Wanted): Promise<Run> {
    const { library, clock } = this.#options
    const about =
      wanted.service === 'trafficking'
        ? traffickingRun(wanted.report, wanted.profileId)
        : { ...searchRun(wanted.name, wanted.request as ReportRequest), reportId: wanted.reportId }
    const runs = await library.runs(accountId)
    const left = runs.find(
      ({ service, reportId, state, found }) =>
        service === about.service && reportId === about.reportId && !isOver(state) && found === undefined,
    )
    const awaits = wanted.service === 'trafficking' ? wanted.awaits : []
    if (left?.state === 'held' && awaits.length > 0)
      return this.#tell(await this.#keep({ ...left, awaits: [...new Set([...(left.awaits ?? []), ...awaits])] }))
    if (left) {
      // A command that was stopped may have left it, so nothing resumed it yet.
      if (!this.#stalled.some(({ id }) => id === left.id)) this.#begin(left)
      return this.#known.get(left.id) ?? toRun(left, false)
    }
    // The account's zone as reported by the previous run, or else the user's.
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
    const view = this.#tell(run)
    this.#begin(run)
    return view
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
      const service = runServices[run.service](client, clock.now)
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
      // Don't await this: `stop` would deadlock on it. Leftover files do no harm.
      if (ended.state === 'kept') void this.#order.run(() => this.#makeRoom(ended)).catch(() => undefined)
      if (ended.state === 'kept') this.#options.kept?.(ended)
    } catch (error) {
      if (signal.aborted) return
      await this.#meet(last, faultOf(error))
    }
  }

  /** Parks the run after an error that time, a sign-in, or disk space can fix. Any other error fails it. */
  async #meet(run: RunRecord, fault: Fault): Promise<void> {
    if (!faults[fault.code].retry && fault.code !== 'signInExpired') {
      await this.#keep({
        ...run,
        state: 'failed',
        words: failureWords(fault),
        finished: this.#options.clock.now(),
      }).then(
        (failed) => this.#tell(failed),
        () => this.#tell(run),
      )
      return
    }
    const { clock } = this.#options
    const until = isLockedElsewhere(fault)
      ? untilLetGo
      : fault.code === 'quotaSpent'
        ? (fault.retryAfter ?? untilDayRenews(run.service, clock.now()))
        : untilRetry
    this.#stalled.push(run)
    // The full message appears once, next to the controls for the folder.
    const shown = isFolderAway(fault) ? { ...fault, message: 'The report files folder isn’t available.' } : fault
    this.#tell(run, false, { next: { at: clock.now() + until, fault: shown } })
    setTimeout(() => {
      if (takenOut(this.#stalled, run.id)) this.#begin(run)
    }, until).unref()
  }

  #progress({ run, done, of, wait }: RunProgress): void {
    // Announced when it returns, together with its file.
    if (isOver(run.state)) return
    const { clock } = this.#options
    this.#tell(run, false, {
      ...(done !== undefined && { fetched: { done, ...(of !== undefined && { of }) } }),
      ...(wait && { next: { at: clock.now() + wait.ms, ...(wait.fault && { fault: wait.fault }) } }),
    })
  }

  #tell(record: RunRecord, hasFile = false, more: Pick<Run, 'fetched' | 'next'> = {}): Run {
    const run = { ...toRun(record, hasFile), ...more }
    if (isOver(run.state)) this.#known.delete(run.id)
    else this.#known.set(run.id, run)
    this.#options.changed(run)
    return run
  }

  async #makeRoom({ accountId, id, reportId }: RunRecord): Promise<void> {
    // The next file of the report triggers the cleanup again.
    if (this.#moving) return
    const { library, removed, keep } = this.#options
    const runs = (await library.runs(accountId)).filter((run) => run.reportId === reportId)
    const awaited = await this.#options.awaited?.(accountId)
    for (const run of runsToDelete(runs, { keep: keep(), awaited, just: id })) {
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
    // Let it finish its last write before anything else is written.
    while (this.#under.get(runId) === control && control) await new Promise((resolve) => setTimeout(resolve, 5))
    this.#known.delete(runId)
  }

  async #keep(run: RunRecord): Promise<RunRecord> {
    await this.#options.library.keep(run)
    return run
  }

  #client(accountId: string): Client {
    const client = this.#options.clientOf(accountId)
    if (client) return client
    throw new FaultError({ code: 'notFound', message: 'This account was removed.' })
  }

  async #record(accountId: string, runId: string): Promise<RunRecord> {
    const found = (await this.#options.library.runs(accountId)).find(({ id }) => id === runId)
    if (found) return found
    throw new FaultError({ code: 'notFound', message: 'This run is no longer on this computer.' })
  }
}

const isOfFile =
  (fileId: string, of: RunRecord['service'] = 'trafficking') =>
  ({ service, serviceId }: RunRecord): boolean =>
    service === of && serviceId === fileId

function takenOut(list: RunRecord[], runId: string): boolean {
  const at = list.findIndex(({ id }) => id === runId)
  return at >= 0 && list.splice(at, 1).length > 0
}

/** Placeholder for a run with a damaged record, so that it can be deleted. */
const damagedRun = (accountId: string, { id, path, newer }: DamagedRun): Run => ({
  id,
  accountId,
  service: 'trafficking',
  name: newer ? 'Run from a newer version' : 'Damaged run',
  type: '',
  state: 'failed',
  words: newer
    ? `This run was saved by a newer version of Flightplan. Open the newer version to see it. Its results may be in the same folder as ${path}`
    : `Couldn’t read the details of this run. Its results may be in the same folder as ${path}`,
  // The ID starts with the request time.
  asked: Number.parseInt(id, 10) || 0,
  format: 'csv',
  pinned: false,
  hasFile: false,
  damaged: true,
})
