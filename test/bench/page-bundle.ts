import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rollup } from 'vite'

/** A benchmark's page functions as one script. */
export async function pageScript(name: 'storage-page' | 'placements-page' | 'grid-page'): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome114',
      lib: { entry: join(import.meta.dirname, `${name}.ts`), formats: ['iife'], name: 'bench' },
    },
  })) as Rollup.RollupOutput[]
  return `${built[0]!.output[0].code}\nglobalThis.bench = bench`
}

type Functions = Record<string, (...args: never[]) => unknown>

/** Calls a function of the script in a page that has loaded it. */
export async function inPage<P extends object, N extends keyof P & string>(
  page: Page,
  name: N,
  ...args: P[N] extends (...args: infer A) => unknown ? A : never
): Promise<P[N] extends (...args: never[]) => infer R ? Awaited<R> : never> {
  const answer: unknown = await page.evaluate(
    ({ name, args }) => (globalThis as unknown as { bench: Functions }).bench[name]!(...(args as never[])),
    { name, args: args as unknown[] },
  )
  return answer as never
}
