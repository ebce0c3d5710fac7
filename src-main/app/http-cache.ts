import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'

/**
 * No cache of HTTP answers: a redirect or a web page that a network once put in a service's place would answer for it
 * at every later start. What versions before this one kept goes. Call before the app is ready,
 * once its folder is set and nobody else uses it.
 */
export function forgetHttpCache(app: App): void {
  app.commandLine.appendSwitch('disable-http-cache')
  try {
    rmSync(join(app.getPath('userData'), 'Cache'), { recursive: true, force: true })
  } catch {
    // What cannot be removed is not read either.
  }
}
