import { FaultError, type Fault } from '#shared/fault'
import type { ChildProcess } from './child-process'

/** Answer of a process that reads one file, see `answerOnce`. */
export type ReadReply = { ok: true; read: unknown } | { ok: false; fault: Fault }

export interface ReadInProcessOptions {
  /** Time limit per file, in milliseconds. */
  limit?: number
  /** Ends the process at any time. */
  signal?: AbortSignal
  /** Sentence that follows each reason: `Nothing was imported.` */
  unchanged: string
}

/**
 * Reads a file in a separate process that ends afterward, so that a malicious or huge file only affects that process.
 * @throws FaultError from the process, `invalid` if it timed out or crashed, `aborted`
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
