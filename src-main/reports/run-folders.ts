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

/** Ids of accounts come from a file, which must not lead out of the folder. */
export const folderName = (accountId: string): string => encodeURIComponent(accountId).replaceAll('.', '%2E')

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
