import { join } from 'node:path'
import { Menu, Tray, nativeImage } from 'electron'
import { trayItems, trayTip, type TrayCommands, type TrayState } from './tray-menu'

/** Interval for updating the countdown, in milliseconds. */
const everyMs = 15_000

export interface OpenTray {
  /** Shows the current state. */
  update(): void
}

/**
 * Opens the tray, which keeps the app reachable while its window is hidden. Undefined if the system has no tray.
 * @param now epoch milliseconds
 */
export function openTray(
  resources: string,
  state: () => TrayState,
  commands: TrayCommands,
  now: () => number,
): OpenTray | undefined {
  try {
    const tray = new Tray(nativeImage.createFromPath(join(resources, 'tray.png')))
    let shown = ''
    const update = (): void => {
      const at = now()
      const items = trayItems(state(), commands, at, endOfDay(at))
      const text = JSON.stringify(items)
      if (text === shown) return
      // Replacing an open menu would close it.
      shown = text
      tray.setToolTip(trayTip(state(), at))
      tray.setContextMenu(
        Menu.buildFromTemplate(
          items.map((item) =>
            item === 'line'
              ? { type: 'separator' as const }
              : {
                  label: item.label,
                  enabled: item.run !== undefined,
                  ...(item.checked !== undefined && { type: 'checkbox' as const, checked: item.checked }),
                  // Linux has no keys in menus of a tray.
                  ...(item.keys &&
                    process.platform !== 'linux' && { accelerator: item.keys, registerAccelerator: false }),
                  click: () => item.run?.(),
                },
          ),
        ),
      )
    }
    update()
    setInterval(update, everyMs)
    tray.on('click', commands.show)
    return { update }
  } catch {
    return undefined
  }
}

/** Midnight on this computer. */
function endOfDay(now: number): number {
  const day = new Date(now)
  day.setHours(24, 0, 0, 0)
  return day.getTime()
}
