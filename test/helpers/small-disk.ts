// Makes a folder a small disk. Writes beyond its size fail as on a real full disk, in every process. `npm run test:all` mounts
// a real one if the system allows it.
import { spawnSync } from 'node:child_process'
import fs, { type PathLike } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outer } from './ring'

export interface SmallDisk {
  /** Node arguments that apply the limit in a child program. They load TypeScript. */
  readonly execArgv: readonly string[]
  /** Makes the disk read-only. */
  readOnly(): void
  /** Restores the folder to the normal disk, without the small one's content if that was real. */
  remove(): void
}

const page = 4_096

/** Makes `folder` a disk of `room` bytes, a multiple of 4,096. */
export function smallDisk(folder: string, room: number): SmallDisk {
  const mounted = outer && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${room}`, 'tmpfs', folder]).status === 0
  return mounted ? realDisk(folder) : simulatedDisk(folder, room)
}

const realDisk = (folder: string): SmallDisk => ({
  execArgv: [],
  readOnly: () => void spawnSync('mount', ['-o', 'remount,ro', folder]),
  remove: () => void spawnSync('umount', [folder]),
})

/** While it exists, the disk is read-only for all processes. */
const markerOf = (folder: string): string => `${folder}.read-only`

function simulatedDisk(folder: string, room: number): SmallDisk {
  const { open } = fs.promises
  const replaceOpen = (by: typeof open): void => {
    fs.promises.open = by
    syncBuiltinESMExports()
  }
  replaceOpen(async (path, flags, mode) => {
    if (!within(folder, path)) return open(path, flags, mode)
    const writes = flags !== undefined && flags !== 'r'
    if (writes && fs.existsSync(markerOf(folder)))
      throw Object.assign(new Error('EROFS: read-only file system, open'), { code: 'EROFS' })
    const file = await open(path, flags, mode)
    return writes ? limited(file, () => room - taken(folder)) : file
  })
  const helper = pathToFileURL(import.meta.filename).href
  const program = `import { smallDisk } from ${JSON.stringify(helper)}; smallDisk(${JSON.stringify(folder)}, ${room})`
  return {
    execArgv: ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(program)}`],
    readOnly: () => fs.writeFileSync(markerOf(folder), ''),
    remove: () => {
      replaceOpen(open)
      fs.rmSync(markerOf(folder), { force: true })
    },
  }
}

/** A file that accepts bytes until the disk is full. */
function limited(file: FileHandle, free: () => number): FileHandle {
  const write = file.write.bind(file) as (
    bytes: Uint8Array,
    offset: number,
    length: number,
    position?: number | null,
  ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>
  const some: typeof write = async (bytes, offset = 0, length = bytes.byteLength - offset, position = null) => {
    const { size } = await file.stat()
    // No other file can use the rest of the file's last page.
    const left = free() + (Math.ceil(size / page) * page - size)
    const fits = Math.min(length, Math.max(0, left))
    if (fits === 0 && length > 0)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    return write(bytes, offset, fits, position)
  }
  const whole = async (data: string | Uint8Array): Promise<void> => {
    const bytes = Buffer.from(data as Uint8Array)
    for (let at = 0; at < bytes.length;) at += (await some(bytes, at, bytes.length - at)).bytesWritten
  }
  return Object.assign(file, { write: some, writeFile: whole, appendFile: whole })
}

const within = (folder: string, path: PathLike): boolean => resolve(String(path)).startsWith(resolve(folder) + sep)

/** The bytes of full pages used by a folder's files. */
function taken(folder: string): number {
  let sum = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    sum += entry.isDirectory() ? taken(path) : Math.ceil(fs.lstatSync(path).size / page) * page
  }
  return sum
}
