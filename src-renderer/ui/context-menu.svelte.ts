import { createContext } from 'svelte'
import { anchorOf, type MenuAnchor } from './menu-anchor'
import type { MenuGroups } from './menu-item'

export interface ContextMenuContent {
  /** Accessible name, such as the title of what it acts on. */
  label: string
  groups: MenuGroups
  /** Why some items are disabled. */
  note?: string | undefined
}

export interface OpenContextMenu extends ContextMenuContent {
  anchor: MenuAnchor
  /** Gets the focus back. */
  target: HTMLElement
}

/** The menu of what was right-clicked, or of what has the focus for Shift+F10 and the menu key. */
export class ContextMenus {
  open = $state.raw<OpenContextMenu | null>(null)

  /**
   * Opens a menu for a `contextmenu` event. `target` gets the focus when it closes.
   * @param active what a key opens the menu for, if it isn’t the focused element itself
   */
  show(event: MouseEvent, target: HTMLElement, content: ContextMenuContent, active?: Element | null): void {
    event.preventDefault()
    this.open = { ...content, target, anchor: anchorOf(event, active ?? undefined) }
  }
}

export const [useContextMenus, provideContextMenus] = createContext<ContextMenus>()
