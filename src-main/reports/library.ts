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
import { beingMoved, holdRun, isHeld } from './run-hold'
import { runRecordSchema, type RunRecord } from './run-record'

export interface DamagedRun {
  id: string
  path: string
}

const damagedFile = ({ name }: RunRecord, path: string): FaultError =>
  new FaultError({
    code: 'storage',
    message: `The file of “${name}” changed after it was downloaded. Run the report again. The changed file is ${path}.`,
    reason: 'damagedFile',
  })

async function isDamaged(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  try {
    const read: unknown = JSON.parse(text)
    const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined
    return (version === undefined || version === 1) && !runRecordSchema.safeParse(read).success
  } catch {
    return true
  }
}

/**
 * Runs and their files on this computer: a folder for each account, in it one for each run with `run.json`; what came of it
 * is in that folder too, or in one of the same name elsewhere. A run is known from its own folder alone, so none is lost
 * with another.
 */
export class Library {
  readonly #folder: string
  readonly #place: FilePlace

  /** Without a place files are with their runs. */
  constructor(folder: string, place: FilePlace = besides(folder)) {
    this.#folder = folder
    this.#place = place
  }

  /** Where runs are known from, whatever the place of their files. */
  get folder(): string {
    return this.#folder
  }

  /** Its id sorts by the moment it was asked for. */
  static newId(now: number): string {
    return `${String(Math.max(0, now)).padStart(14, '0')}-${randomBytes(4).toString('hex')}`
  }

  folderOf({ accountId, id }: Pick<RunRecord, 'accountId' | 'id'>): string {
    return join(this.#folder, folderName(accountId), runFolderName(id))
  }

  /** Where files of a run are that is shown or put aside, if `root` is their place. */
  filesUnder(root: string, { account, name }: RunFolder): string {
    return join(root, account, root === this.#folder ? name : bareId(name))
  }

  /** The whole file of a run that is kept. */
  fileOf(run: RunRecord): string {
    return join(this.#filesOf(run), `report.${run.format}`)
  }

  /** @throws FaultError `storage` where files cannot be kept now */
  need(): Promise<void> {
    return this.#place.need()
  }

  /** Makes the folder that the file of a run comes to, in a place that is there. @throws FaultError `storage` */
  async ready(run: RunRecord): Promise<void> {
    await this.need()
    const folder = this.#filesOf(run)
    try {
      // Not the folders above: a disk that is gone at this moment is not to be replaced by a folder of its name.
      if (folder !== this.folderOf(run)) for (const one of [dirname(folder), folder]) await madeIn(one)
    } catch (error) {
      throw storageFault(error, 'The results download later.')
    }
  }

  /**
   * Keeps other processes from a run, and its file where it is. @returns what lets it go. @throws FaultError `conflict` while another
   * one has it or files are being moved, `storage`
   */
  async hold(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<() => Promise<void>> {
    const letGo = await holdRun(this.folderOf(run))
    try {
      // In this order: whoever moves files looks for runs that are held once others can see that files are moved.
      if (await isHeld(this.#folder)) throw new FaultError(beingMoved)
      await this.#place.reread()
      return letGo
    } catch (error) {
      await letGo()
      throw error
    }
  }

  /** Keeps every process from beginning with a run. @returns what lets them. @throws FaultError `conflict`, `storage` */
  async holdAll(): Promise<() => Promise<void>> {
    const letGo = await holdRun(this.#folder)
    try {
      for (const { account, name } of await this.folders())
        if (await isHeld(join(this.#folder, account, name)))
          throw new FaultError({
            code: 'conflict',
            message: 'A Flightplan command is downloading a report. Wait for it to finish, then try again.',
          })
      return letGo
    } catch (error) {
      await letGo()
      throw error
    }
  }

  /** Whether that file is there still. */
  hasFile(run: RunRecord): Promise<boolean> {
    return run.state === 'kept' ? isFile(this.fileOf(run)) : Promise.resolve(false)
  }

  /**
   * Looks whether the file of a run is still what was downloaded: by its bytes, and by its hash where one was noted.
   * @throws FaultError `storage` where it isn't, or can't be read
   */
  async checkFile(run: RunRecord): Promise<void> {
    const path = this.fileOf(run)
    try {
      const { size } = await stat(path)
      if (run.bytes !== undefined && size !== run.bytes) throw damagedFile(run, path)
      if (run.sha256 !== undefined && (await sha256Of(path)) !== run.sha256) throw damagedFile(run, path)
    } catch (error) {
      throw storageFault(error, 'Nothing was written.')
    }
  }

  /** Runs whose record can't be read, with its path. What a later version wrote is none of them. @throws FaultError `storage` */
  async damaged(accountId: string): Promise<DamagedRun[]> {
    const folder = join(this.#folder, folderName(accountId))
    const found: DamagedRun[] = []
    for (const id of await foldersIn(folder)) {
      const path = join(folder, id, 'run.json')
      if (runIdSchema.safeParse(id).success && (await isDamaged(path))) found.push({ id, path })
    }
    return found
  }

  /** Where a piece of the file is gathered. */
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
      throw storageFault(error, 'The run didn’t start.')
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
    return new Set(names.map(bareId))
  }

  /** Folders of all runs of all accounts that are not gone for good, readable or not. @throws FaultError `storage` */
  async folders(): Promise<RunFolder[]> {
    const found: RunFolder[] = []
    for (const account of await foldersIn(this.#folder))
      for (const name of await foldersIn(join(this.#folder, account))) found.push({ account, name })
    return found
  }

  /** Ids of accounts that have runs here; a folder that somebody else put here is none. @throws FaultError `storage` */
  async accounts(): Promise<string[]> {
    return (await foldersIn(this.#folder)).flatMap((name) => accountIn(name) ?? [])
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
    await this.need()
    try {
      for (const folder of new Set([this.#filesOf(run), this.folderOf(run)]))
        await rm(folder, { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'The file wasn’t deleted.')
    }
  }

  /** Hides a run and its file, which `bringBack` shows again until `clear`. @throws FaultError `storage` */
  async putAside(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<void> {
    try {
      await rename(this.folderOf(run), this.#asideOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw storageFault(error, 'The file wasn’t deleted.')
    }
  }

  /** @returns the run; undefined where nothing of it is there any more. @throws FaultError `storage` */
  async bringBack(run: Pick<RunRecord, 'accountId' | 'id'>): Promise<RunRecord | undefined> {
    try {
      await rename(this.#asideOf(run), this.folderOf(run))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw storageFault(error, 'The run is still deleted.')
    }
    return this.#read(join(this.folderOf(run), 'run.json'))
  }

  /** Removes what was put aside, unless its files are out of reach: then later. */
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
      // The next start tries again.
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

  /** Everything of an account that was removed. @throws FaultError `storage` */
  async removeAccount(accountId: string): Promise<void> {
    const account = folderName(accountId)
    const { root } = this.#place
    try {
      if (root !== this.#folder) {
        const away = await this.need().then(
          () => false,
          () => true,
        )
        if (away) await this.#place.owe(account)
        else await rm(join(root, account), { recursive: true, force: true })
      }
      await rm(join(this.#folder, account), { recursive: true, force: true })
    } catch (error) {
      throw storageFault(error, 'Its report files weren’t deleted.')
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
      throw error instanceof FaultError ? error : storageFault(error, 'Nothing changed.')
    }
  }
}
