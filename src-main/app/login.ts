import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { storageFault } from '#shared/storage-words'
import { privateFolder } from '../disk/private'
import { saveFile } from '../exports/save-file'
import { autostartFile } from './autostart-file'

const hiddenSwitch = '--start-hidden'

/** Sets whether the app starts when the user logs in. @throws FaultError `storage` */
export async function setLogin(start: boolean, hidden: boolean): Promise<void> {
  if (process.platform === 'linux') return setAutostart(start, hidden)
  app.setLoginItemSettings({ openAtLogin: start, args: hidden ? [hiddenSwitch] : [] })
}

/** Linux desktops start the apps in this folder. */
async function setAutostart(start: boolean, hidden: boolean): Promise<void> {
  const folder = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart')
  const path = join(folder, 'flightplan.desktop')
  try {
    if (!start) return await rm(path, { force: true })
    await privateFolder(folder)
  } catch (error) {
    throw storageFault(error, 'Nothing changed.')
  }
  const command = [process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), ...(hidden ? [hiddenSwitch] : [])]
  await saveFile(path, [autostartFile(command)])
}
