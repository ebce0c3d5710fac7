import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, open, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportOfStarter, starterNamed } from '#shared/facts/report-starters'
import { folderForFile, serviceForFile } from '../../helpers/for-file'
import { reportCommand, type Ended } from '../../helpers/report-command'

// The command when it's killed, its pipe is closed, or its output is parsed.

const root = resolve(import.meta.dirname, '../../..')
const service = serviceForFile({ seed: 'demo' })
const folder = folderForFile('report-ended-')
let command: ReturnType<typeof reportCommand>
beforeAll(async () => {
  command = reportCommand(folder, service.sandbox.token)
  await writeFile(join(folder, 'sites.csv'), 'Site,Clicks\r\nA,1\r\nB,2\r\n')
})

const here = (): string[] => ['--user-data', join(folder, 'data'), '--service-url', service.sandbox.baseUrl]

it('a killed command releases its folder to the next, which resumes the run', async () => {
  const args = ['--template', 'Daily results', '--out', 'daily.csv', '--user-data', join(folder, 'embedded')]
  const killed = await command.startUntil('The report is running', args)
  expect(killed.code).toBeNull()
  let next: Ended
  // The abandoned service notices in its own time.
  do next = await command.start(args)
  while (next.err.includes('in use'))
  const { code, err } = next
  expect([code, err]).toEqual([0, expect.stringContaining('Resuming the earlier run')])
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('.part'))
})

describe('with --json', () => {
  it.each([
    [1, ['--file', 'nothing.csv', '--out', 'n.csv'], 'storage'],
    [2, ['--file', 'sites.csv', '--out', 'n.csv', '--filter', 'Nope=1'], 'usage'],
    [2, ['--file', 'sites.csv', '--out', 'n.csv', '--group', 'Clicks'], 'usage'],
    [1, ['--list', '--account', 'a\nb\t"c"'], 'invalid'],
    [2, ['--file', 'sites.csv', '--out', 'n.doc'], 'usage'],
    [2, ['--bogus'], 'usage'],
  ])('errors (%i, %j) are one document, too', async (expected, args, why) => {
    const { code, out, err } = await command.run([
      ...args,
      '--json',
      ...(expected === 1 && args[0] === '--list' ? here() : []),
    ])
    const said = JSON.parse(out) as { error: { code: string; message: string } }
    expect([code, said.error.code]).toEqual([expected, why])
    expect(out.trim()).not.toContain('\n')
    expect(err).toContain(said.error.message)
  })
})

describe('the output', () => {
  it('has one line per report, whatever its name', async () => {
    const profileId = service.sandbox.ids['profileId']!
    const name = 'Odd\t"name"\nof ✈️ two lines'
    const { body } = await service.client.call(
      'trafficking.reports.insert',
      { profileId },
      { body: { ...reportOfStarter(starterNamed('quality')!), name } as never },
    )
    const { out } = await command.run(['--list', '--quiet', ...here()])
    const lines = out.trim().split('\n')
    expect(lines.map((line) => line.split('\t').length)).toEqual(lines.map(() => 5))
    expect(lines.find((line) => line.startsWith(`${body.id}\t`))).toContain('Odd "name" of ✈️ two lines')
    const ran = await command.run(['--report', name, '--out', 'odd.csv', ...here()])
    expect([ran.code, ran.out.split('\t')[0]]).toEqual([0, join(folder, 'odd.csv')])
    expect(service.sandbox.token.length).toBeGreaterThan(8)
    expect(ran.out + ran.err).not.toContain(service.sandbox.token)
  })

  it('exits cleanly when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [join(root, 'scripts/report.mjs'), '--list', ...here()], {
      cwd: folder,
      env: { ...process.env, FLIGHTPLAN_SERVICE_TOKEN: service.sandbox.token, INIT_CWD: folder },
    })
    child.stdout.destroy()
    let err = ''
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    const code = await new Promise((done) => child.once('close', done))
    expect([code, err]).toEqual([0, ''])
  })
})

