import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import { isOver, type RunState } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import { assemble } from './assemble'
import { fetchFragment } from './download'
import type { ReadFileFacts } from './file-facts'
import type { Library } from './library'
import { longestRun, nextLook, nextTry } from './patience'
import type { RunRecord } from './run-record'
import type { RunService } from './run-service'

/** How far a run is: after each change that is kept, and while bytes come. */
export interface RunProgress {
  run: RunRecord
  /** Bytes of the file, while it comes. */
  done?: number
  of?: number
  /** Milliseconds until the service is asked again, and why. */
  wait?: { ms: number; fault?: Fault }
}

export interface RunnerOptions {
  library: Library
  service: RunService
  readFacts: ReadFileFacts
  clock: Clock
  random: () => number
  /** Resolves after so many milliseconds. @throws FaultError `aborted` */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  onprogress?: (progress: RunProgress) => void
  /** Goes on from what is on disk: another process may have brought the run further since it was read. */
  asKept?: boolean
  /** Failures in a row that waiting could mend, after which it is given up for now. */
  patience?: number
}

/** Between looks for a run whose answer was lost. */
const lostWaits = [10_000, 20_000, 30_000]
/** Before a service without a list is asked once more: by then what kept it from answering may be over. */
const untilAskedAgain = 60_000

/**
 * Brings a run to its end, from wherever it stands: each step is kept before it is taken, so that a run that was cut off goes
 * on where it was, and none is asked for twice because an answer was lost, or by two processes.
 * @returns the run when it is over. @throws FaultError `aborted`; `conflict` while another process has it, see `isHeldElsewhere`; or
 * what could not be mended by waiting, with the run kept
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

  const note = async (next: RunRecord): Promise<void> => {
    run = next
    await library.keep(run)
    onprogress?.({ run })
  }
  const to = (state: RunState, words: string, more: Partial<RunRecord> = {}): Promise<void> =>
    note({ ...run, ...more, state, words, ...(isOver(state) && { finished: clock.now() }) })
  const pause = async (ms: number, fault?: Fault): Promise<void> => {
    onprogress?.({ run, wait: { ms, ...(fault && { fault }) } })
    await wait(ms, signal)
  }

  const steps: Record<'waiting' | 'asked' | 'working' | 'fetching', () => Promise<void>> = {
    // The intent is kept with what tells the run from others, and only then is the service told.
    waiting: async () => {
      const more = await service.before(run, signal)
      await to('asked', 'Requesting the report', more)
      await ask()
    },
    // Nobody knows whether the service heard.
    asked: async () => {
      for (const ms of lostWaits.slice(0, service.adoptLooks)) {
        const found = await service.adopt(run, signal)
        if (found) return to('working', 'The report is running', found)
        await pause(ms)
      }
      const found = service.adoptLooks > 0 ? await service.adopt(run, signal) : undefined
      if (found) return to('working', 'The report is running', found)
      // Where it cannot be looked for, it is asked for once more and never a third time.
      if (service.adoptLooks === 0) {
        if (run.askedAgain) return to('needsYou', 'Couldn’t confirm that the report started. Run it again.')
        await pause(untilAskedAgain)
        await note({ ...run, askedAgain: true })
      }
      await ask()
    },
    working: async () => {
      const look = await service.look(run, signal)
      if (look.state === 'failed') return to('failed', look.words)
      if (look.state === 'ready') return to('fetching', 'Downloading the results', look.more)
      // Only now: a computer that slept meanwhile finds the report ready.
      if (clock.now() - run.asked > longestRun)
        return to('needsYou', 'The report has been running for 12 hours. Check again, or run it again.')
      await pause(nextLook(run.service, looks++, random))
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
  /** The whole file; undefined where the run failed, as a second file was no better than the first. */
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
      // It heard nothing, or refused: nothing has to be looked for.
      if (!faults[faultOf(error).code].mayHaveArrived) await to('waiting', 'Queued', { told: undefined })
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

  /** Waits where that can help. */
  async function mend(fault: Fault, error: unknown): Promise<void> {
    if (signal.aborted || fault.code === 'aborted') throw error
    if (fault.code === 'notFound' || fault.code === 'gone') return to('failed', gone(run))
    // A refusal of what is asked for: the same again would be refused again.
    if (fault.code === 'invalid' && run.state !== 'fetching') {
      const where = fault.location ? ` (${fault.location})` : ''
      return to('failed', `${fault.message}${where}`)
    }
    const mendable = faults[fault.code].retry && fault.code !== 'quotaSpent' && fault.code !== 'storage'
    // A file that cannot be right is fetched once more from its start.
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
