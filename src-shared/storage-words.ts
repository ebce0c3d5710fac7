import { FaultError } from '#shared/fault'

/** Reasons why a disk failed, by the error names of systems and browsers. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'Your disk is full',
  QuotaExceededError: 'Your disk is full',
  EDQUOT: 'You’ve reached your quota on this disk',
  EROFS: 'This disk is read-only',
  EACCES: 'Flightplan doesn’t have permission to use this location',
  EPERM: 'Flightplan doesn’t have permission to use this location',
  ENOENT: 'This location no longer exists',
  ENOTDIR: 'Part of the path is a file instead of a folder',
  EISDIR: 'The path leads to a folder instead of a file',
  EEXIST: 'The path leads to a file instead of a folder',
  EIO: 'The disk reported an error',
  // IndexedDB uses this name on a full disk, and hardly ever otherwise.
  AbortError: 'Couldn’t write to the local database. The disk may be full',
  UnknownError: 'Couldn’t use the local database. The disk may be full',
  EBUSY: 'Another program is using the file',
  EMFILE: 'Too many files are open on this computer',
  ENFILE: 'Too many files are open on this computer',
  ENAMETOOLONG: 'The name is too long for this disk',
  ETIMEDOUT: 'The disk isn’t responding',
}

const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'Free up disk space, then try again.',
  QuotaExceededError: 'Free up disk space, then try again.',
  EDQUOT: 'Free up disk space, then try again.',
  EROFS: 'Make the disk writable, or choose another location.',
  EACCES: 'Change the permissions of the location, or choose another one.',
  EPERM: 'Change the permissions of the location, or choose another one.',
  ENOENT: 'Restore the folder, or choose another location.',
  ENOTDIR: 'Choose another location.',
  EISDIR: 'Choose another location.',
  EEXIST: 'Choose another location.',
  ENAMETOOLONG: 'Choose a shorter name.',
  EIO: 'Check the disk for errors.',
  AbortError: 'Free up disk space, then try again.',
  UnknownError: 'Free up disk space, then try again.',
  EMFILE: 'Close other programs, then try again.',
  ENFILE: 'Close other programs, then try again.',
  ETIMEDOUT: 'Check the connection of the disk, then try again.',
  EBUSY: 'Close the other program, then try again.',
}

/** Name of a disk or database error, wherever it's stored. Empty if it has none. */
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
 * Describes a disk failure: what happened, what is safe (a sentence from the caller), and what to do. Other errors keep
 * their own text.
 */
export function storageWords(error: unknown, kept: string): string {
  const name = storageReason(error)
  const what =
    reasons[name] ?? `Couldn’t read from or save to this computer (${textOf(error) || name || 'unknown error'})`
  return [`${what}.`, kept, advice[name] ?? ''].filter(Boolean).join(' ')
}

/** Converts a disk failure to a fault, with the error's name as `reason`. Faults stay unchanged. */
export function storageFault(error: unknown, kept: string): FaultError {
  if (error instanceof FaultError) return error
  const reason = storageReason(error)
  return new FaultError(
    { code: 'storage', message: storageWords(error, kept), ...(reason && { reason }) },
    { cause: error },
  )
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error ?? ''))
