import { spawn } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, it } from 'vitest'
import { resolveElectron } from '../../scripts/electron.mjs'
import { folderForFile, serviceForFile } from '../helpers/for-file'

const root = resolve(import.meta.dirname, '../..')
const delivery = 'Delivery by campaign, last 30 days'
const service = serviceForFile({ seed: 'demo' })
const folder = folderForFile('installed-command-')

beforeAll(async () => {
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
})

/** The installed app's binary used as a command: no window, npm, or Node. */
async function flightplan(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { path } = await resolveElectron()
  const start = [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--user-data', join(folder, 'data')]
  const child = spawn(path, [...start, ...args], {
    cwd: folder,
    env: { ...process.env, FLIGHTPLAN_SERVICE_TOKEN: service.sandbox.token },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}
const elsewhere = (): string[] => ['--service-url', service.sandbox.baseUrl]

it('the installed app runs a report and writes it, and writes its latest file without a service', async () => {
  const ran = await flightplan('--report', delivery, '--out', 'first.csv', ...elsewhere())
  expect([ran.code, ran.err.includes('The report is running')]).toEqual([0, true])
  const [path, rows, bytes] = ran.out.trim().split('\t')
  const text = await readFile(join(folder, 'first.csv'), 'utf8')
  expect([path, Number(bytes)]).toEqual([join(folder, 'first.csv'), Buffer.byteLength(text)])
  expect(parse(text)).toHaveLength(Number(rows) + 1)

  const before = (await service.requests()).length
  const latest = await flightplan('--report', delivery, '--latest', '--out', 'second.csv', '--quiet')
  expect([latest.code, await readFile(join(folder, 'second.csv'), 'utf8')]).toEqual([0, text])
  expect([(await service.requests()).length, (await readdir(join(folder, 'data'))).includes('sandbox')]).toEqual([
    before,
    false,
  ])
})

it('it lists the reports of its own sandbox as JSON', async () => {
  const { code, out } = await flightplan('--account', 'sandbox', '--list', '--json', '--quiet')
  expect(code).toBe(0)
  const { reports } = JSON.parse(out) as { reports: { name: string }[] }
  expect(reports.map(({ name }) => name)).toContain(delivery)
})

it('it exits with 2 for bad usage and 1 for failures, with the reason', async () => {
  const mistake = await flightplan('--report', delivery)
  expect([mistake.code, mistake.out]).toEqual([2, ''])
  expect(mistake.err).toContain('Missing --out PATH.')
  const wrong = await flightplan('--file', 'nothing.csv', '--out', 'new.csv')
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toContain('File not found: nothing.csv.')
  const unknown = await flightplan('--list', '--account', 'Agency')
  expect([unknown.code, unknown.err.includes('Unknown account “Agency”. Available: Sample data (sandbox)')]).toEqual([
    1,
    true,
  ])
})
