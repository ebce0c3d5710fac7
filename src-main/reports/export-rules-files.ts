import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionOf, type ExportRule } from '#shared/reports/export-rules'
import { momentName, nameFrom, shapeName } from '#shared/reports/file-names'
import { storageFault, storageReason } from '#shared/storage-words'
import type { KeptRule } from './export-rules'
import type { RunRecord } from './run-record'

/** First free path in the folder of a rule. @throws FaultError `storage` */
export async function freePath(rule: ExportRule, run: RunRecord, account: string): Promise<string> {
  const { name, zone, format, folder, shape } = rule
  const stem = nameFrom(name, {
    report: run.name,
    account,
    view: shape ? shapeName(shape) : '',
    run: momentName(run.asked, zone),
    ...(run.range && { from: run.range.from, to: run.range.to }),
  })
  return firstFree(folder, stem, extensionOf(format, run.format))
}

/** Reserves the first free name of `Name.csv`, `Name (2).csv`, … in a folder. @throws FaultError `storage` */
export async function firstFree(
  folder: string,
  stem: string,
  extension: string,
  promised = new Set<string>(),
): Promise<string> {
  for (let again = 1; ; again++) {
    const path = join(folder, `${stem}${again > 1 ? ` (${again})` : ''}${extension}`)
    if (promised.has(path)) continue
    // Reserve it before the check, so that a concurrent call gets another.
    promised.add(path)
    const there = await isThere(path).catch((error: unknown) => {
      promised.delete(path)
      throw error
    })
    if (!there) return path
    promised.delete(path)
  }
}

/** Reason why a folder can't be used, or undefined if it exists. */
export async function missingFolder(folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch((error: unknown) => storageReason(error) || 'ENOENT')
  if (typeof found !== 'string') return found.isDirectory() ? undefined : `${folder} is no longer a folder.`
  return found === 'ENOENT' || found === 'ENOTDIR'
    ? `Can’t find the folder ${folder}.`
    : `Can’t use the folder ${folder} (${found}).`
}

/** True if the path exists, even as a dangling link. @throws FaultError `storage` */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw storageFault(error, 'Nothing was saved.')
  }
}

/** Creation time in the head of a file, which doesn't count as content. */
const made = /^"?(?:Date\/Time Generated|Generated)\b.*$/m

/** Hash of a report file's content. */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  let head = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(head ? chunk.toString('latin1').replace(made, '') : chunk)
    head = false
  }
  return hash.digest('hex')
}

/** Deletes the oldest files of a rule beyond `keep`. Skips files that someone changed since. */
export async function cleared(files: KeptRule['files'], keep: number): Promise<KeptRule['files']> {
  if (keep === 0) return files
  const present: KeptRule['files'] = []
  for (const file of files) {
    const found = await lstat(file.path).catch(() => undefined)
    if (found?.isFile() && found.size === file.bytes && found.mtimeMs === file.modified) present.push(file)
  }
  const old = present.slice(0, -keep)
  await Promise.all(old.map(({ path }) => rm(path, { force: true }).catch(() => undefined)))
  return present.slice(-keep)
}
