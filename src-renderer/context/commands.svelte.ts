import { untrack } from 'svelte'
import type { MenuItem } from '../ui/menu-item'
import { modal } from '../ui/modal.svelte'
import { isSingleKey, isTextField, keptByFocus, keysOf, normalKeys, typesText } from './keys'

const selectAll = normalKeys('Ctrl+A')

/** A user action, available by key, palette, menu, or tray. */
export interface Command {
  /** `view.verb`, for example `calendar.today`. */
  id: string
  title: string
  /** Section in the palette and the cheat sheet. */
  group: string
  /** Alternatives, for example `['c', 'n']` or `['Ctrl+Shift+Z', 'Ctrl+Y']`. */
  keys?: readonly string[]
  /** The command's target, which finds it like its whole title: *Reports* for “Go to Reports”. */
  leadsTo?: string
  /** Other words people may look for. */
  words?: string | undefined
  /** The element whose focus its keys need. They may mean something else everywhere else. */
  keysIn?: () => Element | null
  /** Hides the command while this returns false. */
  when?: () => boolean
  run: () => void
  /** Not in the palette, as it only makes sense by key. */
  keyOnly?: boolean
  /** Prints a complete document, because the window only draws its visible part. */
  printsWhole?: boolean
}

/** Every command of the window. Keys, palette, cheat sheet and the main process's menu all read it. */
export class Commands {
  /** Commands of the app, available in every view. */
  #general = $state.raw<readonly (readonly Command[])[]>([])
  #sets = $state.raw<readonly (readonly Command[])[]>([])
  #singleKeys: () => boolean
  /** The field that the last key typed text into. */
  #typedIn: Element | undefined

  constructor(singleKeys: () => boolean) {
    this.#singleKeys = singleKeys
  }

  get all(): readonly Command[] {
    return [...this.#general, ...this.#sets].flat()
  }

  /**
   * Every command as the palette lists them before anything is typed: where to go, the view's own, and the others, with the
   * pages of the help last.
   */
  get offered(): readonly Command[] {
    const placeOf = ({ id }: Command): number => (id.startsWith('go.') ? 0 : id.startsWith('help.') ? 3 : 2)
    const placed = [
      ...this.#sets.flat().map((command) => ({ command, place: 1 })),
      ...this.#general.flat().map((command) => ({ command, place: placeOf(command) })),
    ]
    return placed.sort((a, b) => a.place - b.place).map(({ command }) => command)
  }

  /** Registers commands of the app. Commands of `register` win a shared shortcut, however early they came. */
  registerGeneral(commands: readonly Command[]): () => void {
    this.#general = [...untrack(() => this.#general), commands]
    return () => {
      this.#general = untrack(() => this.#general).filter((set) => set !== commands)
    }
  }

  /** Registers commands and returns a function that removes them. Later sets win a shared key. */
  register(commands: readonly Command[]): () => void {
    // Effects register commands, and mustn't depend on the other sets.
    this.#sets = [...untrack(() => this.#sets), commands]
    return () => {
      this.#sets = untrack(() => this.#sets).filter((set) => set !== commands)
    }
  }

  run(id: string): boolean {
    const command = this.all.find((command) => command.id === id)
    if (!command || command.when?.() === false) return false
    command.run()
    return true
  }

  /** Command that prints the current view completely. Undefined if the window draws all of it. */
  get printing(): Command | undefined {
    return this.all.filter(({ printsWhole, when }) => printsWhole && when?.() !== false).at(-1)
  }

  /** A menu item that runs a command, disabled while it doesn’t apply. `more` replaces its label and the like. */
  item(id: string, more: Partial<MenuItem> = {}): MenuItem {
    const command = this.all.find((one) => one.id === id)
    const keys = command?.keys?.[0]
    return {
      label: command?.title ?? id,
      ...(keys !== undefined && { keys }),
      disabled: command === undefined || command.when?.() === false,
      run: () => void this.run(id),
      ...more,
    }
  }

  keysFor(id: string): string | undefined {
    return this.all.find((command) => command.id === id)?.keys?.[0]
  }

  /** The command these keys mean now. `target`: what has the focus. Those of the view don’t run behind a dialog. */
  find(keys: string, target: EventTarget | null = null): Command | undefined {
    if (isSingleKey(keys) && keys !== '?' && !this.#singleKeys()) return undefined
    for (const command of [...(modal.isOpen ? this.#general.flat() : this.all)].reverse()) {
      if (command.keysIn && command.keysIn() !== target) continue
      if (command.keys?.some((own) => normalKeys(own) === keys) && command.when?.() !== false) return command
    }
    return undefined
  }

  /**
   * Listener for `keydown` on its way down. Text typed after its field was removed, as when someone else deletes the record,
   * means nothing elsewhere. A button that has the focus is pressed by Enter, not by a command that ends with it.
   */
  readonly onkeydowncapture = (event: KeyboardEvent): void => {
    if (this.#isLeftOver(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const pressed = event.key === 'Enter' || event.key === ' '
    if (!pressed || !(event.ctrlKey || event.metaKey || event.altKey)) return
    if (!(event.target instanceof Element) || !event.target.closest('button, [role="button"], summary, a')) return
    this.onkeydown(event)
    if (event.defaultPrevented) event.stopPropagation()
  }

  /** Listener for `pointerdown` on its way down, and for leaving the window: what is typed from now on isn’t meant for the field. */
  readonly endTyping = (): void => {
    this.#typedIn = undefined
  }

  /** True for text, or the Enter at its end, that was meant for a field which is gone. */
  #isLeftOver(event: KeyboardEvent): boolean {
    const { key, target } = event
    if (key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'AltGraph' || key === 'Meta') return false
    const keys = keysOf(Object.assign(event, { altGraph: event.getModifierState('AltGraph') }))
    const inField = isTextField(target)
    const isLost = !inField && this.#typedIn?.isConnected === false
    const isText = event.isComposing || typesText(keys)
    if (inField) this.#typedIn = isText ? (target as Element) : undefined
    else if (!isLost || !isText) this.#typedIn = undefined
    return isLost && (isText || keys === 'Enter')
  }

  /** Listener for `keydown` on the window. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const keys = keysOf(Object.assign(event, { altGraph: event.getModifierState('AltGraph') }))
    if (keptByFocus(keys, event.target)) return
    const command = this.find(keys, event.target)
    // Outside of lists and fields, the browser would select the text of the whole window.
    if (command || keys === selectAll) event.preventDefault()
    command?.run()
  }
}
