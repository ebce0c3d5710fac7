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
  // Killed apps may still write there for a moment.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 })
}
