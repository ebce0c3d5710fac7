import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import { lexer } from 'marked'

/** Comments of a library that the bundler cannot use are not worth a page of warnings. */
const onwarn = (warning: { code?: string }, report: (warning: never) => void): void => {
  if (warning.code !== 'INVALID_ANNOTATION') report(warning as never)
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The fonts of documents lie beside the script that writes them, in a packaged app too. */
const documentFonts = {
  name: 'document-fonts',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): string }): void {
    for (const file of ['ttf/DejaVuSansCondensed.ttf', 'ttf/DejaVuSansCondensed-Bold.ttf', 'LICENSE'])
      this.emitFile({
        type: 'asset',
        fileName: `fonts/${file.replace('ttf/', '')}`,
        source: readFileSync(at(`./node_modules/dejavu-fonts-ttf/${file}`)),
      })
  },
}

/** Imports a Markdown file as the tokens of marked, so that the window shows it without parsing or injecting HTML. */
const documents = {
  name: 'documents',
  transform: (source: string, id: string) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(lexer(source))}`, map: null } : undefined,
}

// Main and preload are CommonJS and the renderer targets Chrome 114, so that the same build runs on Electron 25 to 45.
// Everything is bundled but node-sqlite3-wasm, which finds its .wasm file beside itself.
export default defineConfig({
  main: {
    plugins: [documentFonts],
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
          'read-sheet': at('./src-main/tables/sheet-process.ts'),
          'read-file': at('./src-main/reports/read-process.ts'),
          'write-table': at('./src-main/exports/write-process.ts'),
          results: at('./src-main/tables/process.ts'),
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
    plugins: [svelte({ configFile: at('./svelte.config.js') }), documents],
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
        input: {
          index: at('./src-renderer/index.html'),
          'quick-add': at('./src-renderer/quick-add.html'),
          'read-only': at('./src-renderer/read-only.html'),
        },
        // A part that several views share had better not be a file of its own: each is asked of main.
        output: { experimentalMinChunkSize: 40_000 },
      },
    },
  },
})
