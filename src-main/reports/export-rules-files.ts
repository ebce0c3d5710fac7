import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionOf, type ExportRule } from '#shared/reports/export-rules'
import { momentName, nameFrom, shapeName } from '#shared/reports/file-names'
import { storageFault, storageReason } from '#shared/storage-words'
import type { KeptRule } from './export-rules'
import type { RunRecord } from './run-record'

/** The first name in the folder of a rule that no file has. @throws FaultError `storage` */
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

/** The first of `Name.csv`, `Name (2).csv` … in a folder that no file has, and that is not promised; it is from now on. @throws FaultError `storage` */
export async function firstFree(
  folder: string,
  stem: string,
  extension: string,
  promised = new Set<string>(),
): Promise<string> {
  for (let again = 1; ; again++) {
    const path = join(folder, `${stem}${again > 1 ? ` (${again})` : ''}${extension}`)
    if (promised.has(path)) continue
    // Before it is looked for: whoever asks meanwhile gets another.
    promised.add(path)
    const there = await isThere(path).catch((error: unknown) => {
      promised.delete(path)
      throw error
    })
    if (!there) return path
    promised.delete(path)
  }
}

/** Why nothing can be written to a folder; undefined where it is one. */
export async function missingFolder(folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch((error: unknown) => storageReason(error) || 'ENOENT')
  if (typeof found !== 'string') return found.isDirectory() ? undefined : `${folder} is no longer a folder.`
  return found === 'ENOENT' || found === 'ENOTDIR'
    ? `Can’t find the folder ${folder}.`
    : `Can’t use the folder ${folder} (${found}).`
}

/** Whether something has this name, a link to nothing too. @throws FaultError `storage` */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw storageFault(error, 'Nothing was written.')
  }
}

/** The moment at which a file was made says nothing of what it holds. */
const made = /^"?(?:Date\/Time Generated|Generated)\b.*$/m

/** What a file of a service holds, as a short text that is the same for the same. */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  let head = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(head ? chunk.toString('latin1').replace(made, '') : chunk)
    head = false
  }
  return hash.digest('hex')
}

/** Takes away the oldest files of a rule beyond those that stay. One that somebody changed since is theirs and stays. */
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
