import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { configDefaults, defineConfig } from 'vitest/config'
import { drawSeed } from './test/helpers/ring'
import { drawWindows } from './test/helpers/window-draw'

const page = ['test/page/**/*.test.ts']
const electron = ['test/e2e/**/*.test.ts']
/** Files that start programs of their own. Each gets a process, so that nothing another file left there reaches them. */
const apart = ['test/architecture/**/*.test.ts', 'test/scripts/**/*.test.ts']
/** What only `npm run test:all` runs: each such file says why in its first line. */
const outerOnly = process.env['FLIGHTPLAN_RING'] === 'all' ? [] : ['test/**/*.all.test.ts']
/** `--rest`: only files that do more in the outer ring than in `npm test`. */
const rest = process.env['FLIGHTPLAN_REST'] ? filesThatVaryByRing() : undefined
/** `drawn` or `others`: runs only these window tests, and with `others` nothing else. */
const draw = process.env['FLIGHTPLAN_WINDOWS'] as 'drawn' | 'others' | undefined
const windows = draw && drawWindows(drawSeed)[draw]
const only = rest ?? (draw === 'others' ? windows : undefined)
const windowsIn = (folder: string): string[] | undefined =>
  (rest ?? windows)?.filter((file) => file.startsWith(`test/${folder}/`))

const windowSetup = ['own-display.mjs', 'uncompressed-driver.ts', 'measured.ts', 'failure-snapshot.ts'].map(
  (name) => `test/helpers/${name}`,
)

const plain = {
  // `npm test -- --now MOMENT` moves their clock. Windows get the moment as a flag.
  // Dexie looks for IndexedDB when it is loaded, and a worker loads it once for all of its files.
  setupFiles: [
    'fake-indexeddb/auto',
    ...['moved-clock.mjs', 'measured.ts', 'drawn-properties.ts'].map((name) => `test/helpers/${name}`),
  ],
  unstubGlobals: true,
  unstubEnvs: true,
  // Long, so that a busy machine fails nothing and a hang still ends.
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

const pages = {
  exclude: [...configDefaults.exclude, ...outerOnly],
  setupFiles: windowSetup,
  // One browser per worker, for all of its files.
  isolate: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
}
/** A current Chromium, in which page tests run once more, with the cases of the usual ring. */
const chromium = process.env['FLIGHTPLAN_CHROMIUM']
const inChromium = { FLIGHTPLAN_BROWSER: chromium ?? '', FLIGHTPLAN_RING: '' }

export default defineConfig({
  plugins: [svelte({ hot: false })],
  test: {
    pool: 'forks',
    // Tests wait for services, windows, and child processes, so a third worker keeps two cores busy. All projects share the
    // workers, so none of them idles while the last files of one project run.
    maxWorkers: 3,
    globalSetup: 'test/helpers/temporary.mjs',
    // Transformed modules are kept on disk for later runs.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'out/cache/modules' },
    // A second, as is usual, is less than a busy machine may need.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          ...plain,
          name: 'plain',
          include: only ?? ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...page, ...electron, ...apart, ...outerOnly],
          // Files of a worker share the modules they load, which took half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...plain,
          name: 'apart',
          include: only?.filter((file) => /^test\/(architecture|scripts)\//.test(file)) ?? apart,
          exclude: [...configDefaults.exclude, ...outerOnly],
        },
      },
      { extends: true, test: { ...pages, name: 'page', include: windowsIn('page') ?? page } },
      ...(chromium
        ? [{ extends: true as const, test: { ...pages, name: 'chromium', include: page, env: inChromium } }]
        : []),
      {
        extends: true,
        test: {
          name: 'electron',
          include: windowsIn('e2e') ?? electron,
          exclude: [...configDefaults.exclude, ...outerOnly],
          setupFiles: windowSetup,
          // One display per worker, and one load of the driver.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})

function filesThatVaryByRing(): string[] {
  const folder = join(import.meta.dirname, 'test')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter(
      (name) =>
        name.endsWith('.all.test.ts') || /helpers\/(ring|small-disk)'/.test(readFileSync(join(folder, name), 'utf8')),
    )
    .map((name) => `test/${name.split(sep).join('/')}`)
}
