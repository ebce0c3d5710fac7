import { join } from 'node:path'
import { Menu, Tray, nativeImage } from 'electron'

/** The tray keeps the app within reach while its window is closed and sync goes on. Undefined where there is no tray. */
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
