import type { CheckedArguments, RequestAnswers } from '#shared/ipc/contract'
import { checkedPng } from '../exports/picture'
import { saveNew } from '../exports/export-file'
import { saveFile } from '../exports/save-file'
import type { UntrustedFiles } from '../reports/untrusted-files'
import { noteWritten, placeFor, type FilePlaces } from './files'

interface ChartHandlers {
  'export/chart': (args: CheckedArguments<'export/chart'>) => Promise<RequestAnswers['export/chart']>
}

/** Handlers for chart pictures from the window. Validates a picture before asking where to save it. */
export const chartHandlers = ({
  files,
  untrustedFiles,
}: {
  files: FilePlaces
  untrustedFiles: UntrustedFiles
}): ChartHandlers => ({
  'export/chart': async ({ suggestedName, folder, ...picture }) => {
    const content = picture.format === 'svg' ? await untrustedFiles.svg(picture.text) : checkedPng(picture.bytes)
    const kind = picture.format === 'svg' ? 'SVG image' : 'Image'
    const place = await placeFor(files, { name: suggestedName, extension: `.${picture.format}`, kind, folder })
    if (place === undefined) return null
    const { path, replace, done } = place
    try {
      const bytes = await (replace ? saveFile : saveNew)(path, [content])
      noteWritten(path)
      return { path, bytes }
    } finally {
      done()
    }
  },
})
