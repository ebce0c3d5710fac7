import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
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

/** An empty folder, deleted after all tests of the file. */
export function folderForFile(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stands for a value that hooks create later. */
export const lazily = <T extends object>(of: () => T): T =>
  new Proxy({} as T, {
    get: (_none, name) => {
      const value: unknown = Reflect.get(of(), name)
      return typeof value === 'function' ? (value.bind(of()) as unknown) : value
    },
  })
