import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { missingFolder } from './export-rules-files'
import { madeIn } from './file-place'
import { folderName, type ReportFolder } from './report-folder'

/** Files that operating systems create on their own. */
const systems = new Set(['.DS_Store', 'desktop.ini', 'Thumbs.db', 'lost+found'])

/**
 * Folder for report files if the user chooses `chosen`: that folder if it's empty or already contains them, else a new
 * subfolder. It can't be inside `userData`. @throws FaultError `invalid` | `notFound` | `storage`
 */
export async function destination(chosen: string, folder: ReportFolder, userData: string): Promise<string> {
  const missing = await missingFolder(chosen)
  if (missing !== undefined) throw new FaultError({ code: 'notFound', message: missing })
  try {
    const real = await realpath(chosen)
    const current = await realpath(folder.root).catch(() => folder.root)
    if (isWithin(await realpath(userData), real))
      throw refused('That folder contains Flightplan’s own data. Choose another folder.')
    const inside = join(real, folderName)
    const root = (await takes(real, folder)) || (await folder.isOurs(real)) ? real : inside
    if (root === current) throw refused(`Report files are already in ${root}.`)
    if (isWithin(current, root) || isWithin(root, current))
      throw refused(
        `Report files are in ${current}. Choose a folder that isn’t inside this folder and doesn’t contain it.`,
      )
    if (root === inside) {
      await madeIn(inside)
      if (!(await takes(inside, folder)) && !(await folder.isOurs(inside)))
        throw refused(`${inside} contains other files. Choose an empty folder.`)
    }
    return root
  } catch (error) {
    throw storageFault(error, 'The files weren’t moved.')
  }
}

/** True if a folder is empty. @throws FaultError `invalid` if it contains files of another installation */
async function takes(path: string, folder: ReportFolder): Promise<boolean> {
  if (await folder.isOthers(path))
    throw refused(`${path} contains report files from another Flightplan installation. Choose another folder.`)
  return (await readdir(path)).every((name) => systems.has(name))
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^([A-Za-z]:|[\\/])/.test(way))
}

const refused = (message: string): FaultError => new FaultError({ code: 'invalid', message })
