import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Clock } from '#shared/time/clock'
import type { OpenOptions } from './app-page'
import { startService, type TestService } from './service'

export interface PromptReports<App> {
  service: TestService
  /** The app data, kept over restarts. */
  userData: string
  /** @returns once the window shows its content */
  open(options?: Pick<OpenOptions, 'args' | 'size'>): Promise<App>
}

/** A demo service whose reports finish at once. @param start `openApp`, or `launchApp` if Electron is needed */
export async function promptReports<App extends { page: Page }>(
  clock: Clock,
  start: (options: OpenOptions) => Promise<App>,
): Promise<PromptReports<App>> {
  const service = await startService({ seed: 'demo', now: clock.now })
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-reports-'))
  const { baseUrl, token } = service.sandbox
  return {
    service,
    userData,
    open: async (options = {}) => {
      const app = await start({ ...options, userData, clock, service: { baseUrl, token } })
      await app.page.getByRole('main').waitFor()
      return app
    },
  }
}
