import { join } from 'node:path'
import { app, dialog, nativeImage, nativeTheme, shell } from 'electron'
import type { Place } from '#shared/links/place'
import { keepNotifications, showNotification } from './notifications'
import { setLogin } from './login'
import type { QuickAddWindow } from './quick-add-window'
import { setShortcut } from './shortcut'
import type { Shell } from './shell'
import type { Windows } from './windows'

/** The shell of the running Electron app, around its windows. Dialogs belong to the window that asks. */
export function electronShell(
  windows: Pick<Windows, 'asking' | 'isFocused'>,
  {
    openWindow,
    show,
    quickAdd,
    restart,
    resources,
  }: {
    openWindow: (place: Place) => void
    show: () => void
    quickAdd: QuickAddWindow
    restart: () => void
    resources: string
  },
): Shell {
  const documents = (): string => app.getPath('documents')
  return {
    version: app.getVersion(),
    electron: process.versions['electron'] ?? '',
    locale: () => app.getLocale(),
    country: () => app.getLocaleCountryCode(),
    openLink: (address) => shell.openExternal(address),
    openFolder: (path) => shell.openPath(path),
    reveal: (path) => shell.showItemInFolder(path),
    dragFile: (path) =>
      windows.asking.webContents.startDrag({
        file: path,
        icon: nativeImage.createFromPath(join(resources, 'tray.png')),
      }),
    setBadge: (count) => void app.setBadgeCount(count),
    setTheme: (theme) => void (nativeTheme.themeSource = theme),
    openWindow,
    show,
    quit: () => app.quit(),
    restart,
    setShortcut: (keys) => setShortcut(keys, () => quickAdd.open()),
    setLogin,
    closeQuickAdd: () => quickAdd.close(),
    sizeQuickAdd: (height) => quickAdd.setHeight(height),
    focused: () => windows.isFocused,
    notify: showNotification,
    keepNotes: keepNotifications,
    askSave: async (name, kind) => {
      const options = { defaultPath: join(documents(), name), filters: [kind] }
      const { canceled, filePath } = await dialog.showSaveDialog(windows.asking, options)
      return canceled || !filePath ? undefined : filePath
    },
    askOpen: async (kind) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(windows.asking, {
        properties: ['openFile'],
        filters: [kind],
      })
      return canceled ? undefined : filePaths[0]
    },
    askFolder: async (from = documents()) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(windows.asking, {
        defaultPath: from,
        properties: ['openDirectory', 'createDirectory'],
      })
      return canceled ? undefined : filePaths[0]
    },
    pdf: (options) => windows.asking.webContents.printToPDF({ ...options, printBackground: true }),
    print: ({ landscape }) =>
      new Promise((resolve) => {
        windows.asking.webContents.print({ printBackground: true, landscape }, (done, reason) =>
          resolve(done ? '' : reason || 'no printer responded'),
        )
      }),
  }
}
