import { join } from 'node:path'
import { Menu, Tray, nativeImage } from 'electron'

/** Opens the tray, which keeps the app reachable while its window is hidden. Undefined if the system has no tray. */
export function openTray(resources: string, commands: { show: () => void; quit: () => void }): Tray | undefined {
  try {
    const tray = new Tray(nativeImage.createFromPath(join(resources, 'tray.png')))
    tray.setToolTip('Flightplan')
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Flightplan', click: commands.show },
        { type: 'separator' },
        { label: 'Quit', click: commands.quit },
      ]),
    )
    tray.on('click', commands.show)
    return tray
  } catch {
    return undefined
  }
}
