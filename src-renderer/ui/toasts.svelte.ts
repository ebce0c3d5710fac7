import { untrack } from 'svelte'

export interface Toast {
  id: number
  text: string
  level: 'info' | 'error'
  /** `stays` keeps the message until it's dismissed, because it's useful during the action. */
  action?: { label: string; run: () => void; stays?: boolean } | undefined
  /** Called after the message has gone. */
  ongone?: (() => void) | undefined
  /** True for work that continues after another account is shown. */
  survivesAccountSwitch?: boolean | undefined
}

/**
 * Toasts at the lower edge. Shows only the latest receipt, as it covers content. All errors stay until dismissed,
 * because they may contain unsaved text. Skips duplicates.
 */
export class Toasts {
  #next = 1
  #successor: Toasts | undefined
  list = $state.raw<readonly Toast[]>([])

  show(
    text: string,
    options: Partial<Pick<Toast, 'level' | 'action' | 'ongone' | 'survivesAccountSwitch'>> & { seconds?: number } = {},
  ): number {
    const { level = 'info', action, ongone, survivesAccountSwitch } = options
    if (survivesAccountSwitch && this.#successor) return this.#successor.show(text, options)
    const toast: Toast = { id: this.#next++, text, level, action, ongone, survivesAccountSwitch }
    // Effects show messages, and mustn't depend on the displayed ones.
    const list = untrack(() => this.list)
    const stays = (one: Toast): boolean => one.level === 'error' && !(level === 'error' && one.text === text)
    this.list = [...list.filter(stays), toast]
    const seconds = options.seconds ?? (toast.level === 'error' ? 0 : toast.action ? 8 : 5)
    if (seconds > 0) setTimeout(() => this.dismiss(toast.id), seconds * 1000)
    return toast.id
  }

  /** Moves surviving toasts to the list that replaces this one. */
  handOver(to: Toasts): void {
    this.#successor = to
    for (const { text, level, action, survivesAccountSwitch } of untrack(() => this.list))
      if (survivesAccountSwitch) to.show(text, { level, action, survivesAccountSwitch })
  }

  dismiss(id: number): void {
    const list = untrack(() => this.list)
    this.list = list.filter((toast) => toast.id !== id)
    list.find((toast) => toast.id === id)?.ongone?.()
  }
}
