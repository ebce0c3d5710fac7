import { existsSync, readFileSync, readdirSync, unlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { it } from 'vitest'
import { openApp } from '../helpers/app-page'

const dir = process.env['DRIVE_DIR'] ?? '/tmp/drive'
it('drives', { timeout: 9_000_000 }, async () => {
  mkdirSync(dir, { recursive: true })
  const options = existsSync(`${dir}/options.json`) ? JSON.parse(readFileSync(`${dir}/options.json`, 'utf8')) : {}
  const app = await openApp(options)
  const { page } = app
  let n = 0
  const out: string[] = []
  const log = (...all: unknown[]): void => void out.push(all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one, null, 1))).join(' '))
  const sleep = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms))
  const shot = async (name: string): Promise<void> => {
    await sleep(300)
    await page.screenshot({ path: `${dir}/${name}.png` })
    log(`${dir}/${name}.png`)
  }
  const press = async (...keys: string[]): Promise<void> => { for (const key of keys) { await page.keyboard.press(key); await sleep(80) } }
  const type = (text: string): Promise<void> => page.keyboard.type(text)
  const focus = (): Promise<string> => page.evaluate(() => { const e = document.activeElement; return e ? `${e.tagName} ${e.getAttribute('aria-label') ?? ''} ${(e.textContent ?? '').slice(0, 80)}` : 'none' })
  const clean = (): void => { for (const f of readdirSync(dir)) if (/^cmd|^res/.test(f)) unlinkSync(`${dir}/${f}`) }
  clean()
  writeFileSync(`${dir}/ready`, 'ready')
  while (!existsSync(`${dir}/stop`)) {
    const file = `${dir}/cmd${n}`
    if (!existsSync(file)) { await sleep(150); continue }
    out.length = 0
    try {
      const body = readFileSync(file, 'utf8')
      const run = new Function('app', 'page', 'log', 'shot', 'press', 'type', 'focus', 'sleep', `return (async () => { ${body} })()`)
      const got = await run(app, page, log, shot, press, type, focus, sleep)
      if (got !== undefined) log(got)
    } catch (error) { log(`ERROR ${error instanceof Error ? error.stack?.slice(0, 1200) : String(error)}`) }
    writeFileSync(`${dir}/res${n}`, `${out.join('\n')}\n`)
    n++
  }
  unlinkSync(`${dir}/stop`)
  await app.close().catch(() => undefined)
})
