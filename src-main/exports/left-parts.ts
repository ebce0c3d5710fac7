import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../processes/running-process'

/** Identifies this computer, because others may write to the same network folder. */
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 6)

/** Parts made by this process. In a container, a killed process may have had the same process ID. */
const own = new Set<string>()

/** Hidden name of a file while it's written, including its writer. */
export function partName(name: string): string {
  const start = Buffer.from(name)
    .subarray(0, 90)
    .toString()
    .replace(/\ufffd+$/, '')
  const part = `.${start}.${host}-${process.pid}.${randomBytes(6).toString('hex')}.part`
  own.add(part)
  return part
}

const ours = new RegExp(`^\\.[^/]+\\.${host}-(\\d+)\\.[0-9a-f]{12}\\.part$`)

/**
 * Deletes partial files of processes on this computer that ended while writing.
 * @returns the number of deleted files
 */
export async function clearLeftParts(folder: string): Promise<number> {
  // A missing or unreadable folder has nothing to delete.
  const names = await readdir(folder).catch(() => [])
  const left = names.filter((name) => {
    const pid = ours.exec(name)?.[1]
    if (pid === undefined) return false
    return Number(pid) === process.pid ? !own.has(name) : !isRunning(pid)
  })
  const cleared = await Promise.all(
    left.map((name) =>
      rm(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return cleared.filter(Boolean).length
}
