import { safeParse } from '#shared/safe-parse'
import { FaultError } from '#shared/fault'
import { runIdSchema } from '#shared/reports/run-id'

// Names of run folders.

/** Folder of a run, listed or put aside. `account` is the encoded account ID. */
export interface RunFolder {
  account: string
  name: string
}

/** Prefix of the folder of a deleted run that can still be restored. */
export const asideMark = '.aside-'

/** ID of a run from its folder name, listed or put aside. */
export const bareId = (name: string): string => (name.startsWith(asideMark) ? name.slice(asideMark.length) : name)

/**
 * Folder name of an account, safe for any ID. @throws FaultError `invalid` for an empty ID, which would mean the parent
 * folder
 */
export function folderName(accountId: string): string {
  if (accountId === '') throw new FaultError({ code: 'invalid', message: 'This account has no ID.' })
  return encodeURIComponent(accountId).replaceAll('.', '%2E')
}

/** Folder name of a run. @throws FaultError `invalid` if the ID isn't a single file name */
export function runFolderName(id: string, mark: '' | typeof asideMark = ''): string {
  if (!safeParse(runIdSchema, id).success)
    throw new FaultError({ code: 'invalid', message: 'This run has an invalid ID. Nothing changed.' })
  return mark + id
}

/** True if a folder's name can only be that of a run, even a deleted one. */
export const isRunFolder = ({ account, name }: RunFolder): boolean =>
  accountIn(account) !== undefined && /^\d{14,}-[0-9a-f]{8}$/.test(bareId(name))

/** Account ID of a folder, or undefined if it isn't an account's. */
export function accountIn(folder: string): string | undefined {
  try {
    const id = decodeURIComponent(folder)
    return folderName(id) === folder ? id : undefined
  } catch {
    return undefined
  }
}
