import { readdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { ringOf } from './ring'

const tests = join(import.meta.dirname, '..')

/** Window tests that catch most of the planted mistakes that only a window shows. `npm test` always runs them. */
export const coreWindowFiles: readonly string[] = [
  'e2e/hardening',
  'e2e/keyboard',
  'e2e/nothing-lost',
  'page/accessibility',
  'page/event-form',
  'page/focus',
  'page/peek',
  'page/sync-lists',
].map((name) => `test/${name}.test.ts`)

/** Files are drawn one of so many. */
const groupSize = 14

/** Page and electron tests of the usual ring, by whether `npm test` runs them. */
export interface WindowDraw {
  drawn: string[]
  others: string[]
}

/** Draws window tests by a seed: one of each group of about the same size, and with it about the same duration. */
export function drawWindows(seed: number, files: ReadonlyMap<string, number> = sizesOfWindowFiles()): WindowDraw {
  const core = coreWindowFiles.filter((file) => files.has(file))
  const rest = [...files]
    .filter(([file]) => !core.includes(file))
    .sort(([a, size], [b, other]) => size - other || (a < b ? -1 : 1))
    .map(([file]) => file)
  const groups = Array.from({ length: Math.ceil(rest.length / groupSize) }, (_, at) =>
    rest.slice(at * groupSize, (at + 1) * groupSize),
  )
  const drawn = groups.flatMap((group, at) => ringOf({ FLIGHTPLAN_DRAW: String(seed + at) }).drawn(group, 1))
  return { drawn: [...core, ...drawn].sort(), others: rest.filter((file) => !drawn.includes(file)).sort() }
}

function sizesOfWindowFiles(): Map<string, number> {
  return new Map(
    ['page', 'e2e'].flatMap((folder) =>
      readdirSync(join(tests, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.all.test.ts'))
        .map((name): [string, number] => [
          `test/${folder}/${name.split(sep).join('/')}`,
          statSync(join(tests, folder, name)).size,
        ]),
    ),
  )
}
