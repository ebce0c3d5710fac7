import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError, type Fault } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { privateFolder } from '../disk/private'
import { isRunning } from '../processes/running-process'

/** Milliseconds after which two processes that take over a stale lock see each other. */
const settling = 40
/** Locks of this process. A killed process with the same PID may have left a stale one. */
const ownLocks = new Set<string>()

const busy: Fault = {
  code: 'conflict',
  reason: 'heldElsewhere',
  message: 'Another Flightplan process is working on this run.',
}
/** Error while another process moves the files of all runs. */
export const moveInProgress: Fault = {
  code: 'conflict',
  reason: 'heldElsewhere',
  message: 'Waiting for report files to be moved to another folder.',
}
export const isLockedElsewhere = ({ reason }: Fault): boolean => reason === busy.reason

/**
 * Locks a run's folder, because the app and the report command may find the same unfinished run. A lock of a dead
 * process is stale. @returns a function that unlocks it. @throws FaultError `conflict` while another process has it,
 * `storage`
 */
export async function lockRun(folder: string): Promise<() => Promise<void>> {
  const mark = join(folder, 'under-way')
  const own = `${process.pid} ${randomBytes(8).toString('hex')}`
  if (ownLocks.has(mark)) throw new FaultError(busy)
  ownLocks.add(mark)
  try {
    await privateFolder(folder)
    if (!(await made(mark, own)) && !(await takenOver(mark, own))) throw new FaultError(busy)
  } catch (error) {
    ownLocks.delete(mark)
    throw storageFault(error, 'The run is unchanged.')
  }
  return async () => {
    // The folder may have been moved or deleted since.
    if ((await holder(mark)) === own) await rm(mark, { force: true }).catch(() => undefined)
    ownLocks.delete(mark)
  }
}

/** True if any process, including this one, holds the lock. */
export async function isLocked(folder: string): Promise<boolean> {
  const mark = join(folder, 'under-way')
  const pid = Number.parseInt((await holder(mark)) ?? '', 10)
  return ownLocks.has(mark) || (pid > 0 && pid !== process.pid && isRunning(String(pid)))
}

/** Removes a lock that must be stale, even if its PID is in use again. */
export const breakLock = (folder: string): Promise<void> => rm(join(folder, 'under-way'), { force: true })

const holder = (mark: string): Promise<string | undefined> => readFile(mark, 'utf8').catch(() => undefined)

async function made(mark: string, own: string): Promise<boolean> {
  try {
    await writeFile(mark, own, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function takenOver(mark: string, own: string): Promise<boolean> {
  const pid = Number.parseInt((await holder(mark)) ?? '', 10)
  if (pid > 0 && pid !== process.pid && isRunning(String(pid))) return false
  const beside = `${mark}.${randomBytes(4).toString('hex')}`
  await writeFile(beside, own, { flag: 'wx', mode: 0o600 })
  await rename(beside, mark)
  await new Promise((resolve) => setTimeout(resolve, settling))
  return (await holder(mark)) === own
}
