import { FaultError, type Fault } from '#shared/fault'
import type { ResultProgress } from '#shared/results/questions'
import { ChildRequests, type ChildProcess } from '../ipc/child-process'
import type { ResultContract, ResultOrders, OrderAnswers, OrderName } from './orders'

/** Time to exit voluntarily, in milliseconds. */
const patience = 2_000
/** Milliseconds until a process that doesn't answer a cancel is ended: it's held up by a file. */
const cancelPatience = 800
/** Maximum time without progress while reading a file, in milliseconds. */
const stalled = 180_000

/** Orders that only display a table don't report a crash. The table can be reopened. */
const shows: ReadonlySet<string> = new Set<OrderName>(['results/page', 'results/close'])

/**
 * The table process as seen by the app. Starts with the first order, and again after a crash. Order numbers are never
 * reused, so that tables of a new process can't be mistaken for earlier ones.
 */
export class ResultProcess {
  readonly #start: () => ChildProcess
  readonly #onprogress: (progress: ResultProgress) => void
  readonly #stalled: number
  #requests: ChildRequests<ResultContract> | undefined
  #closed = false

  /** @param limit maximum time without progress while reading a file, in milliseconds */
  constructor(start: () => ChildProcess, onprogress: (progress: ResultProgress) => void, limit = stalled) {
    this.#start = start
    this.#onprogress = onprogress
    this.#stalled = limit
  }

  /** @throws FaultError from the process, or `invalid` or `gone` if it crashed during the order */
  async ask<N extends OrderName>(name: N, args: ResultOrders[N]): Promise<OrderAnswers[N]> {
    if (this.#closed) throw new FaultError({ code: 'aborted', message: 'Flightplan is closing.' })
    const requests = (this.#requests ??= this.#started())
    let timer: NodeJS.Timeout | undefined
    const onprogress = (progress: ResultProgress): void => {
      timer?.refresh()
      this.#onprogress(progress)
    }
    const { id, answer } = requests.begin<OrderName>(name, args, { onprogress })
    if (name === 'results/open') timer = setTimeout(() => this.#cut(requests, id, tookTooLong()), this.#stalled)
    else if (name === 'results/cancel') {
      const { table } = args as ResultOrders['results/cancel']
      timer = setTimeout(() => this.#cut(requests, table, cancelled()), cancelPatience)
    }
    try {
      return (await answer) as OrderAnswers[N]
    } catch (error) {
      // The order to cancel ended with the process.
      if (name === 'results/cancel') return null as OrderAnswers[N]
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the running orders, then the process. */
  async close(): Promise<void> {
    this.#closed = true
    const requests = this.#requests
    if (!requests) return
    const timer = setTimeout(() => requests.kill(), patience)
    // The process exits instead of answering.
    requests.ask('end', null).catch(() => undefined)
    await requests.exited
    clearTimeout(timer)
  }

  /** Ends the process from outside, for the sake of one order. */
  #cut(requests: ChildRequests<ResultContract>, id: number, why: FaultError): void {
    requests.reject(id, why)
    this.#forget(requests)
    requests.kill()
  }

  /** The next order starts a new process. */
  #forget(requests: ChildRequests<ResultContract>): void {
    if (this.#requests === requests) this.#requests = undefined
  }

  #started(): ChildRequests<ResultContract> {
    const requests = new ChildRequests<ResultContract>(this.#start(), died)
    void requests.exited.then(() => this.#forget(requests))
    return requests
  }
}

const cancelled = (): FaultError => new FaultError({ code: 'aborted', message: 'Canceled.' })
const tookTooLong = (): FaultError =>
  new FaultError({
    code: 'invalid',
    message: 'Reading the file took too long. The file is unchanged. Try again, or open a smaller file.',
  })

function died(name: string): FaultError {
  const fault: Fault = shows.has(name)
    ? { code: 'gone', message: 'The tables were unloaded from memory. Their files are unchanged. Open them again.' }
    : {
        code: 'invalid',
        message: 'Not enough memory for this table. The files are unchanged. Filter its rows, or close other tables.',
      }
  return new FaultError(fault)
}
