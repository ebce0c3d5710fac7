import { safeParse } from '#shared/safe-parse'
import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { FaultError, faultOf, type Fault } from '#shared/fault'
import { keepSchema, usualKeep, type Keep } from '#shared/reports/report-files'
import { SerialQueue } from '#shared/serial-queue'
import { storageFault, storageReason } from '#shared/storage-words'
import { flushFolder, savePrivate } from '../disk/private'
import { missingFolder } from './export-rules-files'
import type { FilePlace } from './file-place'
import { accountIn } from './run-folders'

/** Marker file that identifies the owner of a folder. An empty mount point has none. */
export const markName = '.flightplan-report-files'

/** Subfolder to create if the chosen folder isn't empty. */
export const folderName = 'Flightplan reports'

const path = z.string().max(4_096).refine(isAbsolute)
const settingSchema = z.object({
  version: z.literal(1),
  /** ID in the marker file. */
  library: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Absent for the default folder. */
  folder: path.optional(),
  keep: keepSchema.default(usualKeep),
  /** Folders that may still contain files, because a move to or from them didn't finish. */
  left: z.array(path).max(100).default([]),
  /**
   * Folders of accounts removed while the disk was away. They're deleted recursively, so nothing else may be listed
   * here.
   */
  removed: z
    .array(
      z
        .string()
        .max(1_000)
        .refine((name) => accountIn(name) !== undefined),
    )
    .max(10_000)
    .default([]),
})
type Setting = z.output<typeof settingSchema>
const unset: Setting = { version: 1, keep: usualKeep, left: [], removed: [] }

const markSchema = z.object({
  version: z.literal(1),
  library: z.string(),
  /** File system identity of this folder, whatever path leads to it. */
  place: z.string().optional(),
})
type Mark = z.output<typeof markSchema>

/** True if the report files folder isn't available. */
export const isFolderAway = ({ reason }: Fault): boolean => reason === 'folderAway'

/** Setting for the report files folder and the number of files to keep. The app and the report command share it. */
export class ReportFolder implements FilePlace {
  /** Default folder, next to Flightplan's other data. */
  readonly usual: string
  readonly #path: string
  #setting: Setting = unset
  /** Reason why the setting can't be read, or '' if it can. */
  #trouble = ''
  readonly #order = new SerialQueue()

  private constructor(userData: string) {
    this.usual = join(userData, 'reports')
    this.#path = join(userData, 'report-files.json')
  }

  static async open(userData: string): Promise<ReportFolder> {
    const folder = new ReportFolder(userData)
    await folder.reread()
    return folder
  }

  get root(): string {
    return this.#setting.folder ?? this.usual
  }
  get keep(): Keep {
    return this.#setting.keep
  }
  get left(): readonly string[] {
    return this.#setting.left
  }
  get removed(): readonly string[] {
    return this.#setting.removed
  }

  /** Reads the setting again, because another process may have changed it. If that fails, `need` blocks all writes. */
  reread(): Promise<void> {
    return this.#order.run(() => this.#read())
  }

