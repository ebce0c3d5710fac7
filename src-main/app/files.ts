import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { app, dialog, type BrowserWindow } from 'electron'
import { FaultError } from '#shared/fault'
import type { SavedFile } from '#shared/ipc/contract'
import { decodedText } from '../exports/ics-text'
import { safeFileName, saveFile } from '../exports/save-file'

/** A calendar file larger than this is not read into memory. */
const largestImport = 64 * 1024 * 1024

export interface FilePlaces {
  window: () => BrowserWindow
  /** Set for tests and tours: the folder to save into, the file to open, without asking. */
  saveTo?: string
  openFile?: string
}

/** Files written in this run: only these may be shown in the system's file manager. */
const written = new Set<string>()

export const wasWritten = (path: string): boolean => written.has(path)

/** Asks where to save and writes there, whole or not at all. Null when the person closes the dialog. */
export async function saveAs(
  places: FilePlaces,
  file: { name: string; extension: '.ics' | '.csv'; kind: string; rows: number; chunks: Iterable<string> },
): Promise<SavedFile | null> {
  const name = safeFileName(file.name, file.extension)
  const path = places.saveTo ? join(places.saveTo, name) : await askWhere(places.window(), name, file)
  if (path === undefined) return null
  const bytes = await saveFile(path, file.chunks)
  written.add(path)
  return { path, bytes, rows: file.rows }
}

async function askWhere(
  window: BrowserWindow,
  name: string,
  file: { extension: string; kind: string },
): Promise<string | undefined> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: file.kind, extensions: [file.extension.slice(1)] }],
  })
  if (canceled || !filePath) return undefined
  return filePath.toLowerCase().endsWith(file.extension) ? filePath : `${filePath}${file.extension}`
}

/** Asks for a file and reads it. Null when the person closes the dialog. @throws FaultError `invalid` | `storage` */
export async function openText(
  places: FilePlaces,
  kind: string,
  extensions: string[],
): Promise<{ name: string; text: string } | null> {
  const path = places.openFile ?? (await askWhich(places.window(), kind, extensions))
  if (path === undefined) return null
  try {
    const { size } = await stat(path)
    if (size > largestImport)
      throw new FaultError({ code: 'invalid', message: 'The file is larger than 64 MB. Nothing was read.' })
    return { name: basename(path), text: decodedText(await readFile(path)) }
  } catch (error) {
    if (error instanceof FaultError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new FaultError(
      { code: 'storage', message: `The file could not be read (${code ?? 'unknown reason'}).` },
      { cause: error },
    )
  }
}

async function askWhich(window: BrowserWindow, kind: string, extensions: string[]): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    filters: [{ name: kind, extensions }],
  })
  return canceled ? undefined : filePaths[0]
}
