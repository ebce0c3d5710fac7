import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build, type Rollup } from 'vite'
import { sharedBrowser, type BrowserWindow } from './shared-browser'

/**
 * Opens an empty page with components only, in the worker's browser.
 * @param name file in `test/page/components`, whose exports the page has under this name as a function
 */
export async function openComponents(
  name: string,
  size: { width: number; height: number } = { width: 900, height: 700 },
): Promise<BrowserWindow> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: false })],
    build: {
      write: false,
      minify: false,
      target: 'chrome114',
      lib: {
        entry: join(import.meta.dirname, `../page/components/${name}.ts`),
        formats: ['iife'],
        name,
      },
    },
  })) as Rollup.RollupOutput[]
  const browser = await sharedBrowser()
  const window = await browser.open(`components-${name}`, size)
  const { page } = window
  page.setDefaultTimeout(20_000)
  const { output } = built[0]!
  const styles = output.filter((one) => one.type === 'asset').map(({ source }) => String(source))
  await page.evaluate((title) => {
    document.documentElement.lang = 'en'
    document.title = title
    document.body.append(document.createElement('main'))
  }, name)
  await page.addStyleTag({ content: styles.join('\n') })
  await page.addScriptTag({ content: `${output[0].code}\n{ const all = ${name}; globalThis.${name} = () => all }` })
  return window
}
