// What a run measures beyond vitest's report: one line of JSON for each start of an app and for each file. Commands that
// run without vitest, such as the tour, measure nothing.
import { appendFileSync } from 'node:fs'

const out = process.env['FLIGHTPLAN_MEASURES']
const running = globalThis as { flightplanTestFile?: string }

export interface Measure {
  kind: 'launch' | 'file'
  ms: number
  /** How long of this the process of the tests computed; the rest it waited. */
  busy?: number
}

/** Sets the test file that what is noted from now on belongs to. */
export const measureFor = (file: string): void => void (running.flightplanTestFile = file)

export function note(measure: Measure): void {
  const file = running.flightplanTestFile
  if (out !== undefined && file !== undefined) appendFileSync(out, `${JSON.stringify({ file, ...measure })}\n`)
}
