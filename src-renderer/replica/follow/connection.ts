import { FaultError, type Fault } from '#shared/fault'
import type { EditOptions, EditTurn, Work } from '../api'
import { commands, type CommandName, type FromOwner, type ReadName, type ToOwner } from './messages'
import type { Line } from './peers'

const fault = (message: string): Fault => ({ code: 'storage', message })
/** Fault if the owner was gone before anything was sent to it. */
export const ownerGone = fault('The main window isn’t responding. Nothing changed. Try again in a moment.')
/** Fault if the owner closed while it was carrying out a command. */
const ownerLost = fault(
  'The main window stopped responding. Check whether your change was saved. If it wasn’t, try again.',
)

interface PendingRequest {
  resolve: (value: never) => void
  reject: (error: unknown) => void
  work?: Work | undefined
  /** Fault if the owner closes before its reply. */
  lost: Fault
}

/** A window's connection to the owner: commands, reads of its store, and turns. */
export class Connection {
  private next = 1
  private readonly pending = new Map<number, PendingRequest>()
  private readonly turns = new Map<number, () => void>()
  private readonly idsOfTurns = new WeakMap<EditTurn, number>()
  private closed = false

  constructor(private readonly line: Line) {}

  /** Handles a reply. */
  take(message: FromOwner<unknown>): void {
    switch (message.kind) {
      case 'reply':
        return this.answered(message.id)?.resolve(message.value as never)
      case 'failed': {
        const request = this.answered(message.id)
        const { signal } = request?.work ?? {}
        return request?.reject(message.aborted && signal?.aborted ? signal.reason : new FaultError(message.fault))
      }
      case 'progress':
        return this.pending.get(message.id)?.work?.onprogress?.(message.done, message.of)
      case 'turn':
        return this.turns.get(message.id)?.()
      default:
    }
  }

  /** @throws FaultError of the owner's replica, or `storage` if the owner is gone */
  async call<T>(command: CommandName, args: readonly unknown[]): Promise<T> {
    const { options: at, work: workAt } = commands[command] as { options?: number; work?: number }
    const work = workAt === undefined ? undefined : (args[workAt] as Work | undefined)
    const options = at === undefined ? undefined : (args[at] as EditOptions | undefined)
    work?.signal?.throwIfAborted()
    const sent = [...args]
    if (workAt !== undefined) sent[workAt] = undefined
    const { turn, onheld, ...plain } = options ?? ({} as EditOptions)
    if (at !== undefined && options) sent[at] = plain
    const turnId = turn && this.idsOfTurns.get(turn)
    const id = this.next++
    const abort = (): void => this.send({ kind: 'abort', id })
    work?.signal?.addEventListener('abort', abort)
    try {
      const value = await this.ask<T>(id, work, {
        ...{ kind: 'call', id, command, args: sent },
        ...(turnId !== undefined && { turn: turnId }),
      })
      // It's in memory by now, because saved changes come before the reply.
      onheld?.()
      return value
    } finally {
      work?.signal?.removeEventListener('abort', abort)
    }
  }

  read<T>(read: ReadName, ...args: readonly unknown[]): Promise<T> {
    const id = this.next++
    return this.ask(id, undefined, { kind: 'read', id, read, args: [...args] })
  }

  /** Runs work in its turn among the edits of all windows. */
  async inTurn<T>(work: (turn: EditTurn) => Promise<T>): Promise<T> {
    const id = this.next++
    const end = (): void => {
      this.turns.delete(id)
      this.send({ kind: 'endTurn', id })
    }
    if (this.closed) throw new FaultError(ownerGone)
    const begun = new Promise<void>((resolve) => this.turns.set(id, resolve))
    this.send({ kind: 'takeTurn', id })
    await begun
    try {
      if (this.closed) throw new FaultError(ownerGone)
      const turn = { end }
      this.idsOfTurns.set(turn, id)
      return await work(turn)
    } finally {
      end()
    }
  }

  /** Ends the connection. Calls that wait for a reply fail. */
  close(): void {
    if (this.closed) return
    this.send({ kind: 'bye' })
    this.closed = true
    for (const { reject, lost } of this.pending.values()) reject(new FaultError(lost))
    this.pending.clear()
    for (const begin of this.turns.values()) begin()
    this.line.close()
  }

  private answered(id: number): PendingRequest | undefined {
    const request = this.pending.get(id)
    this.pending.delete(id)
    return request
  }

  private ask<T>(id: number, work: Work | undefined, message: ToOwner): Promise<T> {
    if (this.closed) return Promise.reject(new FaultError(ownerGone))
    return new Promise<T>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, work, lost: message.kind === 'call' ? ownerLost : ownerGone })
      try {
        this.send(message)
      } catch (error) {
        this.pending.delete(id)
        reject(error as Error)
      }
    })
  }

  private send(message: ToOwner): void {
    if (!this.closed) this.line.send(message)
  }
}
