// `npm run dist`: builds installers for this system with electron-builder.
//   --dir        build only the unpacked app
//   --all        build for Linux, Windows, and macOS
//   --trial      build a .deb named Flightplan Trial, with the Electron of this computer
//   --build N    number of the trial, so that a later one replaces it
// Installers need the released Electron. An unpacked app or a trial works with any, see electron.mjs.
// FLIGHTPLAN_OAUTH_CLIENT is the path of an OAuth client to build in, FLIGHTPLAN_UPDATE_FEED the address of the folder
// with updates, and FLIGHTPLAN_UPDATE_KEY the path of the private key that signs them.
import { flag, readOptions, text } from './help.mjs'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { resolveElectron } from './electron.mjs'
import { readUpdateFeed } from './update-feed.mjs'
import { ensureBuild, ensureModules, root } from './setup.mjs'

const options = readOptions({ dir: flag, all: flag, trial: flag, build: text })
const { dir: directoryOnly = false, trial = false } = options
ensureModules()
ensureBuild()
const electron = await resolveElectron()
if (trial && process.platform !== 'linux') throw new Error('A trial installer can only be built on Linux.')
if (electron.from === 'carrier' && !directoryOnly && !trial) {
  throw new Error(
    'Installers need the released Electron. Run `npm run dist -- --dir` or `-- --trial`, or set ELECTRON_OVERRIDE_DIST_PATH.',
  )
}
const { build, Platform } = await import('electron-builder')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const removeClient = await addClient()
const feed = trial ? undefined : updateFeed()
const removeFeed = addFeed()
try {
  if (trial) console.log(await packTrial())
  else for (const file of await pack()) console.log(file)
} finally {
  removeClient()
  removeFeed()
}

/** @returns {Promise<string[]>} files that were made */
async function pack() {
  const config = electron.from === 'package' && !feed ? undefined : configFor(feed?.adapt)
  const platforms = options.all ? [Platform.LINUX, Platform.WINDOWS, Platform.MAC] : [Platform.current()]
  const targetsOf = (type) => new Map(platforms.flatMap((platform) => [...platform.createTarget(type)]))
  if (directoryOnly) return build({ projectDir: root, targets: targetsOf('dir'), publish: 'never', config })
  try {
    const files = await build({ projectDir: root, targets: targetsOf(), publish: 'never', config })
    return [...files, ...(feed?.sign(join(root, 'dist')) ?? [])]
  } catch (error) {
    if (platforms.length > 1 || platforms[0] !== Platform.LINUX) throw error
    console.error(`electron-builder couldn’t make the installers: ${error instanceof Error ? error.message : error}`)
    console.error('Made a .deb with dpkg-deb instead. There’s no AppImage.')
    await build({ projectDir: root, targets: targetsOf('dir'), publish: 'never', config })
    return [await deb(join(root, 'dist'), manifest.name, manifest.productName, manifest.version)]
  }
}

/** The trial has a name and a profile of its own, so that it can be installed next to the released app. */
async function packTrial() {
  const output = join(root, 'dist', 'trial')
  const [name, productName] = [`${manifest.name}-trial`, `${manifest.productName} Trial`]
  const version = `${manifest.version}-trial.${buildNumber()}`
  rmSync(join(output, 'linux-unpacked'), { recursive: true, force: true })
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget('dir'),
    publish: 'never',
    config: configFor((config) => {
      Object.assign(config, { productName, extraMetadata: { name, productName, version } })
      config.directories.output = output
      config.linux.executableName = name
    }),
  })
  return deb(output, name, productName, version)
}

async function deb(output, name, productName, version) {
  const { makeDeb } = await import('./debian.mjs')
  return makeDeb({
    ...{ unpacked: join(output, 'linux-unpacked'), dest: output, name, productName, version },
    electronVersion: electronVersion(),
    // A trial is built in a minute. xz would take several, for 15% less.
    compression: trial ? 'gzip' : 'xz',
    about: trial
      ? 'A trial with the Electron of this computer. Not for daily use, and never updated.'
      : 'Plans offline and syncs when it can. Your data stays on this computer and with your services.',
  })
}

function buildNumber() {
  const number = Number(options.build ?? 1)
  if (!Number.isInteger(number) || number < 1) throw new Error('--build needs a whole number, such as --build 2.')
  return number
}

function electronVersion() {
  if (electron.from === 'carrier') return '25.1.1'
  const file = join(electron.dist, 'version')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().replace(/^v/, '')
  return JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')).version
}

/** Writes electron-builder.json for the Electron at hand, without a fuse that Electron 25 lacks. @returns its path */
function configFor(adapt = () => {}) {
  const config = JSON.parse(readFileSync(join(root, 'electron-builder.json'), 'utf8'))
  if (electron.from !== 'package') config.electronDist = electron.dist
  if (electron.from === 'carrier') {
    config.electronVersion = electronVersion()
    delete config.electronFuses.grantFileProtocolExtraPrivileges
  }
  adapt(config)
  const file = join(root, '.cache', trial ? 'electron-builder-trial.json' : 'electron-builder.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(file, JSON.stringify(config))
  return file
}

/** Adds the built-in OAuth client to the files that are packaged. @returns a function that removes it again */
async function addClient() {
  const from = process.env.FLIGHTPLAN_OAUTH_CLIENT
  const to = join(root, 'out/main/oauth-client.json')
  // A run that was stopped may have left one, which mustn't get into other packages.
  rmSync(to, { force: true })
  if (!from) return () => {}
  const { readClientFile } = await tsImport('../src-shared/ipc/client-file.ts', import.meta.url)
  readClientFile(readFileSync(from, 'utf8'))
  copyFileSync(from, to)
  return () => rmSync(to, { force: true })
}

/** The update server from the environment. Undefined if there is none. */
function updateFeed() {
  const { FLIGHTPLAN_UPDATE_FEED: url, FLIGHTPLAN_UPDATE_KEY: key } = process.env
  if (!url) return undefined
  if (!key) throw new Error('FLIGHTPLAN_UPDATE_KEY must be the path of the private key that signs updates.')
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  return readUpdateFeed({ url, privateKey: readFileSync(key, 'utf8'), changelog, version: manifest.version })
}

/** Adds the update server to the files that are packaged. @returns a function that removes it again */
function addFeed() {
  const to = join(root, 'out/main/update-feed.json')
  rmSync(to, { force: true })
  if (!feed) return () => {}
  writeFileSync(to, feed.builtIn)
  return () => rmSync(to, { force: true })
}
