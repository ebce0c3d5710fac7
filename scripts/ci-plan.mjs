// Plans the rest of `.ci/run`, in the time that the tour and `npm test` leave.

/** Time in seconds after which nothing more should start. CI ends a run after 1,200. */
export const wholeRun = 1_100

/**
 * Usual durations, in seconds, of `npm test` and of the window tests that it didn't draw, on a machine for which
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
 * What fits next to the window tests that `npm test` didn't draw, which always run. The files begin with one that the commit
 * chooses, so that each gets its turn. New seeds are tried at the same time.
 * @param {{ elapsed: number, tests: number, commit: string, seconds?: Record<string, number> }} run seconds since it began,
 *   those of `npm test` among them, and the commit's hash
 * @returns {{ minutes: number, files: string[], leftOut: string[] }} whole minutes of new seeds, and the files of the outer ring
 *   that fit, and that don't
 */
export function planRest({ elapsed, tests, commit, seconds = outerSeconds }) {
  const slower = tests / usualTests
  const left = Math.max(0, wholeRun - elapsed - usualOthers * slower)
  const names = Object.keys(seconds).sort()
  const first = Number.parseInt(commit.slice(0, 7), 16) % names.length
  const files = []
  const leftOut = []
  let free = left
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const needed = seconds[name] * slower
    if (needed <= free) {
      files.push(name)
      free -= needed
    } else leftOut.push(name)
  }
  return { minutes: Math.min(2, Math.floor(left / 60)), files, leftOut }
}
