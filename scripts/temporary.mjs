import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives this process and its children one temporary folder, so that nothing stays behind of what they create in it.
 * @returns {() => void} removes the folder
 */
export function useTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'flightplan-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // Killed apps may still write there for a moment.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 })
}
