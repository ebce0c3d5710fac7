import { FaultError } from '#shared/fault'

/** What keeps a disk from taking or giving something, by the names that systems and browsers give it. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of this computer is full',
  QuotaExceededError: 'The disk of this computer is full',
  EDQUOT: 'Your share of this disk is used up',
  EROFS: 'This disk can only be read, not written',
  EACCES: 'This computer does not let Flightplan use that place',
  EPERM: 'This computer does not let Flightplan use that place',
  ENOENT: 'The place is not there any more',
  ENOTDIR: 'Part of the path is a file where a folder is needed',
  EISDIR: 'There is a folder where a file is needed',
  EEXIST: 'There is a file where a folder is needed',
  EIO: 'The disk reports a fault',
  // What IndexedDB says on a full disk, and hardly ever otherwise.
  AbortError: 'The database on this computer took nothing, most often because the disk is full',
  UnknownError: 'The database on this computer could not be used, most often because the disk is full',
  EBUSY: 'Another program holds the file',
  EMFILE: 'Too many files are open on this computer',
  ENFILE: 'Too many files are open on this computer',
  ENAMETOOLONG: 'The name is too long for this disk',
  ETIMEDOUT: 'The disk does not answer',
}

const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room and try again.',
  QuotaExceededError: 'Make room and try again.',
  EDQUOT: 'Make room and try again.',
  EROFS: 'Make it writable, or choose another place.',
  EACCES: 'Change who may use it, or choose another place.',
  EPERM: 'Change who may use it, or choose another place.',
  EIO: 'Check the disk.',
  AbortError: 'Make room and try again.',
  UnknownError: 'Make room and try again.',
  EBUSY: 'Close that program and try again.',
}

/** The name of an error of a disk or a database, wherever it is kept; '' when it has none. */
export function storageReason(error: unknown): string {
  const found = error as Partial<Record<'code' | 'name' | 'inner' | 'cause' | 'failures', unknown>> | null | undefined
  if (typeof found !== 'object' || found === null) return ''
  if (typeof found.code === 'string') return found.code
  const first: unknown = Array.isArray(found.failures) ? found.failures[0] : undefined
  const inner = storageReason(found.inner) || storageReason(first) || storageReason(found.cause)
  if (inner in reasons) return inner
  return typeof found.name === 'string' && found.name !== 'Error' ? found.name : inner
}

/**
 * A failure of this computer's disk in words: what is wrong, what was kept (a sentence, from the caller), what to do.
 * An error that is no failure of a disk keeps its own text.
 */
export function storageWords(error: unknown, kept: string): string {
  const name = storageReason(error)
  const what = reasons[name] ?? `This computer could not keep it (${textOf(error) || name || 'no reason was given'})`
  return [`${what}.`, kept, advice[name] ?? ''].filter(Boolean).join(' ')
}

/** The same as a fault; `reason` carries the error's name. A fault stays as it is. */
export function storageFault(error: unknown, kept: string): FaultError {
  if (error instanceof FaultError) return error
  const reason = storageReason(error)
  return new FaultError(
    { code: 'storage', message: storageWords(error, kept), ...(reason && { reason }) },
    { cause: error },
  )
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error ?? ''))
