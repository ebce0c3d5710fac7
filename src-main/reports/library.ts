import { randomBytes } from 'node:crypto'
import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
import { runRecordSchema, type RunRecord } from './run-record'

/**
 * Runs and their files on this computer: a folder for each account, in it one for each run with `run.json` and what came of
 * it. A run is known from its own folder alone, so none is lost with another.
 */
export class Library {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Its id sorts by the moment it was asked for. */
  static newId(now: number): string {
    return `${String(Math.max(0, now)).padStart(14, '0')}-${randomBytes(4).toString('hex')}`
  }

  folderOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#folder, folderName(accountId), id)
  }

  /** The whole file of a run that is kept. */
  fileOf(run: RunRecord): string {
    return join(this.folderOf(run), `report.${run.format}`)
  }

  /** Whether that file is there still. */
  hasFile(run: RunRecord): Promise<boolean> {
    return run.state === 'kept' ? isThere(this.fileOf(run)) : Promise.resolve(false)
  }

  /** Where a piece of the file is gathered. */
  partOf(run: RunRecord, fragment: number): string {
    return join(this.folderOf(run), `${fragment}.part`)
  }

  /** @throws FaultError `storage` */
  async keep(run: RunRecord): Promise<void> {
    const folder = this.folderOf(run)
    try {
      await privateFolder(folder)
    } catch (error) {
      throw storageFault(error, 'The run was not begun.')
    }
    await savePrivate(join(folder, 'run.json'), [JSON.stringify(run)])
  }

  /** Runs of an account, the newest first. What is no run, or of a later version, is left alone. @throws FaultError `storage` */
  async runs(accountId: string): Promise<RunRecord[]> {
    const names = await this.#names(accountId)
    return this.#readAll(
      accountId,
      names.filter((name) => !name.startsWith(asideMark)),
    )
  }

  /** Runs that `bringBack` shows again, the newest first. @throws FaultError `storage` */
  async asideRuns(accountId: string): Promise<RunRecord[]> {
    const names = await this.#names(accountId)
    return this.#readAll(
      accountId,
      names.filter((name) => name.startsWith(asideMark)),
    )
  }

  /** Ids of all runs that are not gone for good: shown or put aside, readable or not. @throws FaultError `storage` */
  async ids(accountId: string): Promise<ReadonlySet<string>> {
    const names = await this.#names(accountId)
    return new Set(names.map((name) => (name.startsWith(asideMark) ? name.slice(asideMark.length) : name)))
  }

  /** The run as it stands on disk; undefined where nothing of it is there. @throws FaultError `storage` */
  read(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<RunRecord | undefined> {
    return this.#read(join(this.folderOf(run), 'run.json'))
  }

  /** By report, the newest run whose whole file is still there. @throws FaultError `storage` */
  async newestByReport(accountId: string): Promise<Map<string, RunRecord>> {
    const newest = new Map<string, RunRecord>()
    for (const run of await this.runs(accountId)) {
      const { reportId, state } = run
      if (reportId === undefined || newest.has(reportId) || state !== 'kept') continue
      if (await this.hasFile(run)) newest.set(reportId, run)
    }
    return newest
  }

  /** Takes a run and its file off this computer. @throws FaultError `storage` */
  async remove(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<void> {
    try {
      await rm(this.folderOf(run), { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'The file is still there.')
    }
  }

  /** Hides a run and its file, which `bringBack` shows again until `clear`. @throws FaultError `storage` */
  async putAside(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<void> {
    try {
      await rename(this.folderOf(run), this.#asideOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw storageFault(error, 'The file is still there.')
    }
  }

  /** @returns the run; undefined where nothing of it is there any more. @throws FaultError `storage` */
  async bringBack(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<RunRecord | undefined> {
    try {
      await rename(this.#asideOf(run), this.folderOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw storageFault(error, 'It is still taken off.')
    }
    return this.#read(join(this.folderOf(run), 'run.json'))
  }

  /** Removes what was put aside. */
  async clear(accountId: string): Promise<void> {
    const folder = join(this.#folder, folderName(accountId))
    const names = await readdir(folder).catch((): string[] => [])
    for (const name of names)
      if (name.startsWith(asideMark))
        await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
  }

  async #names(accountId: string): Promise<string[]> {
    try {
      return await readdir(join(this.#folder, folderName(accountId)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw storageFault(error, 'Nothing was changed.')
    }
  }

  async #readAll(accountId: string, names: readonly string[]): Promise<RunRecord[]> {
    const folder = join(this.#folder, folderName(accountId))
    const found = await Promise.all(names.map((name) => this.#read(join(folder, name, 'run.json'))))
    return found.filter((run): run is RunRecord => run?.accountId === accountId).sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  #asideOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#folder, folderName(accountId), asideMark + id)
  }

  /** Everything of an account that was removed. @throws FaultError `storage` */
  async removeAccount(accountId: string): Promise<void> {
    try {
      await rm(join(this.#folder, folderName(accountId)), { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'Files of its reports are still there.')
    }
  }

  /** Where what belongs to an account and no run is kept. */
  accountFile(accountId: string, name: string): string {
    return join(this.#folder, folderName(accountId), name)
  }

  async #read(path: string): Promise<RunRecord | undefined> {
    try {
      const read = runRecordSchema.safeParse(JSON.parse(await readFile(path, 'utf8')))
      return read.success ? read.data : undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A folder whose run was never noted, a file that was damaged: neither keeps the others from being read.
      if (code === 'ENOENT' || code === 'ENOTDIR' || error instanceof SyntaxError) return undefined
      throw error instanceof FaultError ? error : storageFault(error, 'Nothing was changed.')
    }
  }
}

/** Before the name of a run's folder that people took off and may want again. */
const asideMark = '.aside-'

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Ids of accounts come from a file, which must not lead out of the folder. */
const folderName = (accountId: string): string => encodeURIComponent(accountId).replaceAll('.', '%2E')
