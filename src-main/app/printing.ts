import { app, type BrowserWindow } from 'electron'
import { FaultError } from '#shared/fault'
import type { CheckedArguments } from '#shared/ipc/contract'
import { saveFile } from '../exports/save-file'
import { noteWritten, placeToSave, type FilePlaces } from './files'

/** Countries whose paper is Letter. */
const letter = new Set(['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'PA', 'PH', 'VE'])

/** Prints what the window shows. @returns the file, where it went to one; null where the person closed the dialog. @throws FaultError */
export async function printWindow(
  files: FilePlaces,
  { name, to, landscape }: CheckedArguments<'app/print'>,
): Promise<{ path?: string } | null> {
  const window = files.window()
  // Tests and tours have no printer.
  if (to === 'printer' && files.saveTo === undefined) return onPaper(window, landscape)
  const path = await placeToSave(files, { name, extension: '.pdf', kind: 'PDF' })
  if (path === undefined) return null
  const pageSize = letter.has(app.getLocaleCountryCode()) ? 'Letter' : 'A4'
  const bytes = await window.webContents.printToPDF({ pageSize, landscape, printBackground: true })
  await saveFile(path, [bytes])
  noteWritten(path)
  return { path }
}

function onPaper(window: BrowserWindow, landscape: boolean): Promise<Record<string, never> | null> {
  return new Promise((resolve, reject) => {
    window.webContents.print({ printBackground: true, landscape }, (done, reason) => {
      if (done) resolve({})
      else if (/cancel/i.test(reason)) resolve(null)
      else
        reject(
          new FaultError({
            code: 'invalid',
            message: `Nothing was printed (${reason || 'no printer answered'}). Choose “Print to a PDF file…”, and print that.`,
          }),
        )
    })
  })
}
