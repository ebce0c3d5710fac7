import { app, Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron'
import { textMenuItems } from './text-menu-items'

/**
 * Gives text fields and selected text the usual menu of the system. For anything else, the page shows its own menus and prevents
 * this one. Call before the first window.
 */
export function offerTextMenus(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('context-menu', (_menuEvent, params) => show(contents, params))
  })
}

function show(contents: WebContents, params: ContextMenuParams): void {
  const items = textMenuItems(params).map(
    ({ role, label, enabled, replaceWith, learn }): MenuItemConstructorOptions => ({
      ...(role ? { role } : {}),
      ...(label === undefined ? {} : { label }),
      ...(enabled === undefined ? { type: 'separator' } : { enabled }),
      ...(replaceWith === undefined ? {} : { click: () => contents.replaceMisspelling(replaceWith) }),
      ...(learn === undefined ? {} : { click: () => void contents.session.addWordToSpellCheckerDictionary(learn) }),
    }),
  )
  if (items.length > 0) Menu.buildFromTemplate(items).popup({ x: params.x, y: params.y })
}
