import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { plannedColumns, plannedSearchColumns } from '#shared/pacing/planned'
import { storageFault } from '#shared/storage-words'
import { sha256Of } from '../disk/hash-file'
import type { FileFacts, FileReading, ReadFileFacts } from './file-facts'
import type { Library } from './library'
import type { RunRecord } from './run-record'

const lf = 0x0a

/**
 * Joins the fragments of a run's file and checks it: complete lines, as many cells as the header, and the number of
 * rows and totals that the service reported. Renames it only after that.
 * @throws FaultError `badAnswer` if a check fails
 */
export async function assemble(
  library: Library,
  run: RunRecord,
  { readFacts, signal }: { readFacts: ReadFileFacts; signal: AbortSignal },
): Promise<RunRecord> {
  const parts = run.fragments.map((_fragment, index) => library.partOf(run, index))
  const whole = parts.length === 1 ? parts[0]! : `${library.fileOf(run)}.part`
  try {
    for (const [index, part] of parts.entries())
      if (run.format !== 'xlsx' && run.fragments[index]!.bytes === undefined && !(await endsWithBreak(part)))
        throw broken('The last line of the file is incomplete.')
    if (parts.length > 1) await join(parts, whole)
    const checked = await check(whole, run, (path) => readFacts(path, { ...readingOf(run), signal }))
    await rename(whole, library.fileOf(run))
    if (parts.length > 1) await Promise.all(parts.map((part) => rm(part, { force: true })))
    return checked
  } catch (error) {
    // Keep the fragments to resume from. The joined file is created again.
    if (parts.length > 1) await rm(whole, { force: true }).catch(() => undefined)
    throw storageFault(error, 'The downloaded part is saved.')
  }
}

/** Columns of a run's file, as far as its definition determines them. */
export function readingOf(run: RunRecord): FileReading {
  const definition = run.definition as JsonObject
  const planned = run.service === 'search' ? plannedSearchColumns(definition) : plannedColumns(definition)
  return {
    ...(planned && { planned }),
    ...(run.service === 'search' && { separator: run.format === 'tsv' ? '\t' : ',' }),
  }
}

async function check(path: string, run: RunRecord, read: (path: string) => Promise<FileFacts>): Promise<RunRecord> {
  const { size } = await stat(path)
  const { rows, hasTotals, totalsAgree } = await read(path).catch((error: unknown) => {
    throw error instanceof FaultError && error.fault.code === 'invalid' ? broken(error.message) : error
  })
  if (run.expectedRows !== undefined && rows !== run.expectedRows)
    throw broken(`The file has ${rows} ${rows === 1 ? 'row' : 'rows'} instead of ${run.expectedRows}.`)
  // A file cut at the end of a line has complete lines but no total row.
  if (run.service === 'trafficking' && run.format === 'csv' && !hasTotals)
    throw broken('The file ends before its total row.')
  return { ...run, rows, bytes: size, sha256: await sha256Of(path), ...(totalsAgree !== undefined && { totalsAgree }) }
}

/** Without a known size, a last line without a break may have been cut off. Otherwise, that break is optional (RFC 4180). */
async function endsWithBreak(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return bytesRead === 1 && buffer[0] === lf
  } finally {
    await file.close()
  }
}

const broken = (message: string): FaultError => new FaultError({ code: 'badAnswer', message })

/** Concatenates fragments with a line break between them, and drops all headers but the first. */
async function join(parts: readonly string[], to: string): Promise<void> {
  const file = await open(to, 'w', 0o600)
  let last: number | undefined = lf
  try {
    for (const [index, part] of parts.entries()) {
      let past = index === 0
      for await (const chunk of createReadStream(part) as AsyncIterable<Buffer>) {
        let rest = chunk
        if (!past) {
          const end = chunk.indexOf(lf)
          if (end < 0) continue
          past = true
          rest = chunk.subarray(end + 1)
          if (rest.length > 0 && last !== lf) await file.writeFile('\r\n')
        }
        await file.writeFile(rest)
        last = rest.at(-1) ?? last
      }
    }
    await file.sync()
  } finally {
    await file.close()
  }
}
