import type { Attachment } from 'svelte/attachments'
import type { ContextMenuContent, ContextMenus } from '../../ui/context-menu.svelte'

type Content = () => ContextMenuContent

const contents = new WeakMap<Element, Content>()

/** Says the menu of a card. It opens by a handler around all cards, see `CardMenus`. */
export const cardMenu =
  (content: Content): Attachment<Element> =>
  (card) => {
    contents.set(card, content)
    return () => {
      // A later one may have taken its place.
      if (contents.get(card) === content) contents.delete(card)
    }
  }

/** Opens the menu of the innermost card of an event. Selected text keeps the menu of the system. */
export class CardMenus {
  readonly #menus: ContextMenus
  #overText = false

  constructor(menus: ContextMenus) {
    this.#menus = menus
  }

  /** Looks at the selection before a right click, which selects a word on some systems. */
  readonly onpointerdown = ({ clientX: x, clientY: y }: PointerEvent): void => {
    const selection = getSelection()
    const boxes = selection && !selection.isCollapsed ? [...selection.getRangeAt(0).getClientRects()] : []
    this.#overText = boxes.some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom)
  }

  readonly oncontextmenu = (event: MouseEvent): void => {
    if (event.button === 2 && this.#overText) return
    let card = event.target instanceof Element ? event.target : null
    while (card && !contents.has(card)) card = card.parentElement
    if (!card) return
    const focused = document.activeElement
    const target = card.contains(focused) ? focused : card.closest('[tabindex]')
    if (!(target instanceof HTMLElement)) return
    // It shows which card the menu is for.
    target.focus({ preventScroll: true })
    this.#menus.show(event, target, contents.get(card)!())
  }
}
