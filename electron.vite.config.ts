import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'

/** Comments of a library that the bundler cannot use are not worth a page of warnings. */
const onwarn = (warning: { code?: string }, report: (warning: never) => void): void => {
  if (warning.code !== 'INVALID_ANNOTATION') report(warning as never)
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Main and preload are CommonJS and the renderer targets Chrome 114, so that the same build runs on Electron 25 to 45.
// Everything is bundled but node-sqlite3-wasm, which finds its .wasm file beside itself.
export default defineConfig({
  main: {
    build: {
      target: 'node18',
      outDir: 'out/main',
      externalizeDeps: false,
      rollupOptions: {
        onwarn,
        input: {
          main: at('./src-main/main.ts'),
          sandbox: at('./src-main/sandbox/cli.ts'),
          'read-ics': at('./src-main/exports/read-process.ts'),
        },
        external: ['electron', 'node-sqlite3-wasm'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      target: 'node18',
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        onwarn,
        input: { preload: at('./src-main/preload.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('./src-renderer'),
    base: './',
    plugins: [svelte({ configFile: at('./svelte.config.js') })],
    build: {
      target: 'chrome114',
      outDir: at('./out/renderer'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The scheme of the app has no code cache: what is compiled at every start had better be short.
      minify: 'esbuild',
      // One sheet: which rule wins must not depend on what was opened first.
      cssCodeSplit: false,
      rollupOptions: {
        onwarn,
        input: at('./src-renderer/index.html'),
        // A part that several views share had better not be a file of its own: each is asked of main.
        output: { experimentalMinChunkSize: 40_000 },
      },
    },
  },
})