it.runIf(process.platform === 'linux')('an unwritable output ends with a message, not a stack trace', async () => {
  const full = await open('/dev/full', 'w')
  for (const args of [
    ['--list', ...here()],
    ['--file', 'sites.csv', '--out', 'said.csv'],
  ]) {
    const child = spawn(process.execPath, [join(root, 'scripts/report.mjs'), ...args, '--quiet'], {
      cwd: folder,
      env: { ...process.env, FLIGHTPLAN_SERVICE_TOKEN: service.sandbox.token, INIT_CWD: folder },
      stdio: ['ignore', full.fd, 'pipe'],
    })
    let err = ''
    child.stderr!.on('data', (data: Buffer) => (err += data.toString()))
    const code = await new Promise((done) => child.once('close', done))
    expect([code, err.trim()]).toEqual([1, expect.stringMatching(/^Your disk is full\.[^\n]*$/)])
  }
  await full.close()
})

it("stopping during the service's start says so", async () => {
  const args = ['--list', '--user-data', join(folder, 'stopped')]
  const child = spawn(process.execPath, [join(root, 'scripts/report.mjs'), ...args], { cwd: folder, detached: true })
  let err = ''
  child.stderr.on('data', (data: Buffer) => {
    if (err === '') process.kill(-child.pid!, 'SIGINT')
    err += data.toString()
  })
  const code = await new Promise((done) => child.once('close', done))
  expect([code, err]).toEqual([1, expect.stringContaining('Stopped.')])
})

it('a missing folder is reported before a report runs', async () => {
  const calls = async (): Promise<number> =>
    (await service.requests()).filter(({ operation }) => operation === 'trafficking.reports.run').length
  const before = await calls()
  await mkdir(join(folder, 'is-a-folder.csv'))
  await symlink(join(folder, 'nowhere.csv'), join(folder, 'link.csv'))
  const link = await command.run(['--report', 'Sites by week', '--out', 'link.csv', ...here()])
  expect([link.code, link.err]).toEqual([1, expect.stringContaining('already exists')])
  for (const out of ['none/of/it.csv', 'sites.csv/of.csv', 'is-a-folder.csv']) {
    const { code, err } = await command.run(['--report', 'Sites by week', '--out', out, '--replace', ...here()])
    expect([code, err]).toEqual([1, expect.stringContaining('folder')])
  }
  expect(await calls()).toBe(before)
  expect(await readFile(join(folder, 'sites.csv'), 'utf8')).toBe('Site,Clicks\r\nA,1\r\nB,2\r\n')
})

it.each(['raw', 'plain'])("a file saved while the report runs isn't overwritten (%s)", async (dialect) => {
  const path = join(folder, `meanwhile-${dialect}.csv`)
  const args = ['--report', 'Sites by week', '--dialect', dialect, '--out', path, ...here()]
  const { code, err } = await command.run(args, (err) => {
    if (err.includes('The report is running')) writeFileSync(path, 'theirs')
  })
  expect([code, err]).toEqual([1, expect.stringContaining('already')])
  expect(await readFile(path, 'utf8')).toBe('theirs')
})

it("a file with rows that don't match its totals is written with a warning", async () => {
  const file = (clicks: number): string => `Report Fields\r\nSite,Clicks\r\nA,1\r\nB,2\r\nGrand Total:,${clicks}\r\n`
  for (const clicks of [3, 4]) {
    await writeFile(join(folder, `total-${clicks}.csv`), file(clicks))
    const { code, err } = await command.run(['--file', `total-${clicks}.csv`, '--out', `total-${clicks}.json`])
    expect([code, err.includes('don’t match')]).toEqual([0, clicks === 4])
  }
})

it('a text too long for a page is cut with a warning', { timeout: 120_000 }, async () => {
  await writeFile(join(folder, 'long.csv'), `Site,Note\r\nA,${'some words '.repeat(500_000)}\r\nB,y\r\n`)
  const { code, err } = await command.run(['--file', 'long.csv', '--out', 'long.pdf'])
  expect([code, err]).toEqual([0, expect.stringContaining('1 cell shortened to 100,000 characters')])
})