  async #read(): Promise<void> {
    try {
      this.#setting = settingSchema.parse(JSON.parse(await readFile(this.#path, 'utf8')))
      this.#trouble = ''
    } catch (error) {
      const missing = storageReason(error) === 'ENOENT'
      if (missing) this.#setting = unset
      this.#trouble = missing
        ? ''
        : `Couldn’t read ${this.#path}, so the report files folder is unknown. The file is unchanged. Move it elsewhere to use the default folder.`
    }
  }

  /** A sentence on why files can't be stored now, or undefined. */
  async away(): Promise<string | undefined> {
    if (this.#trouble !== '') return this.#trouble
    const { root } = this
    if (root === this.usual) return undefined
    const missing = await missingFolder(root)
    if (missing !== undefined) return missing
    try {
      const found = await this.#markIn(root)
      if (found === undefined) return `The folder ${root} has no report files. Its disk may not be connected.`
      return found === this.#setting.library
        ? undefined
        : `The folder ${root} contains files from another Flightplan installation.`
    } catch (error) {
      return faultOf(error).message
    }
  }

  /** @throws FaultError `storage` if files can't be stored now */
  async need(): Promise<void> {
    const away = await this.away()
    if (away === undefined) return
    const message = `${away} New results wait until it’s available again or you choose another folder.`
    throw new FaultError({ code: 'storage', message: this.#trouble === '' ? message : away, reason: 'folderAway' })
  }

  /** True if a folder exists and has this installation's marker. The default folder needs none. */
  async isOurs(root: string): Promise<boolean> {
    if (root === this.usual) return true
    const found = await this.#markIn(root)
    return found !== undefined && found === this.#setting.library
  }

  /** True if a folder has the marker of another installation. */
  async isOthers(root: string): Promise<boolean> {
    const found = await this.#markIn(root)
    return found !== undefined && found !== this.#setting.library
  }

  /** True if two paths lead to the same folder, through a link or a disk mounted twice. @throws FaultError `storage` */
  async isSame(one: string, other: string): Promise<boolean> {
    const [found, wanted] = await Promise.all([one, other].map((path) => identity(path)))
    if (found !== undefined && found === wanted) return true
    const [mark, there] = await Promise.all([this.#readMark(one), this.#readMark(other)])
    return mark?.place !== undefined && mark.place === there?.place
  }

  /** Writes the marker, and lists the folder as one that may contain files. @throws FaultError `storage` */
  async claim(root: string): Promise<void> {
    const library = this.#setting.library ?? randomBytes(16).toString('hex')
    const known = this.left.includes(root)
    // First, so that an interrupted move is found again.
    await this.#change(({ left, ...rest }) => ({ ...rest, library, left: [...without(left, root), root] }))
    if (root === this.usual) return
    try {
      const mark: Mark = { version: 1, library, place: randomBytes(16).toString('hex') }
      await savePrivate(join(root, markName), [`${JSON.stringify(mark)}\n`])
      await flushFolder(root)
    } catch (error) {
      if (!known) await this.removeLeft(root)
      throw error
    }
  }

  /**
   * Makes `root` the current folder, in one write with the folders that still contain files.
   * @throws FaultError `storage`
   */
  setCurrent(root: string): Promise<void> {
    return this.#change(({ folder, left, ...rest }) => {
      const before = folder ?? this.usual
      return {
        ...rest,
        ...(root !== this.usual && { folder: root }),
        left: before === root ? without(left, root) : [...without(without(left, root), before), before],
      }
    })
  }

  /** Forgets a folder that no longer contains report files. @throws FaultError `storage` */
  removeLeft(root: string): Promise<void> {
    return this.#change((setting) => ({ ...setting, left: without(setting.left, root) }))
  }

  /** @throws FaultError `storage` */
  setRetention(keep: Keep): Promise<void> {
    return this.#change((setting) => ({ ...setting, keep }))
  }

  /** Remembers to delete a removed account's files, which are out of reach now. @throws FaultError `storage` */
  noteRemoved(account: string): Promise<void> {
    return this.#change((setting) => ({ ...setting, removed: [...without(setting.removed, account), account] }))
  }
  /** @throws FaultError `storage` */
  clearRemoved(): Promise<void> {
    return this.#change((setting) => ({ ...setting, removed: [] }))
  }

  #change(change: (setting: Setting) => Setting): Promise<void> {
    return this.#order.run(async () => {
      // Overwriting the file would lose data of a newer version.
      if (this.#trouble !== '') throw new FaultError({ code: 'storage', message: this.#trouble })
      const next = change(this.#setting)
      await savePrivate(this.#path, [JSON.stringify(next)])
      await flushFolder(dirname(this.#path))
      this.#setting = next
    })
  }

  /** @returns the ID of the owner, '' if it's unreadable, or undefined without a marker */
  async #markIn(root: string): Promise<string | undefined> {
    return (await this.#readMark(root))?.library
  }

  /** Reads the marker. An unreadable one has no owner. */
  async #readMark(root: string): Promise<Mark | undefined> {
    try {
      const read = safeParse(markSchema, JSON.parse(await readFile(join(root, markName), 'utf8')))
      return read.success ? read.data : nobodys
    } catch (error) {
      if (error instanceof SyntaxError) return nobodys
      const reason = storageReason(error)
      if (reason === 'ENOENT' || reason === 'ENOTDIR') return undefined
      throw storageFault(error, 'Nothing changed.')
    }
  }
}

const nobodys: Mark = { version: 1, library: '' }

/** File system identity of a folder, or undefined if it doesn't exist. */
async function identity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found && `${found.dev} ${found.ino}`
}

const without = (all: readonly string[], one: string): string[] => all.filter((other) => other !== one)
