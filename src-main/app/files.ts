import { basename, dirname, join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { SavedFile } from '#shared/ipc/file-questions'
import type { LeftOut } from '../exports/ics-write'
import { safeFileName, saveFile } from '../exports/save-file'
import { firstFree, missingFolder } from '../reports/export-rules-files'
import type { Shell } from './shell'

export interface FilePlaces {
  shell: Pick<Shell, 'askSave' | 'askOpen' | 'askFolder'>
  /** Set for tests and tours: the folder to save into, the file to open, without asking. */
  saveTo?: string
  openFile?: string
  /** A file that was opened outside of the app. Each is returned once. */
  opened: () => string | undefined
  /** Called with each folder before something is written there. */
  note: (folder: string) => Promise<void>
  /** Returns true if files may be written to a folder without asking. */
  takes: (folder: string) => Promise<boolean>
}

const maxNamed = 20

/** Files written in this run: only these may be shown in the system's file manager. */
const written = new Set<string>()

export const wasWritten = (path: string): boolean => written.has(path)
export const noteWritten = (path: string): void => void written.add(path)

/** Asks where to save. Undefined if the user cancels. */
export async function placeToSave(
  places: FilePlaces,
  file: { name: string; extension: string; kind: string },
): Promise<string | undefined> {
  const name = safeFileName(file.name, file.extension)
  const path = places.saveTo ? join(places.saveTo, name) : await askWhere(places.shell, name, file)
  if (path !== undefined) await places.note(dirname(path))
  return path
}

export interface ChosenPlace {
  path: string
  /** True if an existing file may be replaced, because the user confirmed it. */
  replace: boolean
  /** Call once the file exists, or won't. */
  done: () => void
}

/** Names that were handed out and have no file yet. */
const reserved = new Set<string>()

/**
 * A free name in the given folder, or the place that the user chooses.
 * @throws FaultError `notFound` | `invalid`
 */
export async function placeFor(
  places: FilePlaces,
  file: { name: string; extension: string; kind: string; folder?: string | undefined },
): Promise<ChosenPlace | undefined> {
  const { folder } = file
  if (folder === undefined) {
    const path = await placeToSave(places, file)
    return path === undefined ? undefined : { path, replace: true, done: () => undefined }
  }
  if (!(await places.takes(folder))) throw new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })
  const missing = await missingFolder(folder)
  if (missing !== undefined) throw new FaultError({ code: 'notFound', message: missing })
  await places.note(folder)
  const stem = safeFileName(file.name, file.extension).slice(0, -file.extension.length)
  const path = await firstFree(folder, stem, file.extension, reserved)
  return { path, replace: false, done: () => void reserved.delete(path) }
}

/** Folders that the user chose in this run. Files go to no others. */
const chosenFolders = new Set<string>()

export const wasChosen = (folder: string): boolean => chosenFolders.has(folder)

/** Asks for a folder. Undefined if the user cancels. */
export async function chooseFolder(places: FilePlaces): Promise<string | undefined> {
  const folder = places.saveTo ?? (await places.shell.askFolder())
  if (folder !== undefined) {
    chosenFolders.add(folder)
    await places.note(folder)
  }
  return folder
}

/** Counts the rows that can’t be written to a file, and names the first of them. */
export function leavingOut(): { leftOut: SavedFile['leftOut']; leave: LeftOut } {
  const leftOut: SavedFile['leftOut'] = { count: 0, names: [] }
  const leave: LeftOut = (title, why) => {
    leftOut.count++
    if (leftOut.names.length < maxNamed) leftOut.names.push(`“${title}”: ${why}`)
  }
  return { leftOut, leave }
}

/** Asks where to save and writes the file completely or not at all. Null if the user cancels. */
export async function saveAs(
  places: FilePlaces,
  file: {
    name: string
    extension: '.ics' | '.csv' | '.json'
    kind: string
    rows: number
    /** Calls `leave` for each row that can't be written. */
    chunks: (leave: LeftOut) => Iterable<string>
  },
): Promise<SavedFile | null> {
  const path = await placeToSave(places, file)
  if (path === undefined) return null
  const { leftOut, leave } = leavingOut()
  const bytes = await saveFile(path, file.chunks(leave))
  noteWritten(path)
  return { path, bytes, rows: file.rows - leftOut.count, leftOut }
}

async function askWhere(
  shell: FilePlaces['shell'],
  name: string,
  { kind, extension }: { extension: string; kind: string },
): Promise<string | undefined> {
  const path = await shell.askSave(name, { name: kind, extensions: [extension.slice(1)] })
  return path === undefined || path.toLowerCase().endsWith(extension) ? path : `${path}${extension}`
}

/** Asks which file to read. Null if the user cancels. */
export async function chooseFile(
  places: FilePlaces,
  kind: string,
  extensions: string[],
): Promise<{ name: string; path: string } | null> {
  const path = places.opened() ?? places.openFile ?? (await places.shell.askOpen({ name: kind, extensions }))
  return path === undefined ? null : { name: basename(path), path }
}
