import { basename, dirname, join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { SavedFile } from '#shared/ipc/file-questions'
import type { LeftOut } from '../exports/ics-write'
import { saveNew } from '../exports/export-file'
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
  /** True if files may be written to a folder without asking. */
  takes: (folder: string) => Promise<boolean>
}

const maxNamed = 20

/** Files written in this run: only these may be shown in the system's file manager. */
const written = new Set<string>()

export const wasWritten = (path: string): boolean => written.has(path)
export const noteWritten = (path: string): void => void written.add(path)

export interface ChosenPlace {
  path: string
  /** True if an existing file may be replaced, because the user confirmed it. */
  replace: boolean
  /** Call once the file exists, or if it won't. */
  done: () => void
}

/** Names that are in use, but have no file yet. */
const reserved = new Set<string>()

/**
 * A free name in the given folder, or the place that the user chooses. Undefined if they cancel.
 * @throws FaultError `notFound` | `invalid` | `storage`
 */
export async function placeFor(
  places: FilePlaces,
  file: { name: string; extension: string; kind: string; folder?: string | undefined },
): Promise<ChosenPlace | undefined> {
  const { folder, extension, kind } = file
  const name = safeFileName(file.name, extension)
  if (folder !== undefined) {
    if (!(await places.takes(folder)))
      throw new FaultError({ code: 'invalid', message: 'Choose a folder to export to.' })
    const missing = await missingFolder(folder)
    if (missing !== undefined) throw new FaultError({ code: 'notFound', message: missing })
    return freePlace(places, join(folder, name), extension)
  }
  if (places.saveTo !== undefined) return freePlace(places, join(places.saveTo, name), extension)
  const path = await places.shell.askSave(name, { name: kind, extensions: [extension.slice(1)] })
  if (path === undefined) return undefined
  // The system's dialog asked about the name that was typed, so the one with the extension isn't confirmed.
  if (!path.toLowerCase().endsWith(extension)) return freePlace(places, `${path}${extension}`, extension)
  await places.note(dirname(path))
  return { path, replace: true, done: () => undefined }
}

async function freePlace({ note }: FilePlaces, wanted: string, extension: string): Promise<ChosenPlace> {
  await note(dirname(wanted))
  const path = await firstFree(dirname(wanted), basename(wanted).slice(0, -extension.length), extension, reserved)
  return { path, replace: false, done: () => void reserved.delete(path) }
}

/** Writes a file to its place completely or not at all. @returns the number of bytes. @throws FaultError `storage` */
export async function saveAt(
  { path, replace, done }: ChosenPlace,
  chunks: Iterable<string | Uint8Array>,
): Promise<number> {
  try {
    const bytes = await (replace ? saveFile : saveNew)(path, chunks)
    noteWritten(path)
    return bytes
  } finally {
    done()
  }
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
  const place = await placeFor(places, file)
  if (place === undefined) return null
  const { leftOut, leave } = leavingOut()
  const bytes = await saveAt(place, file.chunks(leave))
  return { path: place.path, bytes, rows: file.rows - leftOut.count, leftOut }
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
