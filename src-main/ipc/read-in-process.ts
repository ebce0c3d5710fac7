import { FaultError } from '#shared/fault'
import { ChildRequests, type ChildProcess } from './child-process'

/** Contract of a process that reads one file. */
export interface ReadContract<Order, Read> {
  read: { args: Order; value: Read }
}

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
  reader: ChildProcess,
  order: Order,
  { limit = 120_000, signal, unchanged }: ReadInProcessOptions,
): Promise<Read> {
  const fault = (code: 'aborted' | 'invalid', what: string): FaultError =>
    new FaultError({ code, message: `${what} ${unchanged}` })
  const requests = new ChildRequests<ReadContract<Order, Read>>(reader, () =>
    fault('invalid', 'The file is too large or can’t be read.'),
  )
  const tookTooLong = `Reading the file took longer than ${Math.round(limit / 1_000)} seconds.`
  const timer = setTimeout(() => requests.end(fault('invalid', tookTooLong)), limit)
  const cancel = (): void => requests.end(fault('aborted', 'Canceled.'))
  signal?.addEventListener('abort', cancel)
  try {
    const read = requests.ask('read', order)
    if (signal?.aborted) cancel()
    return await read
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    requests.kill()
  }
}
