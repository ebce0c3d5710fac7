import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { asking } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'

let app: RunningApp
beforeAll(async () => {
  app = await launchApp({ args: ['--seed', 'empty'] })
  await nothingPending(app.page)
})
afterAll(() => app.close())

/** Kills the sandbox process, by its Electron name, with SIGKILL. */
async function killService(): Promise<number> {
  const pid = await app.electron.evaluate(({ app: electron }) => {
    const metric = electron.getAppMetrics().find(({ name }) => name === 'Flightplan sandbox')
    return metric?.pid ?? 0
  })
  expect(pid).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  return pid
}
const running = (): Promise<boolean> =>
  app.page.evaluate(async () => {
    const answer = await window.flightplan.ask('sandbox/state', {})
    return answer.ok && answer.value.running
  })
/** How often it ended while it ran. The log keeps each time, however soon it runs again. */
const deaths = (): number => app.log.join('\n').match(/^The sandbox stopped/gm)?.length ?? 0
async function titles(): Promise<string[]> {
  const answer = await app.page.evaluate(() =>
    window.flightplan.ask('sandbox/as', {
      person: 'you',
      operation: 'tasks.tasks.list',
      params: { tasklist: '@default' },
    }),
  )
  if (!answer.ok) return []
  const list = (answer.value['body'] ?? answer.value) as { items?: { title: string }[] }
  return (list.items ?? []).map(({ title }) => title).sort()
}
async function addTask(title: string): Promise<void> {
  await app.page.keyboard.press('Control+2')
  const line = app.page.getByPlaceholder(/Add a task/)
  await line.fill(title)
  await line.press('Enter')
  await line.press('Escape')
}

it('a crashed sandbox restarts with its data, and pending changes are sent', async () => {
  await addTask('Before')
  await expect.poll(titles).toEqual(['Before'])
  const before = await killService()
  await expect.poll(deaths).toBe(1)
  await addTask('While it was gone')
  await expect.poll(running).toBe(true)
  await expect.poll(titles).toEqual(['Before', 'While it was gone'])
  await nothingPending(app.page)
  expect(await killService()).not.toBe(before)
  await expect.poll(deaths).toBe(2)
  await expect.poll(running).toBe(true)
})

it('a program that knows only its port gets no token', async () => {
  const [account] = await asking(app.page, 'account/list', {})
  const { calendar } = account!.services
  for (const path of ['/oauth/authorize', '/oauth/token', '/.well-known/oauth-authorization-server'])
    expect((await fetch(calendar + path)).status).toBe(401)
})

it('stopping it on purpose keeps it stopped', async () => {
  await app.page.evaluate(() => window.flightplan.ask('sandbox/run', { running: false }))
  await expect.poll(running).toBe(false)
  expect(deaths()).toBe(2)
  await app.page.evaluate(() => window.flightplan.ask('sandbox/run', { running: true }))
  await expect.poll(running).toBe(true)
})

it('it starts once the process that locks its folder has ended', async () => {
  const first = await launchApp({ args: ['--seed', 'empty'] })
  await nothingPending(first.page)
  await first.close()
  const holder = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'])
  await writeFile(join(first.userData, 'sandbox', 'sandbox.pid'), String(holder.pid))
  const second = await launchApp({ userData: first.userData, args: ['--seed', 'empty'] })
  try {
    await expect.poll(() => second.log.join('\n')).toContain('didn’t start')
    holder.kill('SIGKILL')
    await nothingPending(second.page)
  } finally {
    holder.kill('SIGKILL')
    await second.close()
  }
})
