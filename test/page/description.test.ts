import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { asking } from '../helpers/sign-in'

let app: AppPage
beforeAll(async () => {
  app = await openApp({
    args: ['--seed', 'empty'],
    // The sanitizer parses in a document without scripts, where the policy already reports styles and base URLs.
    complains: /Content Security Policy/,
  })
})
afterAll(() => app?.close())

/** If sanitizing failed, each would set `globalThis.reached`, load a resource, or react to a click. */
const hostile = [
  '<script>globalThis.reached = 1</script>',
  '<img src=x onerror="globalThis.reached = 1">',
  '<img src="https://tracker.example/pixel.gif">',
  '<svg onload="globalThis.reached = 1"><script>globalThis.reached = 1</script></svg>',
  '<svg><a xlink:href="javascript:globalThis.reached = 1"><text>a</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror="globalThis.reached = 1"></style></mglyph></table></mtext></math>',
  '<iframe srcdoc="<script>parent.reached = 1</script>"></iframe>',
  '<object data="https://tracker.example/a.swf"></object><embed src="https://tracker.example/b.swf">',
  '<a href="javascript:globalThis.reached = 1">script</a>',
  '<a href="  java&#10;script:globalThis.reached = 1">split script</a>',
  '<a href="data:text/html,<script>globalThis.reached = 1</script>">data</a>',
  '<a href="file:///etc/passwd">file</a>',
  '<a href="https://safe.example/page" onclick="globalThis.reached = 1" style="position:fixed;inset:0">safe</a>',
  '<b onmouseover="globalThis.reached = 1" style="background:url(https://tracker.example/c.png)">bold</b>',
  '<form action="https://tracker.example/"><input name="password"><button>Send</button></form>',
  '<details open ontoggle="globalThis.reached = 1">more</details>',
  '<video src="https://tracker.example/v.mp4" onerror="globalThis.reached = 1"></video>',
  '<link rel="stylesheet" href="https://tracker.example/d.css"><style>@import "https://tracker.example/e.css"</style>',
  '<base href="https://tracker.example/"><meta http-equiv="refresh" content="0;url=https://tracker.example/">',
  '<template><img src=x onerror="globalThis.reached = 1"></template>',
  '<noscript><p title="</noscript><img src=x onerror=globalThis.reached=1>"></noscript>',
  '<p id="app" name="body" class="covered">named</p>',
]

/** Adds an event that starts now and opens it. */
async function openEvent(summary: string, description: string): Promise<void> {
  const { page } = app
  const at = (add: number): { dateTime: string } => ({ dateTime: new Date(app.clock.now() + add).toISOString() })
  await asking(page, 'sandbox/as', {
    person: 'you',
    operation: 'calendar.events.insert',
    params: { calendarId: 'alex.morgan@flightplan.example' },
    body: { summary, start: at(0), end: at(3_600_000), description },
  })
  await page.keyboard.press('Escape')
  await page.keyboard.press('F5')
  await page
    .getByRole('button', { name: new RegExp(summary) })
    .first()
    // Below the grip. Another event at the same time may lie over the rest.
    .click({ position: { x: 6, y: 12 } })
}

it('an HTML description runs no script, loads nothing, and keeps only safe links', async () => {
  const { page } = app
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await openEvent('Hostile', hostile.join('<br>'))
  const peek = page.getByRole('dialog', { name: 'Hostile' })
  const text = peek.locator('.description')
  await text.getByText('bold').waitFor()
  await text.getByText('bold').hover()
  const shown = await text.evaluate((element) => ({
    tags: [...new Set([...element.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase()))].sort(),
    attributes: [...new Set([...element.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))].sort(),
    links: [...element.querySelectorAll('a[href]')].map((link) => link.getAttribute('href')),
    reached: 'reached' in globalThis,
  }))
  expect(shown).toEqual({
    tags: expect.not.arrayContaining(['script', 'img', 'svg', 'math', 'iframe', 'form', 'input', 'style', 'video']),
    attributes: ['href', 'title'],
    links: ['https://safe.example/page'],
    reached: false,
  })
  for (const words of ['script', 'split script', 'data', 'file', 'safe'])
    await text.getByText(words, { exact: true }).click()
  await expect.poll(() => app.shell.links).toEqual(['https://safe.example/page'])
  expect(await page.evaluate(() => 'reached' in globalThis)).toBe(false)
  expect(requests.filter((url) => /tracker|safe\.example|passwd/.test(url))).toEqual([])
})

it('a long description is truncated until you expand it', async () => {
  const { page } = app
  await openEvent('Endless', `${'<a '.repeat(300_000)}the end`)
  const text = page.getByRole('dialog', { name: 'Endless' }).locator('.description')
  const all = text.getByRole('button', { name: 'Show all' })
  await all.waitFor()
  expect((await text.textContent())!.length).toBeLessThan(21_000)
  await all.click()
  await expect.poll(() => text.textContent()).toMatch(/the end$/)
  await expect.poll(() => all.count()).toBe(0)
})
