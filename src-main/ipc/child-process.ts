import { z } from 'zod'
import { FaultError, faultOf, type Fault } from '#shared/fault'

/** A child process, started by Electron or Node. */
export interface ChildProcess {
  post(message: ToChild): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number | null) => void): void
  kill(): void
}

/** The requests that a child answers, by name. */
export type ChildContract<Names extends string = string> = Record<
  Names,
  { args: unknown; value: unknown; progress?: unknown }
>

const toChildSchema = z.union([
  z.object({ id: z.number().int(), name: z.string(), args: z.unknown() }),
  z.object({ cancel: z.number().int() }),
])
type ToChild = z.output<typeof toChildSchema>
type FromChild = { id: number } & ({ value: unknown } | { fault: Fault } | { progress: unknown })

export interface ChildRequestOptions<Progress> {
  /** Asks the child to cancel the request. */
  signal?: AbortSignal
  onprogress?: (progress: Progress) => void
}

interface Waiting {
  name: string
  resolve: (value: never) => void
  reject: (reason: FaultError) => void
  onprogress: ((progress: never) => void) | undefined
}

let lastId = 0

/** Requests to a child process. Their numbers are never reused, not even by another process. */
export class ChildRequests<C extends ChildContract<keyof C & string>> {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>

  /** `died`: the error of requests that the child didn't answer before it exited. */
  constructor(child: ChildProcess, died: (name: keyof C & string) => FaultError) {
    this.#child = child
    child.onMessage((message) => this.#hear(message as FromChild))
    this.exited = new Promise((resolve) =>
      child.onExit(() => {
        for (const [id, { name }] of this.#waiting) this.reject(id, died(name as keyof C & string))
        resolve()
      }),
    )
  }

  /** @throws FaultError of the child, or that of its death */
  ask<N extends keyof C & string>(
    name: N,
    args: C[N]['args'],
    options?: ChildRequestOptions<C[N]['progress']>,
  ): Promise<C[N]['value']> {
    return this.begin(name, args, options).answer
  }

  /** Like `ask`, but also returns the request's number. */
  begin<N extends keyof C & string>(
    name: N,
    args: C[N]['args'],
    { signal, onprogress }: ChildRequestOptions<C[N]['progress']> = {},
  ): { id: number; answer: Promise<C[N]['value']> } {
    const id = ++lastId
    const answer = new Promise<C[N]['value']>((resolve, reject) => {
      this.#waiting.set(id, { name, resolve, reject, onprogress })
      this.#child.post({ id, name, args })
      signal?.addEventListener('abort', () => this.#child.post({ cancel: id }))
    })
    return { id, answer }
  }

  /** Ends a request from outside, without notifying the child. */
  reject(id: number, why: FaultError): void {
    this.#waiting.get(id)?.reject(why)
    this.#waiting.delete(id)
  }

  /** Ends the process, and all requests with this error. */
  end(why: FaultError): void {
    for (const id of this.#waiting.keys()) this.reject(id, why)
    this.kill()
  }

  kill(): void {
    this.#child.kill()
  }

  #hear(said: FromChild): void {
    const waiting = this.#waiting.get(said.id)
    if ('progress' in said) return waiting?.onprogress?.(said.progress as never)
    this.#waiting.delete(said.id)
    if ('fault' in said) waiting?.reject(new FaultError(said.fault))
    else waiting?.resolve(said.value as never)
  }
}

/** Context of a handler, besides its arguments. */
export interface Answering<Progress> {
  id: number
  /** Aborted when the parent cancels the request. */
  signal: AbortSignal
  tell: (progress: Progress) => void
}

/** Answers requests of the parent process. Its arguments are trusted. */
export function answerParent<C extends ChildContract<keyof C & string>>(answers: {
  [N in keyof C & string]: (
    args: C[N]['args'],
    answering: Answering<C[N]['progress']>,
  ) => Promise<C[N]['value']> | C[N]['value']
}): void {
  const running = new Map<number, AbortController>()
  const answer = async (name: keyof C & string, args: never, id: number): Promise<void> => {
    const control = new AbortController()
    running.set(id, control)
    const tell = (progress: unknown): void => say({ id, progress })
    try {
      say({ id, value: await answers[name](args, { id, signal: control.signal, tell }) })
    } catch (error) {
      say({ id, fault: faultOf(error) })
    } finally {
      running.delete(id)
    }
  }
  // Electron wraps messages in an event.
  parentConnection().on('message', (event) => {
    const message = toChildSchema.parse((event as { data?: unknown }).data ?? event)
    if ('cancel' in message) running.get(message.cancel)?.abort()
    else void answer(message.name as keyof C & string, message.args as never, message.id)
  })
}

/** Connection to the parent process, which differs between Electron and Node. */
interface ParentConnection {
  on(name: 'message', listener: (message: unknown) => void): unknown
  postMessage?(message: unknown): void
  send?(message: unknown): unknown
}

const parentConnection = (): ParentConnection =>
  ((process as { parentPort?: ParentConnection }).parentPort ?? process) as ParentConnection

function say(message: FromChild): void {
  const to = parentConnection()
  if (to.postMessage) to.postMessage(message)
  else to.send?.(message)
}
