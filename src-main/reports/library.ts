import { safeParse } from '#shared/safe-parse'
import { randomBytes } from 'node:crypto'
import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FaultError } from '#shared/fault'
import { runIdSchema } from '#shared/reports/run-id'
import { storageFault } from '#shared/storage-words'
import { sha256Of } from '../disk/hash-file'
import { privateFolder, savePrivate } from '../disk/private'
import { besides, foldersIn, isFile, madeIn, type FilePlace } from './file-place'
import { accountIn, asideMark, bareId, folderName, runFolderName, type RunFolder } from './run-folders'
import { moveInProgress, lockRun, isLocked } from './run-lock'
import { runRecordSchema, type RunRecord } from './run-record'

/** A run whose record can't be read. */
export interface DamagedRun {
  id: string
  path: string
  /** True if a newer version of the app wrote it. */
  newer?: true
}

const damagedFile = ({ name }: RunRecord, path: string): FaultError =>
  new FaultError({
    code: 'storage',
    message: `The results of “${name}” were changed after the download. The changed file is still at ${path}. Run the report again.`,
    reason: 'damagedFile',
  })

/** Reason why a run can't be listed, if its record exists. */
async function damageOf(path: string): Promise<Pick<DamagedRun, 'newer'> | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(text)
    if (safeParse(runRecordSchema, read).success) return undefined
    const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined
    return typeof version === 'number' && version > 1 ? { newer: true } : {}
  } catch {
    return {}
  }
}

/**
 * Runs and their files on this computer. Each account has a folder, and in it each run has one with `run.json`. Result
 * files are in that folder, or in one of the same name elsewhere. A run depends on its own folder only, so a damaged
 * run never affects another.
 */
export class Library {
  readonly #folder: string
  readonly #place: FilePlace

  /** Without `place`, result files are in the folders of their runs. */
  constructor(folder: string, place: FilePlace = besides(folder)) {
    this.#folder = folder
    this.#place = place
  }

  /** Folder of the run records, wherever the result files are. */
  get folder(): string {
    return this.#folder
  }

  /** Creates an ID that sorts by request time. */
  static newId(now: number): string {
    return `${String(Math.max(0, now)).padStart(14, '0')}-${randomBytes(4).toString('hex')}`
  }

  folderOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#folder, folderName(accountId), runFolderName(id))
  }

  /** Folder of a run's files below `root`, whether the run is listed or put aside. */
  filesUnder(root: string, { account, name }: RunFolder): string {
    return join(root, account, root === this.#folder ? name : bareId(name))
  }

  /** Path of a run's complete file. */
  fileOf(run: RunRecord): string {
    return join(this.#filesOf(run), `report.${run.format}`)
  }

  /** @throws FaultError `storage` if files can't be stored now */
  need(): Promise<void> {
    return this.#place.need()
  }

  /** Creates the folder for a run's file, if the report files folder is available. @throws FaultError `storage` */
  async ready(run: RunRecord): Promise<void> {
    await this.need()
    const folder = this.#filesOf(run)
    try {
      // Not recursively: an unmounted disk must not be replaced by a folder with its name.
      if (folder !== this.folderOf(run)) for (const one of [dirname(folder), folder]) await madeIn(one)
    } catch (error) {
      throw storageFault(error, 'The results will be downloaded later.')
    }
  }

  /**
   * Locks a run for this process, and its file against moving. @returns a function that unlocks it.
   * @throws FaultError `conflict` if another process has it or files are being moved, `storage`
   */
  async hold(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<() => Promise<void>> {
    const unlock = await lockRun(this.folderOf(run))
    try {
      // Lock first, then check. A move does the same, so at least one of the two sees the other.
      if (await isLocked(this.#folder)) throw new FaultError(moveInProgress)
      await this.#place.reread()
      return unlock
    } catch (error) {
      await unlock()
      throw error
    }
  }

  /**
   * Locks all runs for all processes. @returns a function that unlocks them. @throws FaultError `conflict`, `storage`
   */
  async holdAll(): Promise<() => Promise<void>> {
    const unlock = await lockRun(this.#folder)
    try {
      for (const { account, name } of await this.folders())
        if (await isLocked(join(this.#folder, account, name)))
          throw new FaultError({
            code: 'conflict',
            message: 'A Flightplan command is downloading a report. Wait for it to finish, then try again.',
          })
      return unlock
    } catch (error) {
      await unlock()
      throw error
    }
  }

  /** True if the run's complete file exists. */
  hasFile(run: RunRecord): Promise<boolean> {
    return run.state === 'kept' ? isFile(this.fileOf(run)) : Promise.resolve(false)
  }

  /**
   * Checks that the file of a run is unchanged since its download, by size, and by hash if one was stored.
   * @throws FaultError `storage` if it changed or can't be read
   */
  async checkFile(run: RunRecord): Promise<void> {
    const path = this.fileOf(run)
    try {
      const { size } = await stat(path)
      if (run.bytes !== undefined && size !== run.bytes) throw damagedFile(run, path)
      if (run.sha256 !== undefined && (await sha256Of(path)) !== run.sha256) throw damagedFile(run, path)
    } catch (error) {
      throw storageFault(error, 'Nothing was saved.')
    }
  }

  /** Runs with an unreadable record, and its path. @throws FaultError `storage` */
  async damaged(accountId: string): Promise<DamagedRun[]> {
    const folder = join(this.#folder, folderName(accountId))
    const found: DamagedRun[] = []
    for (const id of await foldersIn(folder)) {
      const path = join(folder, id, 'run.json')
      const damage = safeParse(runIdSchema, id).success ? await damageOf(path) : undefined
      if (damage) found.push({ id, path, ...damage })
    }
    return found
  }

  /** Path of a partially downloaded fragment. */
  partOf(run: RunRecord, fragment: number): string {
    return join(this.#filesOf(run), `${fragment}.part`)
  }
  hasPart(run: RunRecord, fragment: number): Promise<boolean> {
    return isFile(this.partOf(run, fragment))
  }

  /** @throws FaultError `storage` */
  async keep(run: RunRecord): Promise<void> {
    const folder = this.folderOf(run)
    try {
      await privateFolder(folder)
    } catch (error) {
      throw storageFault(error, 'Nothing was saved.')
    }
    await savePrivate(join(folder, 'run.json'), [JSON.stringify(run)])
  }

  /** Runs of an account, newest first. Skips unreadable records and later versions. @throws FaultError `storage` */
  async runs(accountId: string): Promise<RunRecord[]> {
    const names = await this.#names(accountId)
    return this.#readAll(
      accountId,
      names.filter((name) => !name.startsWith(asideMark)),
    )
  }

  /** Runs that `bringBack` can restore, newest first. @throws FaultError `storage` */
  async asideRuns(accountId: string): Promise<RunRecord[]> {
    const names = await this.#names(accountId)
    return this.#readAll(
      accountId,
      names.filter((name) => name.startsWith(asideMark)),
    )
  }

  /** IDs of all runs that still exist: listed or put aside, readable or not. @throws FaultError `storage` */
  async ids(accountId: string): Promise<ReadonlySet<string>> {
    const names = await this.#names(accountId)
    return new Set(names.map(bareId))
  }

  /** Folders of all existing runs of all accounts, readable or not. @throws FaultError `storage` */
  async folders(): Promise<RunFolder[]> {
    const found: RunFolder[] = []
    for (const account of await foldersIn(this.#folder))
      for (const name of await foldersIn(join(this.#folder, account))) found.push({ account, name })
    return found
  }

  /** IDs of accounts with runs. Ignores foreign folders. @throws FaultError `storage` */
  async accounts(): Promise<string[]> {
    return (await foldersIn(this.#folder)).flatMap((name) => accountIn(name) ?? [])
  }

  /** The run as stored on disk, or undefined if it doesn't exist. @throws FaultError `storage` */
  read(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<RunRecord | undefined> {
    return this.#read(join(this.folderOf(run), 'run.json'))
  }

  /** Newest run with a complete file, by report. @throws FaultError `storage` */
  async newestByReport(accountId: string): Promise<Map<string, RunRecord>> {
    const newest = new Map<string, RunRecord>()
    for (const run of await this.runs(accountId)) {
      const { reportId, state } = run
      if (reportId === undefined || newest.has(reportId) || state !== 'kept') continue
      if (await this.hasFile(run)) newest.set(reportId, run)
    }
    return newest
  }

  /** Deletes a run and its file. @throws FaultError `storage` */
  async remove(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<void> {
    await this.need()
    try {
      for (const folder of new Set([this.#filesOf(run), this.folderOf(run)]))
        await rm(folder, { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'The run wasn’t deleted.')
    }
  }

  /** Hides a run and its file. `bringBack` restores them until `clear`. @throws FaultError `storage` */
  async putAside(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<void> {
    try {
      await rename(this.folderOf(run), this.#asideOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw storageFault(error, 'The run wasn’t deleted.')
    }
  }

  /** @returns the restored run, or undefined if it no longer exists. @throws FaultError `storage` */
  async bringBack(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<RunRecord | undefined> {
    try {
      await rename(this.#asideOf(run), this.folderOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw storageFault(error, 'The run is still deleted.')
    }
    return this.#read(join(this.folderOf(run), 'run.json'))
  }

  /** Deletes the runs that were put aside. If their files are out of reach, a later start does it. */
  async clear(accountId: string): Promise<void> {
    const account = folderName(accountId)
    const names = (await foldersIn(join(this.#folder, account)).catch(() => [])).filter((name) =>
      name.startsWith(asideMark),
    )
    if (names.length === 0) return
    try {
      await this.need()
      for (const name of names)
        for (const folder of [this.filesUnder(this.#place.root, { account, name }), join(this.#folder, account, name)])
          await rm(folder, { recursive: true, force: true })
    } catch {
      // The next start retries.
    }
  }

  async #names(accountId: string): Promise<string[]> {
    try {
      return await readdir(join(this.#folder, folderName(accountId)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageFault(error, 'Nothing changed.')
    }
  }

  async #readAll(accountId: string, names: readonly string[]): Promise<RunRecord[]> {
    const folder = join(this.#folder, folderName(accountId))
    const found = await Promise.all(names.map((name) => this.#read(join(folder, name, 'run.json'))))
    return found.filter((run): run is RunRecord => run?.accountId === accountId).sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  #filesOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#place.root, folderName(accountId), runFolderName(id))
  }

  #asideOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#folder, folderName(accountId), runFolderName(id, asideMark))
  }

  /** Deletes all runs of a removed account. @throws FaultError `storage` */
  async removeAccount(accountId: string): Promise<void> {
    const account = folderName(accountId)
    const { root } = this.#place
    try {
      if (root !== this.#folder) {
        const away = await this.need().then(
          () => false,
          () => true,
        )
        if (away) await this.#place.noteRemoved(account)
        else await rm(join(root, account), { recursive: true, force: true })
      }
      await rm(join(this.#folder, account), { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'Its report files weren’t deleted.')
    }
  }

  /** Path of a file that belongs to an account rather than a run. */
  accountFile(accountId: string, name: string): string {
    return join(this.#folder, folderName(accountId), name)
  }

  async #read(path: string): Promise<RunRecord | undefined> {
    try {
      const read = safeParse(runRecordSchema, JSON.parse(await readFile(path, 'utf8')))
      return read.success ? read.data : undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A folder without a record, or a damaged record, must not block the other runs.
      if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return undefined
      throw error instanceof FaultError ? error : storageFault(error, 'Nothing changed.')
    }
  }
}
