// Measurements beyond vitest's report: one JSON line per app start and per file. Commands without vitest, such as the tour,
// record none.
import { appendFileSync } from 'node:fs'

const out = process.env['FLIGHTPLAN_MEASURES']
const running = globalThis as { flightplanTestFile?: string }

export interface Measure {
  kind: 'launch' | 'file'
  ms: number
  /** Milliseconds of this that the test process computed. It waited for the rest. */
  busy?: number
  /** Milliseconds of processor time of the test process and of everything it started. */
  processor?: number
}

/** Sets the test file that later measurements belong to. */
export const measureFor = (file: string): void => void (running.flightplanTestFile = file)

export function note(measure: Measure): void {
  const file = running.flightplanTestFile
  if (out !== undefined && file !== undefined) appendFileSync(out, `${JSON.stringify({ file, ...measure })}\n`)
}
