import { rm, rmdir, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { FilesMoving, ReportFiles } from '#shared/reports/report-files'
import { SerialQueue } from '#shared/serial-queue'
import { clearLeftParts } from '../exports/left-parts'
import type { Library } from './library'
import { folderName, markName, type ReportFolder } from './report-folder'
import { breakLock } from './run-lock'
import { clearHalves, copyUnder, filesUnder, sweep, type RunFile } from './run-files'

export interface MoverOptions {
  folder: ReportFolder
  library: Library
  /** Pauses the runs of this process during `work`. */
  whileHeld: <T>(work: () => Promise<T>) => Promise<T>
  /** Does work that removes files, while no export reads them. */
  quietly: (work: () => Promise<void>) => Promise<void>
  onprogress: (moving: FilesMoving) => void
}

/** Bytes between two progress updates. */
const stride = 4 * 1024 * 1024

/**
 * Moves the files of all runs to another folder: copies them, switches the setting in one write, then deletes the
 * originals. If the app is killed, every file is still where the setting says, and the next start cleans up.
 */
export class FileMover {
  readonly #options: MoverOptions
  #under: AbortController | undefined
  readonly #order = new SerialQueue()

  constructor(options: MoverOptions) {
    this.#options = options
  }

  /** Folder, and number and size of its files. @throws FaultError `storage` */
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

  /**
   * Moves to a folder from `destination`. @throws FaultError `invalid` during another move | `conflict` | `storage` |
   * `aborted`
   */
  async moveTo(root: string): Promise<void> {
    const { whileHeld, library } = this.#options
    if (this.#under) throw new FaultError({ code: 'invalid', message: 'Report files are already being moved.' })
    const control = (this.#under = new AbortController())
    try {
      await this.#order.run(() =>
        whileHeld(async () => {
          const unlock = await library.holdAll()
          try {
            await this.#move(root, control.signal)
          } finally {
            await unlock()
          }
        }),
      )
    } finally {
      this.#under = undefined
    }
    // The next start deletes what can't be deleted now.
    await this.settle().catch(() => undefined)
  }

  /** Stops the move. The files stay where they were. */
  stop(): void {
    this.#under?.abort()
  }

  /** Finishes an interrupted move once, at the start of the app. The report command never moves files. */
  async begin(): Promise<void> {
    const { library, folder } = this.#options
    await breakLock(library.folder).catch(() => undefined)
    await this.settle()
    if ((await folder.away()) === undefined) await clearHalves(library, folder.root)
  }

  /** Cleans up available folders that an earlier move left files in. */
  settle(): Promise<void> {
    const { quietly } = this.#options
    return this.#order.run(() => quietly(() => this.#settle()))
  }

  async close(): Promise<void> {
    this.stop()
    await this.#order.idle()
  }

  async #move(to: string, signal: AbortSignal): Promise<void> {
    const { folder, library, onprogress } = this.#options
    const from = folder.root
    // Files that are out of reach are moved once they're available again.
    const there = (await folder.away()) === undefined ? await filesUnder(library, from) : []
    await roomFor(to, sizeOf(there))
    await folder.claim(to)
    // Same folder under another name: copying a file onto itself would damage it.
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
      await folder.setCurrent(to)
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
    if (folder.removed.length > 0) await folder.clearRemoved()
    for (const place of folder.left) {
      if (place === root) continue
      await clearLeftParts(place)
      // Cleaning it up would delete the only copies.
      if (await folder.isSame(place, root)) {
        await folder.removeLeft(place)
        continue
      }
      if (!(await folder.isOurs(place).catch(() => false))) {
        // Someone may have moved the folder here by hand.
        if (await this.#hasAll()) await folder.removeLeft(place)
        continue
      }
      if (!(await sweep(library, place, root))) continue
      if (place !== folder.usual) {
        await rm(join(place, markName), { force: true })
        // Flightplan created it, and it's empty.
        if (basename(place) === folderName) await rmdir(place).catch(() => undefined)
      }
      await folder.removeLeft(place)
    }
  }

  async #hasAll(): Promise<boolean> {
    const { library } = this.#options
    for (const account of await library.accounts())
      for (const run of await library.runs(account))
        if (run.state === 'kept' && !(await library.hasFile(run))) return false
    return true
  }
}

const sizeOf = (files: readonly RunFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** @throws FaultError `storage` if there isn't enough free space */
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
