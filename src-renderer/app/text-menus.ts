/**
 * Leaves right clicks and menu keys in text fields to the menu of the system, also where what's around the field has a
 * menu of its own.
 * @returns a function that ends it
 */
export function leaveTextMenus(page: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
  const leave = (event: Event): void => {
    if (takesText(event.target)) event.stopPropagation()
  }
  page.addEventListener('contextmenu', leave, { capture: true })
  return () => page.removeEventListener('contextmenu', leave, { capture: true })
}

const textTypes = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number'])

function takesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return textTypes.has(target.type) && !target.readOnly && !target.disabled
  if (target instanceof HTMLTextAreaElement) return !target.readOnly && !target.disabled
  return target instanceof HTMLElement && target.isContentEditable
}
