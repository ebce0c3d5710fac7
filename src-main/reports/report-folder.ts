import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { FaultError, faultOf, type Fault } from '#shared/fault'
import { keepSchema, usualKeep, type Keep } from '#shared/reports/report-files'
import { storageFault, storageReason } from '#shared/storage-words'
import { flushFolder, savePrivate } from '../disk/private'
import { missingFolder } from './export-rules-files'
import type { FilePlace } from './file-place'
import { accountIn } from './run-folders'

/** What lies in a chosen folder and says whose files are in it: a folder where a disk would be has none. */
export const markName = '.flightplan-report-files'

/** The folder that is made in a chosen one that holds other things. */
export const folderName = 'Flightplan reports'

const path = z.string().max(4_096).refine(isAbsolute)
const settingSchema = z.object({
  version: z.literal(1),
  /** By which the folder is known again. */
  library: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Absent: beside everything else. */
  folder: path.optional(),
  keep: keepSchema.default(usualKeep),
  /** Where files may be still: those they are taken to, or were taken from. */
  left: z.array(path).max(100).default([]),
  /** Folders of accounts that were removed while the disk was away. They're deleted with all they hold, so nothing else may be named here. */
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
  /** Of this folder alone, by whatever name it is reached. */
  place: z.string().optional(),
})
type Mark = z.output<typeof markSchema>

/** Whether something waits because the folder of files is not there. */
export const isFolderAway = ({ reason }: Fault): boolean => reason === 'folderAway'

/** Where files of runs are kept and how many, as people chose it; the same for the app and its command. */
export class ReportFolder implements FilePlace {
  /** Beside everything else of Flightplan. */
  readonly usual: string
  readonly #path: string
  #setting: Setting = unset
  /** Why the setting cannot be read. */
  #trouble = ''
  #order: Promise<unknown> = Promise.resolve()

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

  /** Another process may have changed it. What cannot be read keeps everything from being written, see `need`. */
  reread(): Promise<void> {
    return this.#inOrder(() => this.#read())
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
        : `Couldn’t read ${this.#path}, so the report files folder is unknown. The file is unchanged. Move it away to use the default folder.`
    }
  }

  /** Why nothing can be kept now, in a sentence; undefined where it can. */
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
        : `The folder ${root} contains files of another Flightplan installation.`
    } catch (error) {
      return faultOf(error).message
    }
  }

  /** @throws FaultError `storage` where nothing can be kept now */
  async need(): Promise<void> {
    const away = await this.away()
    if (away === undefined) return
    const message = `${away} New results wait until it’s available again or you choose another folder.`
    throw new FaultError({ code: 'storage', message: this.#trouble === '' ? message : away, reason: 'folderAway' })
  }

  /** Whether a folder is there and bears the mark of this Flightplan. The usual one needs none. */
  async isOurs(root: string): Promise<boolean> {
    if (root === this.usual) return true
    const found = await this.#markIn(root)
    return found !== undefined && found === this.#setting.library
  }

  /** Whether a folder bears the mark of another Flightplan. */
  async isOthers(root: string): Promise<boolean> {
    const found = await this.#markIn(root)
    return found !== undefined && found !== this.#setting.library
  }

  /** Whether two names lead to one folder: by a link, or as a disk that is there twice. @throws FaultError `storage` */
  async isSame(one: string, other: string): Promise<boolean> {
    const [found, wanted] = await Promise.all([one, other].map((path) => identity(path)))
    if (found !== undefined && found === wanted) return true
    const [mark, there] = await Promise.all([this.#readMark(one), this.#readMark(other)])
    return mark?.place !== undefined && mark.place === there?.place
  }

  /** Makes a folder known again, as one that may hold files. @throws FaultError `storage` */
  async claim(root: string): Promise<void> {
    const library = this.#setting.library ?? randomBytes(16).toString('hex')
    const known = this.left.includes(root)
    // First, so that whatever is left half done there is found again.
    await this.#change(({ left, ...rest }) => ({ ...rest, library, left: [...without(left, root), root] }))
    if (root === this.usual) return
    try {
      const mark: Mark = { version: 1, library, place: randomBytes(16).toString('hex') }
      await savePrivate(join(root, markName), [`${JSON.stringify(mark)}\n`])
      await flushFolder(root)
    } catch (error) {
      if (!known) await this.letGo(root)
      throw error
    }
  }

  /** From here on files are there: in one step, with what holds some still. @throws FaultError `storage` */
  turnTo(root: string): Promise<void> {
    return this.#change(({ folder, left, ...rest }) => {
      const before = folder ?? this.usual
      return {
        ...rest,
        ...(root !== this.usual && { folder: root }),
        left: before === root ? without(left, root) : [...without(without(left, root), before), before],
      }
    })
  }

  /** Nothing of ours is there any more. @throws FaultError `storage` */
  letGo(root: string): Promise<void> {
    return this.#change((setting) => ({ ...setting, left: without(setting.left, root) }))
  }

  /** @throws FaultError `storage` */
  keepSo(keep: Keep): Promise<void> {
    return this.#change((setting) => ({ ...setting, keep }))
  }

  /** An account is gone whose files could not be taken off. @throws FaultError `storage` */
  owe(account: string): Promise<void> {
    return this.#change((setting) => ({ ...setting, removed: [...without(setting.removed, account), account] }))
  }
  /** @throws FaultError `storage` */
  owed(): Promise<void> {
    return this.#change((setting) => ({ ...setting, removed: [] }))
  }

  #change(change: (setting: Setting) => Setting): Promise<void> {
    return this.#inOrder(async () => {
      // Written over, what a later version knows would be lost.
      if (this.#trouble !== '') throw new FaultError({ code: 'storage', message: this.#trouble })
      const next = change(this.#setting)
      await savePrivate(this.#path, [JSON.stringify(next)])
      await flushFolder(dirname(this.#path))
      this.#setting = next
    })
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#order.then(work, work)
    this.#order = next.catch(() => undefined)
    return next
  }

  /** @returns whose files are there, '' where that cannot be told; undefined without a mark */
  async #markIn(root: string): Promise<string | undefined> {
    return (await this.#readMark(root))?.library
  }

  /** Of nobody where it cannot be made out. */
  async #readMark(root: string): Promise<Mark | undefined> {
    try {
      const read = markSchema.safeParse(JSON.parse(await readFile(join(root, markName), 'utf8')))
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

/** What a folder is to its system; undefined where none is there. */
async function identity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found && `${found.dev} ${found.ino}`
}

const without = (all: readonly string[], one: string): string[] => all.filter((other) => other !== one)
