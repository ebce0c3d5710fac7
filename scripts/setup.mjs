// Sets up a fresh machine for any command: node modules, system libraries, the build. Skips steps that are done. Messages
// go to stderr, so that stdout stays clean for programs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const say = (text) => process.stderr.write(`${text}\n`)

/** Runs a command with its output on stderr. @throws Error when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    ...options,
  })
  if (result.error) throw result.error
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${result.status ?? result.signal}`)
}

/** Installs the locked node modules when they are missing or belong to another lockfile. */
export function ensureModules() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.flightplan-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  say('Installing node modules…')
  run('npm', ['ci', '--loglevel=error'])
  writeFileSync(stamp, lock)
}

/** What only some tests need, and the programs by which it's known to be there. */
const extras = {
  notifications: {
    what: 'Tests of notifications need a notification server',
    packages: ['dbus', 'dunst'],
    programs: ['dbus-run-session', 'dbus-send', 'dunst', 'dunstctl'],
  },
  chromium: {
    what: 'Page tests in a current Chromium need one',
    packages: ['chromium'],
    programs: ['chromium'],
  },
}

const libraries = ['xvfb', 'libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libatk-bridge2.0-0']

// On Debian, only root has ldconfig on its path.
const hasLibrary = (name) =>
  spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin" ldconfig -p | grep -q '${name}'`], { stdio: 'ignore' })
    .status === 0

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0

/** Path of a current Chromium, or undefined. */
export const chromiumPath = () =>
  spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim() || undefined

/**
 * System libraries that Electron needs on Linux. Installs them as root on Debian, and otherwise prints the command.
 * `display` is true if windows may use the existing display, and 'own' if they need a virtual one.
 * @param {{ display: boolean | 'own', tests?: (keyof typeof extras)[] }} needs `tests` that will run, and fail or are left out
 *   if what they need can't be installed
 */
export function ensureSystem({ display, tests = [] }) {
  if (process.platform !== 'linux') return
  const needsDisplay = display === 'own' || (display && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
  const missing =
    ['libgtk-3.so.0', 'libnss3.so', 'libasound.so.2', 'libgbm.so.1', 'libatk-bridge-2.0.so.0'].some(
      (name) => !hasLibrary(name),
    ) ||
    (needsDisplay && !has('Xvfb'))
  const absent = tests.map((name) => extras[name]).filter(({ programs }) => programs.some((name) => !has(name)))
  if (!missing && absent.length === 0) return
  const canInstall = process.getuid?.() === 0 && has('apt-get')
  if (!canInstall) {
    for (const { what, packages } of absent) say(`${what}. Run:\n  sudo apt-get install -y ${packages.join(' ')}`)
    if (missing)
      throw new Error(`Electron needs system libraries. Run:\n  sudo apt-get install -y ${libraries.join(' ')}`)
    return
  }
  const names = [...libraries.flatMap((name) => [name, `${name}t64`]), ...absent.flatMap(({ packages }) => packages)]
  say('Installing system libraries…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update', '-qq'], { env })
  const known = names.filter((name) => {
    const policy = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' }).stdout ?? ''
    return /Candidate: (?!\(none\))/.test(policy)
  })
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...known], { env })
}

function newest(folder) {
  let latest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }
  return latest
}

/** Builds main, preload and renderer when a source is newer than the last build. */
export function ensureBuild() {
  const stamp = join(root, 'out', '.built')
  const sources = ['src-main', 'src-renderer', 'src-shared', 'resources'].map((name) => join(root, name))
  const files = ['electron.vite.config.ts', 'package-lock.json'].map((name) => statSync(join(root, name)).mtimeMs)
  const changed = Math.max(...files, ...sources.filter(existsSync).map(newest))
  if (existsSync(stamp) && statSync(stamp).mtimeMs > changed) return
  say('Building…')
  run(process.execPath, [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'])
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(stamp, new Date().toISOString())
}
