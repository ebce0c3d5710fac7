import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'electron'

/**
 * Moves everything that Electron and Chromium write to a temporary folder, so that the profile doesn’t change. Call before the
 * app is ready.
 */
export function leaveProfile(electron: Pick<App, 'setPath' | 'on'>): void {
  const temporary = mkdtempSync(join(tmpdir(), 'flightplan-read-only-'))
  for (const name of ['userData', 'sessionData', 'crashDumps'] as const) electron.setPath(name, temporary)
  // Files that Chromium still has open stay in the system’s temporary folder.
  electron.on('quit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 1 }))
}
