export interface MenuAnchor {
  getBoundingClientRect(): DOMRect
}

/** The place of a menu for a `contextmenu` event: at the pointer, or for a key below `active`, by default the focused element. */
export function anchorOf({ clientX, clientY, button, target }: MouseEvent, active = target): MenuAnchor {
  const byKey = button !== 2 && active instanceof Element
  const box = byKey ? active.getBoundingClientRect() : new DOMRect(clientX, clientY, 0, 0)
  return { getBoundingClientRect: () => box }
}
