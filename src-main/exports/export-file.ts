import type { Stats } from 'node:fs'
import { link, lstat, rename, rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { FaultError } from '#shared/fault'
import { exportFormats, tooLarge, type ExportFormat } from '#shared/reports/export-formats'
import { storageFault } from '#shared/storage-words'
import type { ExportTable } from './export-table'
import { writers, type WriteOptions } from './export-writers'
import { saveFile } from './save-file'

export interface ExportOptions extends WriteOptions {
  format: ExportFormat
  signal?: AbortSignal
  /** True if an existing file may be replaced. */
  replace?: boolean
}

export interface Exported {
  path: string
  rows: number
  bytes: number
  /** Differences between the file and the table, in sentences. */
  notes: string[]
}

/** The format that the name of a file asks for. @throws FaultError `invalid` */
export function formatOf(path: string): ExportFormat {
  const extension = extname(path).slice(1).toLowerCase()
  const format = exportFormats.find((one) => one === extension)
  if (format) return format
  const known = exportFormats.map((one) => `.${one}`)
  throw new FaultError({
    code: 'invalid',
    message: `${basename(path)} has no file format. End the name with ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  })
}

/**
 * Writes a table to a file that exists completely or not at all.
 * @throws FaultError `duplicate` if the file exists and may not be replaced, `invalid` if something else has its name
 * or the table is too large for the format, `storage`, `aborted`
 */
export async function exportTable(path: string, table: ExportTable, options: ExportOptions): Promise<Exported> {
  const { signal, format, replace = false } = options
  const refusal = tooLarge(format, table.length, table.columns.length)
  if (refusal !== undefined) throw new FaultError({ code: 'invalid', message: refusal })
  await (replace ? refuseOther(path) : refuseExisting(path))
  const { chunks, notes } = await writers[format](table, options)
  const bytes = await (replace ? saveFile : saveNew)(path, chunks, signal)
  return { path, rows: table.length, bytes, notes: notes() }
}

/** Like `saveFile`, but never replaces a file. @throws FaultError `duplicate` if one exists */
export async function saveNew(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  await refuseExisting(path)
  return saveFile(path, chunks, signal, undefined, placeNew)
}

/** Errors of file systems without hard links, such as those of cameras and some network shares. */
const withoutLinks: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
  'EMLINK',
])

/** Renames a file without replacing another one. Atomic only if the file system supports hard links. */
async function placeNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
    // The file has its name. Temporary files are deleted at a later start.
    await rm(from).catch(() => undefined)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(to)
    if (!withoutLinks.has(code)) throw error
    await refuseExisting(to)
    await rename(from, to)
  }
}

async function refuseExisting(path: string): Promise<void> {
  if ((await foundAt(path)) !== undefined) throw taken(path)
}

const taken = (path: string): FaultError =>
  new FaultError({
    code: 'duplicate',
    message: `${basename(path)} already exists and is unchanged. Choose another name, or allow replacing it.`,
  })

/** Refuses to replace a folder or a device. */
async function refuseOther(path: string): Promise<void> {
  const found = await foundAt(path)
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return
  throw new FaultError({
    code: 'invalid',
    message: `${basename(path)} isn’t a file that can be replaced. Choose another name.`,
  })
}

async function foundAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw storageFault(error, 'Nothing was saved.')
  }
}
