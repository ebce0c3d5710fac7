import { Menu, type MenuItemConstructorOptions } from 'electron'

/**
 * The application menu. Undo and redo are the renderer's own commands; only macOS needs them here for text fields.
 */
export function setMenu(command: (id: string) => void): void {
  const mac = process.platform === 'darwin'
  const edit: MenuItemConstructorOptions[] = [
    ...(mac ? ([{ role: 'undo' }, { role: 'redo' }, { type: 'separator' }] as MenuItemConstructorOptions[]) : []),
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? ([{ role: 'appMenu' }] as MenuItemConstructorOptions[]) : []),
      {
        label: 'File',
        submenu: [
          { label: 'New window', click: () => command('app.new-window') },
          { type: 'separator' },
          { label: 'Import events from .ics…', click: () => command('import.ics') },
          { label: 'Export events as .ics…', click: () => command('export.ics') },
          { type: 'separator' },
          mac ? { role: 'close' } : { role: 'quit' },
        ],
      },
      { label: 'Edit', submenu: edit },
      {
        label: 'View',
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
        ],
      },
      { role: 'windowMenu' },
      {
        role: 'help',
        submenu: [
          { label: 'Flightplan help', click: () => command('help') },
          { label: 'Keyboard shortcuts', click: () => command('app.keys') },
          { label: 'Reliability', click: () => command('help.reliability') },
          { type: 'separator' },
          { label: 'Save diagnostics…', click: () => command('help.diagnostics') },
        ],
      },
    ]),
  )
}
