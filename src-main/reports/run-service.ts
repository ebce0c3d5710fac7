import { asSentence, type Fault, type FaultCode } from '#shared/fault'
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

const remedies: Partial<Record<FaultCode, string>> = {
  invalid: 'The service rejected the definition. Edit it, then run the report again.',
  forbidden: 'You don’t have access to this report. Ask for access, then run it again.',
}
/** Why a run failed and what to do, before the service's own words. Other messages are Flightplan's. */
export function failureWords({ code, status, message, location }: Fault): string {
  if (status === undefined) return code === 'mistake' ? `Error in Flightplan. ${message}` : message
  const remedy = remedies[code] ?? 'The service couldn’t run the report. Run it again.'
  return `${remedy} Details: ${asSentence(message)}${location === undefined ? '' : ` (${location})`}`
}
