export interface MenuAnchor {
  getBoundingClientRect(): DOMRect
}

/** The place of a menu for a `contextmenu` event: at the pointer, or below the focused element for a key. */
export function anchorOf({ clientX, clientY, button, target }: MouseEvent): MenuAnchor {
  const byKey = button !== 2 && target instanceof Element
  const box = byKey ? target.getBoundingClientRect() : new DOMRect(clientX, clientY, 0, 0)
  return { getBoundingClientRect: () => box }
}
