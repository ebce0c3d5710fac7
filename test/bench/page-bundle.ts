import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rollup } from 'vite'

type StoragePage = typeof import('./storage-page')

/** The parts of a bench that run in a page, as one script. */
export async function pageScript(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome114',
      lib: { entry: join(import.meta.dirname, 'storage-page.ts'), formats: ['iife'], name: 'storagePage' },
    },
  })) as Rollup.RollupOutput[]
  return `${built[0]!.output[0].code}\nglobalThis.storagePage = storagePage`
}

/** Calls one of the functions of the script in a page that has it. */
export async function inPage<N extends keyof StoragePage>(
  page: Page,
  name: N,
  ...args: Parameters<StoragePage[N]>
): Promise<Awaited<ReturnType<StoragePage[N]>>> {
  return page.evaluate(
    ({ name, args }) =>
      (globalThis as never as { storagePage: Record<string, (...all: unknown[]) => never> }).storagePage[name]!(
        ...args,
      ),
    { name, args: args as unknown[] },
  )
}
