import { readdir, statfs } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { Accounts } from '../accounts/accounts'
import { diagnosticsText } from '../diagnostics/diagnostics-text'
import { errorEvent } from '../diagnostics/events'
import type { LocalLog } from '../diagnostics/local-log'
import type { Handlers, HandlersOf } from '../ipc/handle'
import type { Journal } from '../journal/journal'
import { placeFor, saveAt, type FilePlaces } from './files'
import type { NetworkSwitch } from './network'
import type { Shell } from './shell'
import { computerZone } from './zone-watch'

export interface DiagnosticsDeps {
  shell: Shell
  log: LocalLog
  safeMode: boolean
  accounts: Accounts
  journal: Journal
  network: NetworkSwitch
  files: FilePlaces
  userData: string
  now: () => number
}

/** Handlers for diagnostics, errors of the window, and restarting. */
export function diagnosticsHandlers(deps: DiagnosticsDeps): HandlersOf<'diagnostics'> & Pick<Handlers, 'app/restart'> {
  const { shell, log, accounts, journal, files, userData } = deps
  let shown: string | undefined
  return {
    'diagnostics/show': async () => {
      const { unknown, damaged } = journal.state()
      shown = diagnosticsText({
        now: deps.now(),
        version: shell.version,
        electron: shell.electron,
        platform: process.platform,
        arch: process.arch,
        system: release(),
        locale: shell.locale(),
        timeZone: computerZone(),
        safeMode: deps.safeMode,
        offline: deps.network.offline,
        keepsSignIns: accounts.keeps,
        accounts: accounts.list(),
        journal: { pending: journal.unsent(), unknown: unknown.length, damaged },
        crashDumps: await countCrashDumps(userData),
        freeBytes: await freeBytes(userData),
        log: await log.read(),
      })
      return { text: shown }
    },
    'diagnostics/save': async () => {
      if (shown === undefined)
        throw new FaultError({ code: 'invalid', message: 'There’s nothing to save. Open the diagnostics again.' })
      const text = shown
      const place = await placeFor(files, { name: 'Flightplan diagnostics', extension: '.txt', kind: 'Text' })
      return place ? { path: place.path, bytes: await saveAt(place, [text]) } : null
    },
    'diagnostics/error': (error) => log.add(errorEvent('window', error)),
    'app/restart': () => shell.restart(),
  }
}

/** Electron writes crash dumps into the profile and sends them nowhere. */
async function countCrashDumps(userData: string): Promise<number> {
  const folders = ['new', 'pending', 'completed', 'reports'].map((name) => join(userData, 'Crashpad', name))
  const lists = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
  return lists.flat().filter((name) => name.endsWith('.dmp')).length
}

async function freeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && disk.bavail * disk.bsize
}
