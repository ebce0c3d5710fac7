import { faultOf } from '#shared/fault'
import type { ReadReply } from './read-in-process'

/** A process that was started here, whether Electron or Node did. */
export interface ChildProcess<Order = unknown> {
  post(order: Order): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number | null) => void): void
  kill(): void
}

/** Electron and Node give a process that was started different doors to the one that started it. */
interface Door {
  on(name: 'message', listener: (message: unknown) => void): unknown
  postMessage?(message: unknown): void
  send?(message: unknown): unknown
}

const door = (): Door => ((process as { parentPort?: Door }).parentPort ?? process) as Door

/** Listens to messages from the process that started this one. */
export function onParentMessage(listener: (order: unknown) => void): void {
  // Electron wraps messages in an event.
  door().on('message', (message) => listener((message as { data?: unknown }).data ?? message))
}

/** Answers the one order of a process that reads a file, see `readInProcess`. */
export function answerOnce(read: (order: unknown) => Promise<unknown>): void {
  const say = (reply: ReadReply): void => tellParent(reply)
  onParentMessage((order) => {
    void read(order).then(
      (found) => say({ ok: true, read: found }),
      (error: unknown) => say({ ok: false, fault: faultOf(error) }),
    )
  })
}

export function tellParent(message: unknown): void {
  const to = door()
  if (to.postMessage) to.postMessage(message)
  else to.send?.(message)
}
