import { z } from 'zod'
import type { Fault } from '#shared/fault'
import type { Topic } from '../api'
import type { RemoteChange, RemoteSeq } from '../remote-seq'
import type { Moved, Store, StoredRow, Write } from '../store'
import type { LocalReplica } from '../local-replica'

/** Saved transaction of the owner. */
export interface Saved {
  writes: readonly Write[]
  renames: readonly { key: string; to: string }[]
  bodies: readonly StoredRow[]
  remote: readonly RemoteChange[]
  topics: readonly Topic[]
}

/** The owner's state that isn't on disk, sent when another window begins to follow. */
export interface OwnerState {
  remote: RemoteSeq['state']
  renamed: ReadonlyMap<string, string>
  firstIds: ReadonlyMap<string, string>
}

/**
 * Commands for the owner. `options` and `work` are the positions of arguments that contain more than data: a turn, a signal,
 * and callbacks.
 */
export const commands = {
  edit: { options: 1, work: 2 },
  undo: { work: 1 },
  redo: { work: 0 },
  withdraw: {},
  post: {},
  retry: {},
  resolve: { options: 2 },
  resolveAll: { options: 1, work: 2 },
  download: {},
  pauseDownload: {},
  removeDownload: {},
  refreshDownload: {},
  dismiss: {},
  syncNow: {},
  checkSync: {},
  cancelCheck: {},
  pause: {},
  setOffline: {},
} as const satisfies Partial<Record<keyof LocalReplica, { options?: number; work?: number }>>
export type CommandName = keyof typeof commands
export const commandNames = Object.keys(commands) as [CommandName, ...CommandName[]]

/** Reads of the owner's store. */
export const reads = [
  'all',
  'get',
  'wholeRows',
  'neededRows',
  'windowAt',
  'shelfNames',
  'blocksOf',
  'looseRows',
  'rowKeys',
  'history',
] as const satisfies readonly (keyof Store)[]
export type ReadName = (typeof reads)[number]

const id = z.number().int()
/** Messages to the owner, which parses them before use. */
export const toOwner = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call'),
    id,
    command: z.enum(commandNames),
    args: z.array(z.unknown()),
    /** The turn in which it runs. */
    turn: id.optional(),
  }),
  z.object({ kind: z.literal('read'), id, read: z.enum(reads), args: z.array(z.unknown()) }),
  z.object({ kind: z.literal('abort'), id }),
  z.object({ kind: z.literal('takeTurn'), id }),
  z.object({ kind: z.literal('endTurn'), id }),
  z.object({ kind: z.literal('bye') }),
])
export type ToOwner = z.infer<typeof toOwner>

/** Messages of the owner. `Live` is the state of its sync loop. */
export type FromOwner<Live> =
  | { kind: 'welcome'; owner: string; state: OwnerState; live: Live }
  | { kind: 'saved'; saved: readonly Saved[] }
  | { kind: 'moved'; moved: Moved }
  | { kind: 'live'; live: Live; topics: readonly Topic[] }
  | { kind: 'reply'; id: number; value: unknown }
  | { kind: 'failed'; id: number; fault: Fault; aborted: boolean }
  | { kind: 'progress'; id: number; done: number; of: number }
  | { kind: 'turn'; id: number }
  | { kind: 'bye' }

/** Messages on the line on which windows find each other. */
export const meeting = z.discriminatedUnion('kind', [
  /** The owner is ready. */
  z.object({ kind: z.literal('here') }),
  /** Another window listens on a line of this name. */
  z.object({ kind: z.literal('hello'), name: z.string() }),
])
