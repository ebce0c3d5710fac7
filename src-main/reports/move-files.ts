import { rm, rmdir, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { FilesMoving, ReportFiles } from '#shared/reports/report-files'
import { clearLeftParts } from '../exports/left-parts'
import type { Library } from './library'
import { folderName, markName, type ReportFolder } from './report-folder'
import { dropHold } from './run-hold'
import { clearHalves, copyUnder, filesUnder, sweep, type RunFile } from './run-files'

export interface MoverOptions {
  folder: ReportFolder
  library: Library
  /** Does what must not meet a run that is under way in this process. */
  whileHeld: <T>(work: () => Promise<T>) => Promise<T>
  /** Does what takes files away, while none is being read for an export. */
  quietly: (work: () => Promise<void>) => Promise<void>
  onprogress: (moving: FilesMoving) => void
}

/** Bytes between two words about how far it is. */
const stride = 4 * 1024 * 1024

/**
 * Takes the files of all runs to another folder: copies, then the one step that says where they are, then what was copied
 * goes. Whatever ends the app on the way, every file is where the setting says, and the next start tidies up.
 */
export class FileMover {
  readonly #options: MoverOptions
  #under: AbortController | undefined
  #order: Promise<unknown> = Promise.resolve()

  constructor(options: MoverOptions) {
    this.#options = options
  }

  /** Where files are and how many. @throws FaultError `storage` */
  async state(): Promise<ReportFiles> {
    const { folder, library } = this.#options
    const away = await folder.away()
    const files = away === undefined ? (await filesUnder(library, folder.root)).filter(({ whole }) => whole) : []
    return {
      folder: folder.root,
      usual: folder.root === folder.usual,
      keep: folder.keep,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(away !== undefined && { away }),
      elsewhere: folder.left.filter((one) => one !== folder.root),
    }
  }

  /** To a folder that was looked at, see `destination`. @throws FaultError `invalid` while files are moved already | `conflict` | `storage` | `aborted` */
  async moveTo(root: string): Promise<void> {
    const { whileHeld, library } = this.#options
    if (this.#under) throw new FaultError({ code: 'invalid', message: 'Report files are already being moved.' })
    const control = (this.#under = new AbortController())
    try {
      await this.#inOrder(() =>
        whileHeld(async () => {
          const letGo = await library.holdAll()
          try {
            await this.#move(root, control.signal)
          } finally {
            await letGo()
          }
        }),
      )
    } finally {
      this.#under = undefined
    }
    // What cannot be taken away now is at the next start.
    await this.settle().catch(() => undefined)
  }

  /** The files stay where they were. */
  stop(): void {
    this.#under?.abort()
  }

  /** Once, at the start of the app, which alone moves files: what an earlier one left undone. */
  async begin(): Promise<void> {
    const { library, folder } = this.#options
    await dropHold(library.folder).catch(() => undefined)
    await this.settle()
    if ((await folder.away()) === undefined) await clearHalves(library, folder.root)
  }

  /** Tidies up where files were, or were taken to in vain, as far as those folders are there. */
  settle(): Promise<void> {
    const { quietly } = this.#options
    return this.#inOrder(() => quietly(() => this.#settle()))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#order.catch(() => undefined)
  }

  async #move(to: string, signal: AbortSignal): Promise<void> {
    const { folder, library, onprogress } = this.#options
    const from = folder.root
    // What is out of reach comes over once it is there again.
    const there = (await folder.away()) === undefined ? await filesUnder(library, from) : []
    await roomFor(to, sizeOf(there))
    await folder.claim(to)
    // By another name it is where it is: copied onto itself a file could only be spoilt.
    const files = (await folder.isSame(from, to)) ? [] : there
    const of = sizeOf(files)
    let done = 0
    let said = 0
    onprogress({ to, done, of })
    try {
      for (const file of files) {
        const onbytes = (more: number): void => {
          done += more
          if (done - said >= stride) onprogress({ to, done: (said = done), of })
        }
        await copyUnder(library, to, file, { signal, onbytes })
        onprogress({ to, done: (said = done), of })
      }
      if (signal.aborted) throw new FaultError({ code: 'aborted', message: 'Stopped. The files weren’t moved.' })
      await folder.turnTo(to)
    } catch (error) {
      await this.#settle().catch(() => undefined)
      throw error
    }
  }

  async #settle(): Promise<void> {
    const { folder, library } = this.#options
    if ((await folder.away()) !== undefined) return
    const { root } = folder
    for (const account of folder.removed) await rm(join(root, account), { recursive: true, force: true })
    if (folder.removed.length > 0) await folder.owed()
    for (const place of folder.left) {
      if (place === root) continue
      await clearLeftParts(place)
      // Swept, it would lose the only copies.
      if (await folder.isSame(place, root)) {
        await folder.letGo(place)
        continue
      }
      if (!(await folder.isOurs(place).catch(() => false))) {
        // Somebody may have taken the whole folder here by hand.
        if (await this.#hasAll()) await folder.letGo(place)
        continue
      }
      if (!(await sweep(library, place, root))) continue
      if (place !== folder.usual) {
        await rm(join(place, markName), { force: true })
        // The one that Flightplan made; nothing else is in it.
        if (basename(place) === folderName) await rmdir(place).catch(() => undefined)
      }
      await folder.letGo(place)
    }
  }

  async #hasAll(): Promise<boolean> {
    const { library } = this.#options
    for (const account of await library.accounts())
      for (const run of await library.runs(account))
        if (run.state === 'kept' && !(await library.hasFile(run))) return false
    return true
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#order.then(work, work)
    this.#order = next.catch(() => undefined)
    return next
  }
}

const sizeOf = (files: readonly RunFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** @throws FaultError `storage` where so many bytes have no room */
async function roomFor(root: string, bytes: number): Promise<void> {
  const found = await statfs(root).catch(() => undefined)
  const free = found ? found.bavail * found.bsize : Infinity
  if (bytes <= free) return
  const megabytes = (count: number): string => `${Math.ceil(count / 1_000_000).toLocaleString('en')} MB`
  throw new FaultError({
    code: 'storage',
    message: `The files need ${megabytes(bytes)}, and ${root} has ${megabytes(free)} free. The files weren’t moved. Free up disk space, or choose another folder.`,
    reason: 'ENOSPC',
  })
}
