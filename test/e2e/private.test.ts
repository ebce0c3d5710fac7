import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src-main/sandbox/start'
import { launchApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'

/** What other users could read in the app's folders. */
async function openToOthers(userData: string): Promise<string[]> {
  const found: string[] = []
  for (const place of ['journal', 'sandbox', 'accounts.json']) {
    const at = join(userData, place)
    const inside = (await stat(at)).isDirectory() ? await readdir(at, { recursive: true }) : []
    for (const name of ['', ...inside]) if ((await stat(join(at, name))).mode & 0o077) found.push(join(place, name))
  }
  return found
}

/** Command lines of the app and all its processes, as in `ps`. */
function commandLines(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  return [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), ...children.flatMap((child) => commandLines(Number(child)))]
}

describe('other users of this computer', () => {
  it("can't read the app's files, including those an older version left readable", async () => {
    const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
    await chmod(userData, 0o755)
    const first = await launchApp({ userData, args: ['--seed', 'empty'] })
    await nothingPending(first.page)
    await first.close()
    expect(await openToOthers(userData)).toEqual([])
    for (const place of ['journal', 'sandbox']) {
      await chmod(join(userData, place), 0o755)
      for (const name of await readdir(join(userData, place))) await chmod(join(userData, place, name), 0o644)
    }
    await chmod(join(userData, 'accounts.json'), 0o644)
    const second = await launchApp({ userData, args: ['--seed', 'empty'] })
    await nothingPending(second.page)
    await second.close()
    expect(await openToOthers(userData)).toEqual([])
  })

  it("can't see service tokens in the process list, and child processes don't get them", async () => {
    const sandbox = await startSandbox({ seed: 'empty' })
    const app = await launchApp({ service: sandbox })
    await nothingPending(app.page)
    const lines = commandLines(app.electron.process().pid!)
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter((line) => line.includes(sandbox.token))).toEqual([])
    expect(await app.electron.evaluate(() => process.env['FLIGHTPLAN_SERVICE_TOKEN'])).toBeUndefined()
    await app.close()
    await sandbox.stop()
  })
})
