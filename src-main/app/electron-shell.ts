import { join } from 'node:path'
import { app, dialog, nativeImage, nativeTheme, shell, type BrowserWindow } from 'electron'
import { keepNotifications, showNotification } from './notifications'
import { setLogin } from './login'
import type { QuickAddWindow } from './quick-add-window'
import { setShortcut } from './shortcut'
import type { Shell } from './shell'

/** The shell of the running Electron app, around its window. */
export function electronShell(
  window: BrowserWindow,
  {
    show,
    quickAdd,
    restart,
    resources,
  }: { show: () => void; quickAdd: QuickAddWindow; restart: () => void; resources: string },
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
      window.webContents.startDrag({ file: path, icon: nativeImage.createFromPath(join(resources, 'tray.png')) }),
    setBadge: (count) => void app.setBadgeCount(count),
    setTheme: (theme) => void (nativeTheme.themeSource = theme),
    show,
    quit: () => app.quit(),
    restart,
    setShortcut: (keys) => setShortcut(keys, () => quickAdd.open()),
    setLogin,
    closeQuickAdd: () => quickAdd.close(),
    sizeQuickAdd: (height) => quickAdd.setHeight(height),
    focused: () => window.isFocused(),
    notify: showNotification,
    keepNotes: keepNotifications,
    askSave: async (name, kind) => {
      const options = { defaultPath: join(documents(), name), filters: [kind] }
      const { canceled, filePath } = await dialog.showSaveDialog(window, options)
      return canceled || !filePath ? undefined : filePath
    },
    askOpen: async (kind) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters: [kind] })
      return canceled ? undefined : filePaths[0]
    },
    askFolder: async (from = documents()) => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        defaultPath: from,
        properties: ['openDirectory', 'createDirectory'],
      })
      return canceled ? undefined : filePaths[0]
    },
    pdf: (options) => window.webContents.printToPDF({ ...options, printBackground: true }),
    print: ({ landscape }) =>
      new Promise((resolve) => {
        window.webContents.print({ printBackground: true, landscape }, (done, reason) =>
          resolve(done ? '' : reason || 'no printer responded'),
        )
      }),
  }
}
