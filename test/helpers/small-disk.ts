// A folder that is a small disk of its own. Every process may make one: writes beyond its room fail as the system would
// fail them. `npm run test:all` mounts a real one where the system allows it.
import { spawnSync } from 'node:child_process'
import fs, { type PathLike } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outer } from './ring'

export interface SmallDisk {
  /** Arguments for Node that make the disk as small for a program as it is here. The program loads TypeScript. */
  readonly execArgv: readonly string[]
  /** From now on nothing can be written to it. */
  readOnly(): void
  /** The folder is on the usual disk again, with nothing of what the small one had where that was real. */
  remove(): void
}

const page = 4_096

/** Makes `folder` a disk of `room` bytes, a multiple of 4,096. */
export function smallDisk(folder: string, room: number): SmallDisk {
  const mounted = outer && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${room}`, 'tmpfs', folder]).status === 0
  return mounted ? realDisk(folder) : pretendedDisk(folder, room)
}

const realDisk = (folder: string): SmallDisk => ({
  execArgv: [],
  readOnly: () => void spawnSync('mount', ['-o', 'remount,ro', folder]),
  remove: () => void spawnSync('umount', [folder]),
})

/** Every process that knows of the disk reads from this file's presence that nothing can be written. */
const markerOf = (folder: string): string => `${folder}.read-only`

function pretendedDisk(folder: string, room: number): SmallDisk {
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
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(program)}`],
    readOnly: () => fs.writeFileSync(markerOf(folder), ''),
    remove: () => {
      replaceOpen(open)
      fs.rmSync(markerOf(folder), { force: true })
    },
  }
}

/** A file that takes the bytes there is room for, and none once the disk is full. */
function limited(file: FileHandle, free: () => number): FileHandle {
  const write = file.write.bind(file) as (
    bytes: Uint8Array,
    offset: number,
    length: number,
    position?: number | null,
  ) => Promise<{ bytesWritten: number; buffer: Uint8Array }>
  const some: typeof write = async (bytes, offset = 0, length = bytes.byteLength - offset, position = null) => {
    const { size } = await file.stat()
    // The last page of the file has room that no other file can take.
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

/** The bytes of whole pages that the files of a folder take. */
function taken(folder: string): number {
  let sum = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    sum += entry.isDirectory() ? taken(path) : Math.ceil(fs.lstatSync(path).size / page) * page
  }
  return sum
}
