import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'

/**
 * Disables and deletes the HTTP cache. A redirect or web page cached from a captive network would replace the service's
 * answers at every later start. Call before the app is ready, once its folder is set and no other process uses it.
 */
export function forgetHttpCache(app: App): void {
  app.commandLine.appendSwitch('disable-http-cache')
  try {
    rmSync(join(app.getPath('userData'), 'Cache'), { recursive: true, force: true })
  } catch {
    // An undeletable cache isn't read either.
  }
}
