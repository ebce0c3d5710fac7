import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import { isOver, type RunState } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import { assemble } from './assemble'
import { fetchFragment } from './download'
import type { ReadFileFacts } from './file-facts'
import type { Library } from './library'
import { maxRunTime, pollInterval, nextTry } from './poll-interval'
import type { RunRecord } from './run-record'
import { failureWords, type RunService } from './run-service'

/** Progress of a run, after each saved change and during downloads. */
export interface RunProgress {
  run: RunRecord
  /** Bytes downloaded so far. */
  done?: number
  of?: number
  /** Milliseconds until the next request, and the error that caused the delay. */
  wait?: { ms: number; fault?: Fault }
}

export interface RunnerOptions {
  library: Library
  service: RunService
  readFacts: ReadFileFacts
  clock: Clock
  random: () => number
  /** Resolves after `ms` milliseconds. @throws FaultError `aborted` */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  onprogress?: (progress: RunProgress) => void
  /** Resumes from the record on disk, because another process may have advanced the run. */
  asKept?: boolean
  /** Maximum number of consecutive transient errors. */
  patience?: number
}

/** Delays between lookups of a run after a lost response, in milliseconds. */
const lostWaits = [10_000, 20_000, 30_000]
/** Delay before a second request to a service that has no list of runs, in milliseconds. */
const untilAskedAgain = 60_000

/**
 * Drives a run from its current state to its end. Each step is saved before it's taken, so that an interrupted run
 * resumes there, and neither a lost response nor a second process requests it twice.
 * @returns the finished run. @throws FaultError `aborted`; `conflict` if another process has it, see `isLockedElsewhere`;
 * or the error that retries couldn't fix. The run stays saved
 */
export async function runToEnd(run: RunRecord, options: RunnerOptions): Promise<RunRecord> {
  const { library } = options
  const letGo = await library.hold(run)
  try {
    const kept = options.asKept ? await library.read(run) : undefined
    return await heldToEnd(kept ?? run, options)
  } finally {
    await letGo()
  }
}

