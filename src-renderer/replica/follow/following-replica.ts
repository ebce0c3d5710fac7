import type { ServiceName } from '#shared/wire/services'
import type {
  Change,
  ConflictChoice,
  DownloadChoice,
  Edited,
  EditOptions,
  EditTurn,
  Resolution,
  SeenConflict,
  Work,
} from '../api'
import { LocalReplica, type ReplicaParts } from '../local-replica'
import type { Connection } from './connection'

/** Replica of a window that isn't the owner: reads from its own memory, and sends commands to the owner. */
export class FollowingReplica extends LocalReplica {
  constructor(
    parts: ReplicaParts,
    private readonly connection: () => Connection,
  ) {
    super(parts)
  }

  override edit(changes: readonly Change[], options: EditOptions, work?: Work): Promise<Edited> {
    return this.connection().call('edit', [changes, options, work])
  }

  override inTurn<T>(work: (turn: EditTurn) => Promise<T>): Promise<T> {
    return this.connection().inTurn(work)
  }

  override undo(only?: string, work?: Work): Promise<string | null> {
    return this.connection().call('undo', [only, work])
  }

  override redo(work?: Work): Promise<string | null> {
    return this.connection().call('redo', [work])
  }

  override withdraw(entryId: string): Promise<void> {
    return this.connection().call('withdraw', [entryId])
  }

  override post(entryIds?: readonly string[]): Promise<number> {
    return this.connection().call('post', [entryIds])
  }

  override retry(...entryIds: string[]): Promise<void> {
    return this.connection().call('retry', entryIds)
  }

  override resolve(entryId: string, choice: ConflictChoice, options?: EditOptions): Promise<string | null> {
    return this.connection().call('resolve', [entryId, choice, options])
  }

  override resolveAll(conflicts: readonly SeenConflict[], options: EditOptions, work?: Work): Promise<Resolution> {
    return this.connection().call('resolveAll', [conflicts, options, work])
  }

  override download(choice: DownloadChoice): Promise<string> {
    return this.connection().call('download', [choice])
  }

  override pauseDownload(key: string, paused: boolean): Promise<void> {
    return this.connection().call('pauseDownload', [key, paused])
  }

  override removeDownload(key: string): Promise<boolean> {
    return this.connection().call('removeDownload', [key])
  }

  override refreshDownload(key: string): void {
    this.order('refreshDownload', key)
  }

  override dismiss(noticeId: string): void {
    this.order('dismiss', noticeId)
  }

  override syncNow(service?: ServiceName): void {
    this.order('syncNow', service)
  }

  override checkSync(service?: ServiceName): void {
    this.order('checkSync', service)
  }

  override cancelCheck(service?: ServiceName): void {
    this.order('cancelCheck', service)
  }

  override pause(paused: boolean): void {
    this.order('pause', paused)
  }

  override setOffline(offline: boolean): Promise<void> {
    return this.connection().call('setOffline', [offline])
  }

  /** Sends a command without waiting for its end. */
  private order(command: Parameters<Connection['call']>[0], ...args: readonly unknown[]): void {
    this.connection()
      .call(command, args)
      .catch(() => undefined)
  }
}
