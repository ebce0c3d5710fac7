import type { DownloadHead } from '../services/client'
import type { RunRecord } from './run-record'

/** State of a run on the server. */
export type Look =
  | { state: 'working' }
  | { state: 'ready'; more: Partial<RunRecord> }
  | { state: 'failed'; words: string }

/** Differences between the reporting services. All methods throw FaultError. */
export interface RunService {
  /** Returns what distinguishes the new run from others, before it's requested. */
  before(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord>>
  /** Requests the run. @returns changes to its record */
  start(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord>>
  /** Finds the requested run after a lost response, or returns undefined. */
  adopt(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord> | undefined>
  /** Number of lookups before the run is requested again. */
  readonly adoptLooks: number
  look(run: RunRecord, signal: AbortSignal): Promise<Look>
  download<T>(
    run: RunRecord,
    fragment: number,
    take: (head: DownloadHead, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    options: { from: number; etag?: string; signal: AbortSignal },
  ): Promise<T>
}
