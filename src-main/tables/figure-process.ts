import { FaultError, type Fault } from '#shared/fault'
import type { FigureProgress } from '#shared/figures/questions'
import type { ChildProcess } from '../ipc/child-process'
import type { FigureOrders, OrderAnswers, OrderName, Said, Sent } from './orders'

/** Time to exit voluntarily, in milliseconds. */
const patience = 2_000
/** Milliseconds until a process that doesn't answer a cancel is ended: it's held up by a file. */
const cancelPatience = 800
/** Maximum time without progress while reading a file, in milliseconds. */
const stalled = 180_000

interface Waiting {
  name: OrderName
  child: ChildProcess<Sent>
  resolve: (value: never) => void
  reject: (reason: FaultError) => void
  /** Ends the process if it doesn't answer in time. */
  timer?: NodeJS.Timeout
}

/** Orders that only display a table don't report a crash. The table can be reopened. */
const shows: ReadonlySet<OrderName> = new Set<OrderName>(['figures/page', 'figures/close'])

/**
 * The table process as seen by the app. Starts with the first order, and again after a crash. Order numbers are never
 * reused, so that tables of a new process can't be mistaken for earlier ones.
 */
export class FigureProcess {
  readonly #stalled: number
  readonly #start: () => ChildProcess<Sent>
  readonly #onprogress: (progress: FigureProgress) => void
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess<Sent> | undefined
  #exited: Promise<void> = Promise.resolve()
  #closed = false
  #id = 0

  /** @param limit maximum time without progress while reading a file, in milliseconds */
  constructor(start: () => ChildProcess<Sent>, onprogress: (progress: FigureProgress) => void, limit = stalled) {
    this.#stalled = limit
    this.#start = start
    this.#onprogress = onprogress
  }

  /** @throws FaultError from the process, or `invalid` or `gone` if it crashed during the order */
  ask<N extends OrderName>(name: N, args: FigureOrders[N]): Promise<OrderAnswers[N]> {
    if (this.#closed) return Promise.reject(new FaultError({ code: 'aborted', message: 'Flightplan is closing.' }))
    const child = (this.#child ??= this.#started())
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { name, child, resolve, reject }
      this.#waiting.set(id, waiting)
      if (name === 'figures/cancel') {
        const { table } = args as FigureOrders['figures/cancel']
        waiting.timer = setTimeout(() => this.#cut(child, table, cancelled()), cancelPatience)
      } else if (name === 'figures/open')
        waiting.timer = setTimeout(() => this.#cut(child, id, tookTooLong()), this.#stalled)
      child.post({ id, name, args } as Sent)
    })
  }

  /** Ends the process from outside, for the sake of one order. */
  #cut(child: ChildProcess<Sent>, id: number, why: FaultError): void {
    this.#waiting.get(id)?.reject(why)
    this.#forget(child)
    child.kill()
  }

  /** The next order starts a new process. */
  #forget(child: ChildProcess<Sent>): void {
    if (this.#child === child) this.#child = undefined
  }

  /** Ends the running orders, then the process. */
  async close(): Promise<void> {
    this.#closed = true
    const child = this.#child
    if (!child) return
    child.post({ end: true })
    const timer = setTimeout(() => child.kill(), patience)
    await this.#exited
    clearTimeout(timer)
  }

  #started(): ChildProcess<Sent> {
    const child = this.#start()
    child.onMessage((message) => this.#hear(message as Said))
    this.#exited = new Promise((done) =>
      child.onExit(() => {
        this.#forget(child)
        for (const [id, { name, resolve, reject, timer, child: asked }] of this.#waiting) {
          if (asked !== child) continue
          this.#waiting.delete(id)
          clearTimeout(timer)
          // The order to cancel ended with the process.
          if (name === 'figures/cancel') resolve(null as never)
          else reject(died(name))
        }
        done()
      }),
    )
    return child
  }

  #hear(said: Said): void {
    if ('progress' in said) {
      this.#waiting.get(said.progress.table ?? 0)?.timer?.refresh()
      return this.#onprogress(said.progress)
    }
    const waiting = this.#waiting.get(said.id)
    this.#waiting.delete(said.id)
    clearTimeout(waiting?.timer)
    if ('fault' in said) waiting?.reject(new FaultError(said.fault))
    else waiting?.resolve(said.value as never)
  }
}

const cancelled = (): FaultError => new FaultError({ code: 'aborted', message: 'Canceled.' })
const tookTooLong = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'Reading the file took too long. The file is unchanged.' })

function died(name: OrderName): FaultError {
  const fault: Fault = shows.has(name)
    ? { code: 'gone', message: 'The tables were unloaded from memory. Their files are unchanged. Open them again.' }
    : {
        code: 'invalid',
        message: 'Not enough memory for this table. The files are unchanged. Reduce the table, or close other tables.',
      }
  return new FaultError(fault)
}
