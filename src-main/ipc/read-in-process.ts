import { FaultError, type Fault } from '#shared/fault'
import type { ChildProcess } from './child-process'

/** Answer of a process that reads one file, see `answerOnce`. */
export type ReadReply = { ok: true; read: unknown } | { ok: false; fault: Fault }

export interface ReadInProcessOptions {
  /** Milliseconds that a file may take. */
  limit?: number
  /** Ends the process at any time. */
  signal?: AbortSignal
  /** Sentence that follows each reason: `Nothing was imported.` */
  unchanged: string
}

/**
 * Has a file read by a process that was started for it and is ended after it, so that a file that takes too long or too much
 * memory costs that process and nothing else.
 * @throws FaultError what the process says; `invalid` where it took too long or died; `aborted`
 */
export async function readInProcess<Order, Read>(
  reader: ChildProcess<Order>,
  order: Order,
  { limit = 120_000, signal, unchanged }: ReadInProcessOptions,
): Promise<Read> {
  const fault = (code: 'aborted' | 'invalid', what: string): FaultError =>
    new FaultError({ code, message: `${what} ${unchanged}` })
  let timer: ReturnType<typeof setTimeout> | undefined
  let cancel: (() => void) | undefined
  try {
    return await new Promise<Read>((resolve, reject) => {
      cancel = () => reject(fault('aborted', 'Canceled.'))
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel)
      timer = setTimeout(
        () => reject(fault('invalid', `Reading the file took longer than ${Math.round(limit / 1_000)} seconds.`)),
        limit,
      )
      reader.onMessage((message) => {
        const reply = message as ReadReply
        if (reply.ok) resolve(reply.read as Read)
        else reject(new FaultError(reply.fault))
      })
      reader.onExit(() => reject(fault('invalid', 'The file is too large or can’t be read.')))
      reader.post(order)
    })
  } finally {
    clearTimeout(timer)
    if (cancel) signal?.removeEventListener('abort', cancel)
    reader.kill()
  }
}
