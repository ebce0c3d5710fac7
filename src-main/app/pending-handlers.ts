import type { Handlers, HandlersOf } from '../ipc/handle'
import type { Journal } from '../journal/journal'
import { pendingChanges, pendingFile } from '../journal/pending-file'
import { placeFor, saveAt, type FilePlaces } from './files'
import type { Shell } from './shell'

export interface PendingDeps {
  shell: Pick<Shell, 'version' | 'quit'>
  files: FilePlaces
  journal: Pick<Journal, 'contents'>
  now: () => number
  /** The version that opened the profile last, if it's newer. */
  newerVersion?: string
}

/** Handlers for pending changes, read from the journal. They need neither the database nor an account. */
export function pendingHandlers(deps: PendingDeps): HandlersOf<'pending'> & Pick<Handlers, 'app/quit'> {
  const { shell, files, journal, newerVersion } = deps
  return {
    'pending/list': () => {
      const contents = journal.contents()
      return {
        version: shell.version,
        ...(newerVersion !== undefined && { newerVersion }),
        changes: pendingChanges(contents),
        damaged: contents.damaged.length,
      }
    },
    'pending/export': async () => {
      const place = await placeFor(files, { name: 'Flightplan pending changes', extension: '.json', kind: 'JSON' })
      if (place === undefined) return null
      const contents = journal.contents()
      const bytes = await saveAt(place, [pendingFile(contents, { version: shell.version, now: deps.now() })])
      return { path: place.path, bytes, changes: contents.entries.length + contents.unknown.length }
    },
    'app/quit': () => shell.quit(),
  }
}
