import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

/** Shows the window with an in-memory replica: `npx vite -c test/renderer/preview/vite.config.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [svelte()],
  build: {
    target: 'chrome114',
    outDir: fileURLToPath(new URL('../../../out/preview-page', import.meta.url)),
    emptyOutDir: true,
  },
  server: { fs: { allow: [fileURLToPath(new URL('../../../', import.meta.url))] } },
})
