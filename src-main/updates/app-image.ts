import { createHash } from 'node:crypto'
import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { AppImageUpdater } from 'electron-updater'

/**
 * Replaces the AppImage in one step. The library deletes the old one first and starts the new one, so that a full disk would
 * leave none.
 */
export class WholeAppImageUpdater extends AppImageUpdater {
  protected override doInstall(): boolean {
    const image = process.env['APPIMAGE']
    const update = this.downloadedUpdateHelper?.file
    const expected = this.downloadedUpdateHelper?.downloadedFileInfo?.sha512
    if (image === undefined || !isAbsolute(image) || !update || !expected) return false
    const beside = join(dirname(image), `.${basename(image)}.part`)
    try {
      copyFileSync(update, beside)
      // The download may be days old, so check the copy that's about to be installed.
      if (createHash('sha512').update(readFileSync(beside)).digest('base64') !== expected)
        throw new Error('The downloaded update was changed after it was checked.')
      chmodSync(beside, 0o755)
      flush(beside)
      renameSync(beside, image)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
    rmSync(update, { force: true })
    return true
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
