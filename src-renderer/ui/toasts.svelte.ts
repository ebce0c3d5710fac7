import { untrack } from 'svelte'

export interface Toast {
  id: number
  text: string
  level: 'info' | 'error'
  /** `stays`: the message is of use while it is done, and goes only when it is dismissed. */
  action?: { label: string; run: () => void; stays?: boolean } | undefined
  /** Called once it has gone. */
  ongone?: (() => void) | undefined
  /** Told of work that goes on whatever is shown, as of another account. */
  survivesAccountSwitch?: boolean | undefined
}

/**
 * Short receipts at the lower edge: only the latest, it covers what people work on. Errors stay until dismissed, all of
 * them: they may hold what was typed. What is told already is not told twice.
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
    // Effects show messages too; they must not depend on what is shown.
    const list = untrack(() => this.list)
    const stays = (one: Toast): boolean => one.level === 'error' && !(level === 'error' && one.text === text)
    this.list = [...list.filter(stays), toast]
    const seconds = options.seconds ?? (toast.level === 'error' ? 0 : toast.action ? 8 : 5)
    if (seconds > 0) setTimeout(() => this.dismiss(toast.id), seconds * 1000)
    return toast.id
  }

  /** What goes along is told there from now on: this list is not shown any more. */
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
