import { FaultError } from '#shared/fault'
import type { CheckedArguments } from '#shared/ipc/contract'
import { placeFor, saveAt, type FilePlaces } from './files'
import type { Shell } from './shell'

/** Countries that use Letter paper. */
const letter = new Set(['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'PA', 'PH', 'VE'])

/**
 * Prints the window.
 * @returns the file's path if printed to one, or null if the user closed the dialog
 * @throws FaultError
 */
export async function printWindow(
  shell: Pick<Shell, 'country' | 'pdf' | 'print'>,
  files: FilePlaces,
  { name, to, landscape }: CheckedArguments<'app/print'>,
): Promise<{ path?: string } | null> {
  // Tests and tours have no printer.
  if (to === 'printer' && files.saveTo === undefined) return onPaper(shell, landscape)
  const place = await placeFor(files, { name, extension: '.pdf', kind: 'PDF' })
  if (place === undefined) return null
  const pageSize = letter.has(shell.country()) ? 'Letter' : 'A4'
  await saveAt(place, [await shell.pdf({ pageSize, landscape })])
  return { path: place.path }
}

async function onPaper(shell: Pick<Shell, 'print'>, landscape: boolean): Promise<Record<string, never> | null> {
  const reason = await shell.print({ landscape })
  if (reason === '') return {}
  if (/cancel/i.test(reason)) return null
  throw new FaultError({
    code: 'invalid',
    message: `Couldn’t print (${reason}). Choose “Print as PDF…”, then print the PDF.`,
  })
}
