import type { DownloadHead } from '../services/client'
import type { RunRecord } from './run-record'

/** What the service says of a run. */
export type Look =
  { state: 'working' } | { state: 'ready'; more: Partial<RunRecord> } | { state: 'failed'; words: string }

/** What differs between the services that run reports. Everything throws FaultError. */
export interface RunService {
  /** What has to be known before the run is asked for, so that it can be told from others. */
  before(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord>>
  /** Asks for the run. @returns what is known of it from now on */
  start(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord>>
  /** The run that was asked for while its answer was lost; undefined where it cannot be seen. */
  adopt(run: RunRecord, signal: AbortSignal): Promise<Partial<RunRecord> | undefined>
  /** How often it is looked for before it is asked for again. */
  readonly adoptLooks: number
  look(run: RunRecord, signal: AbortSignal): Promise<Look>
  download<T>(
    run: RunRecord,
    fragment: number,
    take: (head: DownloadHead, chunks: AsyncIterable<Uint8Array>) => Promise<T>,
    options: { from: number; etag?: string; signal: AbortSignal },
  ): Promise<T>
}
