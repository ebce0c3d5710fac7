import type { CheckedArguments, RequestAnswers } from '#shared/ipc/contract'
import { checkedPng, checkedSvg } from '../exports/picture'
import { saveFile } from '../exports/save-file'
import { noteWritten, placeToSave, type FilePlaces } from './files'

interface ChartHandlers {
  'export/chart': (args: CheckedArguments<'export/chart'>) => Promise<RequestAnswers['export/chart']>
}

/** Pictures of charts, drawn by the window: checked before anyone is asked where they should go. */
export const chartHandlers = ({ files }: { files: FilePlaces }): ChartHandlers => ({
  'export/chart': async ({ suggestedName, ...picture }) => {
    const content = picture.format === 'svg' ? checkedSvg(picture.text) : checkedPng(picture.bytes)
    const kind = picture.format === 'svg' ? 'Scalable picture' : 'Picture'
    const path = await placeToSave(files, { name: suggestedName, extension: `.${picture.format}`, kind })
    if (path === undefined) return null
    const bytes = await saveFile(path, [content])
    noteWritten(path)
    return { path, bytes }
  },
})
