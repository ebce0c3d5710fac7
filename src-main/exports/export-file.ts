import type { Stats } from 'node:fs'
import { link, lstat, rename, rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { FaultError } from '#shared/fault'
import { exportFormats, tooLarge, type ExportFormat } from '#shared/reports/export-formats'
import { storageFault } from '#shared/storage-words'
import type { ExportTable, OnRows } from './export-table'
import { jsonChunks, ndjsonChunks, separatedChunks, type SeparatedOptions } from './export-text'
import type { Paper } from './pdf-layout'
import { saveFile } from './save-file'

export interface ExportOptions {
  format: ExportFormat
  /** Dialect of separated values. Default: `plain`. */
  dialect?: SeparatedOptions['dialect']
  /** Writes numbers with a decimal comma, in the spreadsheet dialect. */
  decimalComma?: boolean
  /** Paper of a PDF. Default: A4. */
  paper?: Paper
  /** Folder of a PDF's font files. */
  fonts: string
  /** Milliseconds since 1970. */
  now: number
  signal?: AbortSignal
  onrows?: OnRows
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

interface Writing {
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** Call after everything is written. */
  notes(): string[]
}

type Writer = (table: ExportTable, options: ExportOptions) => Writing | Promise<Writing>

const plain = (chunks: Iterable<string>): Writing => ({ chunks, notes: () => [] })

const separated =
  (separator: SeparatedOptions['separator']): Writer =>
  (table, { dialect = 'plain', decimalComma = false, onrows }) =>
    plain(separatedChunks(table, { separator, dialect, decimalComma }, onrows))

/** How each format is written. Workbooks and documents bring large libraries, which are loaded when they are needed. */
const writers: Readonly<Record<ExportFormat, Writer>> = {
  csv: separated(','),
  tsv: separated('\t'),
  json: (table, { onrows }) => plain(jsonChunks(table, onrows)),
  ndjson: (table, { onrows }) => plain(ndjsonChunks(table, onrows)),
  xlsx: async (table, { now, onrows }) => {
    const { workbookChunks } = await import('./workbook')
    const notes = { cut: 0, columnsLeftOut: 0 }
    return {
      chunks: workbookChunks(table, { notes, now, onrows }),
      notes: () => [...cutTexts(notes.cut, 32_767), ...leftOut(notes.columnsLeftOut, 'a sheet')],
    }
  },
  pdf: async (table, { now, paper = 'A4', fonts, onrows }) => {
    const { maxCharacters, pdfChunks } = await import('./pdf')
    const notes = { missing: new Set<string>(), columnsLeftOut: 0, cut: 0 }
    return {
      chunks: pdfChunks(table, { notes, now, paper, fonts, onrows }),
      notes: () => [
        ...missing(notes.missing),
        ...cutTexts(notes.cut, maxCharacters),
        ...leftOut(notes.columnsLeftOut, 'a page'),
      ],
    }
  },
}

const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

const cutTexts = (count: number, most: number): string[] =>
  count === 0
    ? []
    : [`${counted(count, 'text', 'texts')} shortened to ${most.toLocaleString('en')} characters, the limit of a cell.`]

const leftOut = (columns: number, where: string): string[] =>
  columns === 0
    ? []
    : [
        `Skipped ${columns === 1 ? 'the last column' : `the last ${columns.toLocaleString('en')} columns`}, because ${where} can’t hold more.`,
      ]

function missing(characters: ReadonlySet<string>): string[] {
  if (characters.size === 0) return []
  const nameOf = (one: string): string =>
    /[\p{C}\p{Z}\ufffd]/u.test(one) ? `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : one
  const first = [...characters].slice(0, 10).map(nameOf).join(' ')
  const more = characters.size > 10 ? ` and ${characters.size - 10} more` : ''
  return [
    `${counted(characters.size, 'character', 'characters')} shown as \ufffd, because the document’s fonts don’t include ${characters.size === 1 ? 'it' : 'them'}: ${first}${more}.`,
  ]
}
