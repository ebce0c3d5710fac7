import { untrack } from 'svelte'
import { systemClock, type Clock } from '#shared/time/clock'

export interface Toast {
  id: number
  text: string
  level: 'info' | 'error'
  /** When it was shown, epoch milliseconds. */
  at: number
  /** `stays` keeps the message until it's dismissed, because it's useful during the action. */
  action?: { label: string; run: () => void; stays?: boolean } | undefined
  /** A quieter way on, next to the action. The message stays. */
  more?: { label: string; run: () => void } | undefined
  /** Called after the message has gone. */
  ongone?: (() => void) | undefined
  /** The failed attempt. Its message is removed once it succeeds. */
  attempt?: string | undefined
  /** True for work that continues after another account is shown. */
  survivesAccountSwitch?: boolean | undefined
  /** Where such work began, and the text without its name. */
  origin: { account: ToastAccount; text: string }
  /** Progress, which the next message replaces. It's never listed. */
  passing?: boolean | undefined
  /** True once it's only in the list. */
  listed: boolean
  /** True once the list was open. */
  read: boolean
}

/** The account that a message is about. */
export interface ToastAccount {
  id: string
  name: string
}

type ToastOptions = Partial<
  Pick<Toast, 'level' | 'action' | 'more' | 'ongone' | 'attempt' | 'survivesAccountSwitch' | 'passing'>
> & {
  /** Time in sight. 0 keeps it there until it's dismissed. */
  seconds?: number
  origin?: Toast['origin']
}

/** Receipts in the list. Errors don't count. */
const mostReceipts = 20
const usualSeconds = { error: 10, action: 10, plain: 6 }
/** Milliseconds until a message that was in use at its end is looked at again. */
const heldFor = 2_000

/**
 * Messages. Each is in sight for a moment, at most one error and one receipt at a time, and then in the list: receipts until newer ones
 * replace them, errors until dismissed, because they may contain unsaved text. Skips duplicates.
 */
export class Toasts {
  #next = 1
  #successor: Toasts | undefined
  /** Also those in sight, oldest first. */
  list = $state.raw<readonly Toast[]>([])
  /** True while the pointer or the focus is on a message, which then stays in sight. */
  held = false
  /** IDs of the messages that a screen reader got. */
  readonly announced = new Set<number>()

  /**
   * @param announce speaks a receipt. Errors speak for themselves as alerts.
   * @param account the shown account. Messages of another one begin with its name.
   */
  constructor(
    private readonly announce: (text: string) => void = () => {},
    private readonly clock: Clock = systemClock,
    private readonly account: ToastAccount = { id: '', name: '' },
  ) {}

  /** Visible messages: the latest error, then the latest receipt. */
  readonly shown: readonly Toast[] = $derived.by(() => {
    const current = this.list.filter(({ listed }) => !listed)
    const last = (level: Toast['level']): Toast[] => current.filter((one) => one.level === level).slice(-1)
    return [...last('error'), ...last('info')]
  })
  readonly unread: number = $derived.by(
    () => this.list.filter(({ level, listed, read }) => level === 'error' && listed && !read).length,
  )

  show(words: string, options: ToastOptions = {}): number {
    const { level = 'info', action, more, ongone, attempt, survivesAccountSwitch, passing } = options
    const origin = options.origin ?? { account: this.account, text: words }
    if (survivesAccountSwitch && this.#successor) return this.#successor.show(words, { ...options, origin })
    const { id, name } = origin.account
    const text = id === this.account.id ? origin.text : `${name}: ${origin.text}`
    const toast: Toast = {
      id: this.#next++,
      text,
      origin,
      level,
      at: this.clock.now(),
      action,
      more,
      ongone,
      attempt,
      survivesAccountSwitch,
      passing,
      listed: false,
      read: false,
    }
    // Effects show messages, and mustn't depend on the displayed ones.
    const list = untrack(() => this.list).filter(
      (one) => !(one.passing && level === 'info') && !(one.level === level && one.text === text),
    )
    const before = list.map((one) => (one.level === level ? { ...one, listed: true } : one))
    const surplus = before.filter((one) => one.level === 'info').length - mostReceipts + 1
    let left = level === 'info' ? surplus : 0
    this.list = [...before.filter((one) => one.level === 'error' || left-- <= 0), toast]
    if (level === 'info' && !passing) this.announce(text)
    const seconds =
      options.seconds ?? (level === 'error' ? usualSeconds.error : action ? usualSeconds.action : usualSeconds.plain)
    if (seconds > 0) setTimeout(() => this.#away(toast.id), seconds * 1000)
    return toast.id
  }

  /** Puts a message into the list, later if it's in use. */
  #away(id: number): void {
    if (this.held) {
      setTimeout(() => this.#away(id), heldFor)
      return
    }
    const toast = untrack(() => this.list).find((one) => one.id === id)
    if (toast?.passing) this.dismiss(id)
    else if (toast && !toast.listed) this.#change((one) => (one.id === id ? { ...one, listed: true } : one))
  }

  /** Marks every message as read, when the list opens. Its messages are no longer shown elsewhere. */
  openList(): void {
    this.#change((one) => (one.passing ? one : { ...one, listed: true, read: true }))
  }

  #change(to: (toast: Toast) => Toast): void {
    this.list = untrack(() => this.list).map(to)
  }

  /** Moves surviving toasts to the list that replaces this one. */
  handOver(to: Toasts): void {
    this.#successor = to
    for (const { listed, ...one } of untrack(() => this.list)) {
      const { level, action, attempt, survivesAccountSwitch, passing, origin } = one
      if (survivesAccountSwitch && (level === 'error' || !listed))
        to.show(one.text, { level, action, attempt, survivesAccountSwitch, passing, origin })
    }
  }

  /** Dismisses the error of an attempt that has succeeded since. @param attempt read only if an error is about one */
  succeeded(attempt: () => string): void {
    const failed = untrack(() => this.list).filter((one) => one.attempt !== undefined)
    if (failed.length === 0) return
    const now = attempt()
    for (const one of failed) if (one.attempt === now) this.dismiss(one.id)
  }

  /** Takes progress away whose work is over, whatever its end says. */
  endProgress(): void {
    if (this.#successor) this.#successor.endProgress()
    else this.list = untrack(() => this.list).filter(({ passing }) => !passing)
  }

  dismiss(id: number): void {
    const list = untrack(() => this.list)
    this.list = list.filter((toast) => toast.id !== id)
    list.find((toast) => toast.id === id)?.ongone?.()
  }

  /** Dismisses everything. */
  clear(): void {
    for (const { id } of untrack(() => this.list)) this.dismiss(id)
  }
}
