import { FaultError } from '#shared/fault'
import { runIdSchema } from '#shared/reports/run-id'

// How folders of runs are called.

/** The folder of a run: of the account that is encoded in `account`, shown or put aside. */
export interface RunFolder {
  account: string
  name: string
}

/** Before the name of a run's folder that people took off and may want again. */
export const asideMark = '.aside-'

/** The name of a run, shown or put aside. */
export const bareId = (name: string): string => (name.startsWith(asideMark) ? name.slice(asideMark.length) : name)

/** The folder of an account: a single name, whatever the ID. @throws FaultError `invalid` for an empty ID, which would name the folder of all */
export function folderName(accountId: string): string {
  if (accountId === '') throw new FaultError({ code: 'invalid', message: 'This account has no ID.' })
  return encodeURIComponent(accountId).replaceAll('.', '%2E')
}

/** The folder of a run, or of one that was put aside. @throws FaultError `invalid` where the ID isn't a single file name */
export function runFolderName(id: string, mark: '' | typeof asideMark = ''): string {
  if (!runIdSchema.safeParse(id).success)
    throw new FaultError({ code: 'invalid', message: 'This run has an invalid ID. Nothing changed.' })
  return mark + id
}

/** Whether a folder can only be one of a run, also of one that is gone. */
export const isRunFolder = ({ account, name }: RunFolder): boolean =>
  accountIn(account) !== undefined && /^\d{14,}-[0-9a-f]{8}$/.test(bareId(name))

/** The id of the account whose folder this is; undefined where it is of none. */
export function accountIn(folder: string): string | undefined {
  try {
    const id = decodeURIComponent(folder)
    return folderName(id) === folder ? id : undefined
  } catch {
    return undefined
  }
}
