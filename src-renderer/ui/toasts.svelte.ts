import { untrack } from 'svelte'

export interface Toast {
  id: number
  text: string
  level: 'info' | 'error'
  action?: { label: string; run: () => void } | undefined
}

/** Short receipts at the lower edge: only the latest, it covers what people work on. Errors stay until dismissed. */
export class Toasts {
  #next = 1
  list = $state.raw<readonly Toast[]>([])

  show(text: string, options: { level?: Toast['level']; action?: Toast['action']; seconds?: number } = {}): number {
    const toast: Toast = { id: this.#next++, text, level: options.level ?? 'info', action: options.action }
    // Effects show messages too; they must not depend on what is shown.
    this.list = [...untrack(() => this.list).filter(({ level }) => level === 'error'), toast].slice(-3)
    const seconds = options.seconds ?? (toast.level === 'error' ? 0 : toast.action ? 8 : 5)
    if (seconds > 0) setTimeout(() => this.dismiss(toast.id), seconds * 1000)
    return toast.id
  }

  dismiss(id: number): void {
    this.list = untrack(() => this.list).filter((toast) => toast.id !== id)
  }
}
