// `npm run operations`: calls every operation of every service and version in the sandbox, with neutral and public names,
// and counts those that passed. Exits with 1 if one fails.
//   --json    print one JSON line, and messages to stderr
import { flag, readOptions } from './help.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wireFolder, wireTables } from './generate-wire-types.mjs'
import { ensureModules, root } from './setup.mjs'

const { json } = readOptions({ json: flag })
ensureModules()

/** Rows of every table, by the name under which they are counted: a service with several versions is counted by version. */
const counted = new Map()
for (const { service, versions } of wireTables()) {
  for (const version of versions) {
    const table = JSON.parse(readFileSync(join(wireFolder, service, `${version}.json`), 'utf8'))
    const name = versions.length > 1 ? `${service}-${version}` : service
    counted.set(name, new Set(table.methods.map((method) => method.id)))
  }
}

/** Results as `service-version id` of every case that ran, in either vocabulary. */
function walk() {
  const folder = mkdtempSync(join(tmpdir(), 'flightplan-operations-'))
  const outputFile = join(folder, 'results.json')
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const test = 'test/main/services/operations.test.ts'
    const args = ['run', '--project', 'plain', test, '--reporter=json', `--outputFile=${outputFile}`]
    const { error } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    if (error) throw error
    return JSON.parse(readFileSync(outputFile, 'utf8')).testResults.flatMap((file) => file.assertionResults)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const results = walk()
const services = {}
for (const [name, ids] of counted) {
  const [service, version] = name.split('-')
  const passed = [...ids].filter((id) => {
    const ran = results.filter(
      ({ title, ancestorTitles }) => title === id && (!version || ancestorTitles.join(' ').includes(version)),
    )
    return id.startsWith(`${service}.`) && ran.length > 0 && ran.every(({ status }) => status === 'passed')
  })
  services[name] = { operations: ids.size, passed: passed.length }
}
const order = ['calendar', 'tasks', 'trafficking-v3.4', 'trafficking-v3.3', 'search', 'discovery']
const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length)
const sorted = Object.fromEntries(Object.entries(services).sort(([a], [b]) => place(a) - place(b)))

if (json) process.stdout.write(`${JSON.stringify({ services: sorted })}\n`)
else
  for (const [name, { operations, passed }] of Object.entries(sorted))
    process.stdout.write(`${name.padEnd(18)} ${passed} of ${operations} operations passed\n`)
process.exit(Object.values(sorted).every(({ operations, passed }) => operations === passed) ? 0 : 1)