async function heldToEnd(run: RunRecord, options: RunnerOptions): Promise<RunRecord> {
  const { library, service, readFacts, clock, random, signal, onprogress, wait } = options
  let failures = 0
  let looks = 0
  let spoilt = 0
  /** Why it's unknown if the last request arrived. */
  let lost: Fault | undefined

  const note = async (next: RunRecord): Promise<void> => {
    run = next
    await library.keep(run)
    onprogress?.({ run })
  }
  const to = (state: RunState, words: string, more: Partial<RunRecord> = {}): Promise<void> =>
    note({
      ...run,
      ...more,
      state,
      words,
      ...(isOver(state) && { finished: run.found !== undefined ? run.asked : clock.now() }),
    })
  const pause = async (ms: number, fault?: Fault): Promise<void> => {
    onprogress?.({ run, wait: { ms, ...(fault && { fault }) } })
    await wait(ms, signal)
  }

  const steps: Record<'waiting' | 'asked' | 'working' | 'fetching', () => Promise<void>> = {
    // Save the intent, with what distinguishes the run from others, before the request.
    waiting: async () => {
      const more = await service.before(run, signal)
      await to('asked', 'Requesting the report', more)
      await ask()
    },
    // The request may or may not have arrived.
    asked: async () => {
      for (const ms of lostWaits.slice(0, service.adoptLooks)) {
        const found = await service.adopt(run, signal)
        if (found) return to('working', 'The report is running', found)
        await pause(ms, lost)
      }
      const found = service.adoptLooks > 0 ? await service.adopt(run, signal) : undefined
      if (found) return to('working', 'The report is running', found)
      // If it can't be looked up, request it a second time, but never a third.
      if (service.adoptLooks === 0) {
        if (run.askedAgain) return to('needsYou', 'Couldn’t confirm that the report started. Run it again.')
        await pause(untilAskedAgain, lost)
        await note({ ...run, askedAgain: true })
      }
      await ask()
    },
    working: async () => {
      const look = await service.look(run, signal)
      if (look.state === 'failed') return to('failed', look.words)
      if (look.state === 'ready') return to('fetching', 'Downloading the results', look.more)
      // Check this last: after sleep, the report may be ready.
      if (clock.now() - run.asked > maxRunTime)
        return to('needsYou', 'The report has been running for 12 hours. Check again, or run it again.')
      await pause(pollInterval(run.service, looks++, random))
    },
    fetching: async () => {
      await library.ready(run)
      for (const [index, { done }] of run.fragments.entries()) {
        if (done && (await library.hasPart(run, index))) continue
        const before = run.fragments.slice(0, index).reduce((sum, { bytes = 0 }) => sum + bytes, 0)
        const all = run.fragments.every(({ bytes }) => bytes !== undefined)
          ? run.fragments.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
          : undefined
        const onbytes = (at: number, of: number | undefined): void => {
          const total = all ?? (run.fragments.length === 1 ? of : undefined)
          onprogress?.({ run, done: before + at, ...(total !== undefined && { of: total }) })
        }
        await note(await fetchFragment(library, service, run, index, note, { signal, onbytes }))
        failures = 0
      }
      const whole = await assembled()
      if (whole === undefined) return
      await to(
        'kept',
        said(whole.totalsAgree === false ? 'Complete, but rows don’t match the report totals' : 'Complete'),
        whole,
      )
    },
  }
  const said = (words: string): string =>
    run.askedAgain ? `${words}. Requested twice, because the first request may not have arrived` : words
  /** Assembles the file. Undefined if the run failed because a second download was invalid, too. */
  const assembled = async (): Promise<RunRecord | undefined> => {
    try {
      if (run.fragments.length === 0)
        throw new FaultError({ code: 'badAnswer', message: 'The report is ready, but it has no file.' })
      return await assemble(library, run, { readFacts, signal })
    } catch (error) {
      const { code, message } = faultOf(error)
      if (code !== 'badAnswer' || (++spoilt < 2 && run.fragments.length > 0)) throw error
      await to('failed', spoilt < 2 ? message : `${message} A second download didn’t help. Run the report again.`)
      return undefined
    }
  }
  const ask = async (): Promise<void> => {
    try {
      const more = await service.start(run, signal)
      await to('working', said('The report is running'), more)
    } catch (error) {
      lost = faultOf(error)
      // The request didn't arrive or was rejected, so there's no run to look up.
      if (!faults[lost.code].mayHaveArrived) await to('waiting', 'Queued', { attempt: undefined })
      throw error
    }
  }

  while (!isOver(run.state) && run.state !== 'held') {
    try {
      await steps[run.state as keyof typeof steps]()
      failures = 0
    } catch (error) {
      await mend(faultOf(error), error)
    }
  }
  return run

  /** Waits and retries after a transient error, or fails the run. */
  async function mend(fault: Fault, error: unknown): Promise<void> {
    if (signal.aborted || fault.code === 'aborted') throw error
    if (fault.code === 'notFound' || fault.code === 'gone') return to('failed', gone(run))
    // The service rejected the definition, so a retry would fail, too.
    if (fault.code === 'invalid' && run.state !== 'fetching') return to('failed', failureWords(fault))
    const mendable = faults[fault.code].retry && fault.code !== 'quotaSpent' && fault.code !== 'storage'
    // Download an invalid file again from the start.
    if (fault.code === 'badAnswer' && run.state === 'fetching')
      await note({
        ...run,
        fragments: run.fragments.map(({ bytes }) => ({ ...(bytes !== undefined && { bytes }), done: false })),
      })
    if (!mendable || ++failures > (options.patience ?? Infinity)) throw asFault(error)
    await pause(nextTry(failures, fault.retryAfter, random), fault)
  }
}

const asFault = (error: unknown): Error => (error instanceof FaultError ? error : new FaultError(faultOf(error)))

const gone = ({ state }: RunRecord): string =>
  state === 'waiting' || state === 'asked'
    ? 'The report no longer exists on the server.'
    : 'The results are no longer on the server. Run the report again.'
