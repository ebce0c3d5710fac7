import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives this process and its children one temporary folder, so that nothing stays behind of what they create in it. A child
 * keeps it: paths of sockets may have 107 bytes, so folders can't be nested for long.
 * @returns {() => void} removes the folder
 */
export function useTemporaryFolder() {
  if (process.env.FLIGHTPLAN_TEMPORARY) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'flightplan-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP', 'FLIGHTPLAN_TEMPORARY']) process.env[name] = folder
  return () => removeFolder(folder)
}

/**
 * Deletes a folder to which ending processes may still write for a moment, which the retries of `rmSync` don't cover. Prints what
 * it can't delete.
 * @param {string} folder
 */
export function removeFolder(folder) {
  for (let left = 50; ; left--)
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (left === 0) return console.error(`Couldn’t delete ${folder}: ${error}`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
}
