import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { storageReason, storageWords } from '#shared/storage-words'

/** A reason not to start, for users, with the path it concerns. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

const nothingLost = 'Your data is unchanged.'

/** @throws StartFailure if the profile folder isn't writable, or the app wasn't built */
export function checkFolders(userData: string, page: string): void {
  try {
    mkdirSync(userData, { recursive: true })
    if (!statSync(userData).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    const probe = join(userData, `.write-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw failedAt('Flightplan can’t save its data here', userData, error)
  }
  try {
    accessSync(page, constants.R_OK)
  } catch (error) {
    throw new StartFailure(`Part of Flightplan is missing:\n${page}\n\n${nothingLost} Reinstall Flightplan.`, {
      cause: error,
    })
  }
}

/** A failure to read or write a file at startup. */
export function failedAt(what: string, path: string, error: unknown): StartFailure {
  return new StartFailure(`${what}:\n${path}\n\n${storageWords(error, nothingLost)}`, { cause: error })
}

/** Ends the app with a message: in a dialog, or on the console if no user is present. */
export function failStart(error: unknown, unattended: boolean): void {
  const message =
    error instanceof StartFailure
      ? error.message
      : storageReason(error)
        ? storageWords(error, nothingLost)
        : `${error instanceof Error ? error.message : String(error)}\n\n${nothingLost}`
  console.error(`Flightplan can’t start. ${message}`)
  if (!(error instanceof StartFailure) && error instanceof Error) console.error(error.stack)
  if (!unattended) dialog.showErrorBox('Flightplan can’t start', message)
  app.exit(1)
}
