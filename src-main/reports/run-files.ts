import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FaultError, faultOf } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { sha256Of } from '../disk/hash-file'
import { flushFolder } from '../disk/private'
import { clearLeftParts } from '../exports/left-parts'
import { saveFile } from '../exports/save-file'
import { foldersIn, madeIn } from './file-place'
import type { Library } from './library'
import { isRunFolder, type RunFolder } from './run-folders'

/** Complete file of a run, or a partially downloaded fragment. */
export interface RunFile {
  run: RunFolder
  name: string
  path: string
  bytes: number
  whole: boolean
}

const whole = /^report\.(csv|tsv|xlsx)$/
const piece = /^(report\.(csv|tsv|xlsx)|\d+)\.part$/

/** Files below `root` of all runs, listed or put aside. @throws FaultError `storage` */
export async function filesUnder(library: Library, root: string): Promise<RunFile[]> {
  const found: RunFile[] = []
  for (const run of await library.folders()) found.push(...(await filesIn(library.filesUnder(root, run), run)))
  return found
}

async function filesIn(folder: string, run: RunFolder): Promise<RunFile[]> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw storageFault(error, 'Nothing changed.')
  })
  const ours = names.filter((name) => whole.test(name) || piece.test(name))
  const files = await Promise.all(
    ours.map(async (name): Promise<RunFile | undefined> => {
      const path = join(folder, name)
      const there = await stat(path).catch(() => undefined)
      return there?.isFile() ? { run, name, path, bytes: there.size, whole: whole.test(name) } : undefined
    }),
  )
  return files.flatMap((file) => file ?? [])
}

export interface Copying {
  signal?: AbortSignal
  onbytes?: (more: number) => void
}

/** Copies a run's file to its folder below `root` and verifies the copy. @throws FaultError `storage` | `aborted` */
export async function copyUnder(library: Library, root: string, file: RunFile, how: Copying = {}): Promise<void> {
  const { signal, onbytes } = how
  const folder = library.filesUnder(root, file.run)
  try {
    // Not recursively: an unmounted disk must not be replaced by a folder with its name.
    for (const one of [dirname(folder), folder]) await madeIn(one)
  } catch (error) {
    throw storageFault(error, 'The files weren’t moved.')
  }
  const to = join(folder, file.name)
  const hash = createHash('sha256')
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file.path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      onbytes?.(chunk.length)
      yield chunk
    }
  }
  await saveFile(to, chunks(), signal, 0o600).catch((error: unknown) => {
    const fault = faultOf(error)
    throw fault.code === 'storage' ? storageFault((error as Error).cause ?? error, 'The files weren’t moved.') : error
  })
  if ((await hashOf(to, signal)) !== hash.digest('hex')) {
    await rm(to, { force: true })
    throw new FaultError({
      code: 'storage',
      message: `The copy in ${to} differs from the original. The files weren’t moved. Check the disk.`,
    })
  }
  await flushFolder(folder)
}

async function hashOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await sha256Of(path, signal)
  } catch (error) {
    if (signal?.aborted) throw new FaultError({ code: 'aborted', message: 'Stopped. The files weren’t moved.' })
    throw storageFault(error, 'The files weren’t moved.')
  }
}

/**
 * Deletes leftover run files below `place`, a former folder: those that also exist below `root`, and those of deleted
 * runs. A file that exists nowhere else is copied first. @returns true if nothing is left. @throws FaultError `storage`
 */
export async function sweep(library: Library, place: string, root: string): Promise<boolean> {
  const runs = new Map<string, RunFolder>()
  for (const run of await library.folders()) runs.set(library.filesUnder(place, run), run)
  const accounts = new Set([...runs.values()].map(({ account }) => account))
  let left = 0
  for (const account of await foldersIn(place)) {
    for (const name of await foldersIn(join(place, account))) {
      const folder = join(place, account, name)
      const run = runs.get(folder)
      // Skip folders of the user's own files.
      if (!run && !isRunFolder({ account, name })) continue
      accounts.add(account)
      await clearLeftParts(folder)
      for (const file of await filesIn(folder, run ?? { account, name })) {
        if (run && file.whole && !(await isCopied(library, root, file))) left++
        else await rm(file.path, { force: true })
      }
      await rmdir(folder).catch(() => undefined)
    }
    if (accounts.has(account)) await rmdir(join(place, account)).catch(() => undefined)
  }
  return left === 0
}

/**
 * Deletes partial files that killed processes left next to runs, and next to their files below `root`.
 * @throws FaultError `storage`
 */
export async function clearHalves(library: Library, root: string): Promise<void> {
  const folders = (await library.folders()).flatMap((run) => [
    ...[library.folder, root].map((place) => library.filesUnder(place, run)),
    join(library.folder, run.account),
  ])
  for (const folder of new Set([root, ...folders])) await clearLeftParts(folder)
}

/** True if the same file exists below `root`. If none exists, copies it. */
async function isCopied(library: Library, root: string, file: RunFile): Promise<boolean> {
  const there = await stat(join(library.filesUnder(root, file.run), file.name)).catch(() => undefined)
  if (!there) await copyUnder(library, root, file)
  return !there || there.size === file.bytes
}
