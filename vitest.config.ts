import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const electron = ['test/e2e/**/*.test.ts']

export default defineConfig({
  plugins: [svelte({ hot: false })],
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A second, as is usual, is less than a busy machine may need.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: electron,
          // `npm test -- --now MOMENT` moves their clock; windows are told the moment instead.
          setupFiles: ['test/helpers/moved-clock.mjs'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'electron',
          include: electron,
          fileParallelism: false,
          // After everything else: a real window needs the machine to itself.
          sequence: { groupOrder: 1 },
          // A busy machine can starve a real window for a while; a second try tells that from a fault.
          retry: 1,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
