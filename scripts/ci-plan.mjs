// Plans the rest of `.ci/run`, after the tour and `npm test`.

/** Seconds after which nothing more should start: a run should take 20 minutes. */
export const wholeRun = 1_100

/** Parts of the window tests that `npm test` didn't draw. A run tries one of them. */
export const parts = 8

/**
 * Usual durations, in seconds, of `npm test` and of all the window tests that it didn't draw, on a machine for which
 * `outerSeconds` holds. A slower machine is slower at all of them.
 */
export const usualTests = 450
export const usualOthers = 270

/** Seconds to allow each file of the outer ring. */
export const outerSeconds = {
  'test/e2e/big-account.all.test.ts': 90,
  'test/e2e/big-export.all.test.ts': 45,
  'test/e2e/big-results.all.test.ts': 15,
  'test/e2e/big-grid.all.test.ts': 55,
  'test/e2e/campaign-desk.all.test.ts': 75,
  'test/e2e/console.all.test.ts': 65,
  'test/e2e/every-control.all.test.ts': 720,
  'test/e2e/every-field.all.test.ts': 150,
  'test/e2e/installer.all.test.ts': 240,
  'test/flows/conflicts-in-bulk.all.test.ts': 30,
}

/**
 * What runs after `npm test`, next to two minutes of new seeds. The commit chooses the part of the window tests and the file
 * of the outer ring to begin with, so that each gets its turn.
 * @param {{ elapsed: number, tests: number, seed: number, seconds?: Record<string, number> }} run seconds since it began,
 *   those of `npm test` among them, and the seed of the commit
 * @returns {{ part: number, files: string[], leftOut: string[] }} the part, from 1, and the files of the outer ring that fit in
 *   the time left, and that don't
 */
export function planRest({ elapsed, tests, seed, seconds = outerSeconds }) {
  const slower = tests / usualTests
  let left = wholeRun - elapsed - (usualOthers / parts) * slower
  const names = Object.keys(seconds).sort()
  const first = seed % names.length
  const files = []
  const leftOut = []
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const needed = seconds[name] * slower
    if (needed <= left) {
      files.push(name)
      left -= needed
    } else leftOut.push(name)
  }
  return { part: 1 + (seed % parts), files, leftOut }
}
