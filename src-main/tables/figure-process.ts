import { FaultError, type Fault } from '#shared/fault'
import type { FigureProgress } from '#shared/figures/questions'
import type { ChildProcess } from '../ipc/child-process'
import type { FigureOrders, OrderAnswers, OrderName, Said, Sent } from './orders'

/** Milliseconds that it is given to end by itself. */
const patience = 2_000

interface Waiting {
  name: OrderName
  resolve: (value: never) => void
  reject: (reason: FaultError) => void
}

/** Nothing can be wrong with what only shows a table: with the process it is gone, and can be opened again. */
const shows: ReadonlySet<OrderName> = new Set<OrderName>(['figures/page', 'figures/close', 'figures/cancel'])

/**
 * The process of tables, seen from the app: started with the first order, and started anew after it died. Numbers of orders
 * never come again, so that no table of a new process is taken for one of an old.
 */
export class FigureProcess {
  readonly #start: () => ChildProcess<Sent>
  readonly #onprogress: (progress: FigureProgress) => void
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess<Sent> | undefined
  #exited: Promise<void> = Promise.resolve()
  #closed = false
  #id = 0

  constructor(start: () => ChildProcess<Sent>, onprogress: (progress: FigureProgress) => void) {
    this.#start = start
    this.#onprogress = onprogress
  }

  /** @throws FaultError what the process says; `invalid` or `gone` where it died over it */
  ask<N extends OrderName>(name: N, args: FigureOrders[N]): Promise<OrderAnswers[N]> {
    if (this.#closed) return Promise.reject(new FaultError({ code: 'aborted', message: 'Flightplan is closing.' }))
    const child = (this.#child ??= this.#started())
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { name, resolve, reject })
      child.post({ id, name, args } as Sent)
    })
  }

  /** Ends what is being done, then the process. */
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
        this.#child = undefined
        for (const { name, reject } of this.#waiting.values()) reject(died(name))
        this.#waiting.clear()
        done()
      }),
    )
    return child
  }

  #hear(said: Said): void {
    if ('progress' in said) return this.#onprogress(said.progress)
    const waiting = this.#waiting.get(said.id)
    this.#waiting.delete(said.id)
    if ('fault' in said) waiting?.reject(new FaultError(said.fault))
    else waiting?.resolve(said.value as never)
  }
}

function died(name: OrderName): FaultError {
  const fault: Fault = shows.has(name)
    ? { code: 'gone', message: 'The tables are not in memory any more. Their files are as they were; open them again.' }
    : {
        code: 'invalid',
        message:
          'This needed more memory than tables may take, so it was not done. Files are as they were; ask for less of it, or close other tables.',
      }
  return new FaultError(fault)
}
