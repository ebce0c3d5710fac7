import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { removeFolder } from '../../scripts/temporary.mjs'
import type { AppPage, OpenOptions } from './app-page'
import type { Device } from './device'
import { nothingPending } from './page'
import { startService, type TestService } from './service'

/** A service for all tests of a file, or of the `describe` that calls this. Use it in hooks and tests only. */
export function serviceForFile(options?: Parameters<typeof startService>[0]): TestService {
  let service: TestService | undefined
  beforeAll(async () => {
    service = await startService(options)
  })
  afterAll(() => service?.stop())
  return lazily(() => service!)
}

/** A new service for each test. */
export function serviceForEach(options?: Parameters<typeof startService>[0]): TestService {
  let service: TestService | undefined
  beforeEach(async () => {
    service = await startService(options)
  })
  afterEach(() => service?.stop())
  return lazily(() => service!)
}

export interface TwoDevices {
  service: TestService
  here: Device
  there: Device
  /** Takes both offline, or online. */
  offline(isOffline: boolean): Promise<unknown>
  /** Brings each other's edits to both, online. */
  sync(): Promise<void>
}

/** A new service for each test, and two synced computers of its user. */
export function devicesForEach(): TwoDevices {
  const service = serviceForEach()
  let devices: Device[] = []
  beforeEach(async () => {
    // Loaded only here, because other tests of a service have no database.
    const { deviceOf } = await import('./device')
    devices = await Promise.all([deviceOf(service), deviceOf(service)])
    await Promise.all(devices.map((device) => device.settled()))
  })
  afterEach(() => Promise.all(devices.map((device) => device.close())))
  const offline: TwoDevices['offline'] = (isOffline) =>
    Promise.all(devices.map(({ replica }) => replica.setOffline(isOffline)))
  return {
    service,
    here: lazily(() => devices[0]!),
    there: lazily(() => devices[1]!),
    offline,
    sync: async () => {
      await offline(false)
      for (const device of [...devices, devices[0]!]) await device.settled()
    },
  }
}

/** An empty folder, deleted after all tests of the file. Child processes of a killed app may still write to it for a moment. */
export function folderForFile(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  afterAll(() => removeFolder(folder))
  return folder
}

/** An app for all tests of a page file, opened once everything is sent. `options` is called in a hook. */
export function appForFile(options: () => OpenOptions): { app: AppPage; page: Page } {
  let app: AppPage | undefined
  beforeAll(async () => {
    // Loaded only here, because other tests of a service have no browser.
    const { openApp } = await import('./app-page')
    app = await openApp(options())
    await nothingPending(app.page)
  })
  afterAll(() => app?.close())
  return { app: lazily(() => app!), page: lazily(() => app!.page) }
}

/** A value that hooks create later. Can't be spread. */
export const lazily = <T extends object>(of: () => T): T =>
  new Proxy({} as T, {
    get: (_none, name) => {
      const value: unknown = Reflect.get(of(), name)
      return typeof value === 'function' ? (value.bind(of()) as unknown) : value
    },
    set: (_none, name, value) => Reflect.set(of(), name, value),
  })
