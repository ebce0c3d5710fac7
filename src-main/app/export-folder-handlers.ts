import type { Handlers } from '../ipc/handle'
import { chooseFolder, type FilePlaces } from './files'

type FolderHandlers = Pick<Handlers, Extract<keyof Handlers, `export-folders/${string}`>>

/** Handlers for folders of exports: automatic ones, presets, or several files at once. */
export const exportFolderHandlers = ({ files }: { files: FilePlaces }): FolderHandlers => ({
  'export-folders/choose': async () => {
    const folder = await chooseFolder(files)
    return folder === undefined ? null : { folder }
  },
})
