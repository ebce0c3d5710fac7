import { FaultError } from '#shared/fault'

/** Long work in steps, which yields in between and can be aborted. */
export type Steps<T> = Generator<void, T, void>

const blockRows = 65_536

/** Calls `work` for each block of rows, `from` to below `to`. */
export function* inBlocks(length: number, work: (from: number, to: number) => void, rows = blockRows): Steps<void> {
  for (let from = 0; from < length; from += rows) {
    work(from, Math.min(length, from + rows))
    yield
  }
}

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next()
    if (next.done) return next.value
  }
}

/** @throws FaultError `aborted` */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new FaultError({ code: 'aborted', message: 'Canceled.' })
}

/**
 * Runs the steps with a pause after each one.
 * @throws FaultError `aborted`
 */
export async function inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    refuseAborted(signal)
    const next = steps.next()
    if (next.done) return next.value
    await new Promise((done) => setImmediate(done))
  }
}

/** Places of all rows. */
export function allRows(length: number): Uint32Array {
  const rows = new Uint32Array(length)
  for (let row = 0; row < length; row++) rows[row] = row
  return rows
}
