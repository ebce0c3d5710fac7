import { parseRecordKey } from '#shared/domain/collections'
import { revertLabel } from '#shared/domain/labels'
import { FaultError } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import type { IdSource } from '#shared/mutation/ids'
import type {
  Change,
  ConflictChoice,
  Edited,
  EditOptions,
  EditTurn,
  LeftPlace,
  Resolution,
  SeenConflict,
  Work as LongWork,
} from './api'
import type { EditContext } from './context'
import { deletedBy, forgetDeletion } from './deleted'
import { applyChange, currentRecord } from './edit'
import { markEditStarted, markEditEnded } from './interrupted-edit'
import { keyNow } from './moved-records'
import { readStored } from './read-stored'
import { rebase } from './rebase'
import { restoreDeleted, restoreDiscarded } from './recently-deleted'
import { withdraw } from './resolve'
import { resolveAsStep, resolveSeen } from './resolve-many'
import { inSlices, sliceSize, type Slice, type SliceDeps } from './slices'
import type { Store, StoredRow } from './store'
import { revert, undoItem } from './undo-item'
import type { Tx } from './tx'
import { undoDepth, type UndoStep } from './undo'
import { partId, stepOf } from './undo-steps'

export interface StepParts extends SliceDeps {
  account: Account
  store: Store
  ids: IdSource
  /** False in a second window, which only reads. */
  writing: () => boolean
}

/** Work in numbered pieces, done one after the other. */
interface Work {
  count: number
  /** Label of the entries, if it differs from the step's. */
  label?: string
  /** Keys of the records that a change touches, as far as known. */
  touched(at: number): readonly string[]
  run(context: EditContext, at: number): void
  /** Writes stored together with the changes up to `done`. */
  after?(context: EditContext, done: number): void
  long?: LongWork
}

/** The user's edits, each one undo step, and undo and redo. Runs one at a time, however large. */
export class Steps {
  /** Ends when all edits so far are in memory. Null if they are. */
  private last: Promise<void> | null = null

  constructor(
    private readonly parts: StepParts,
    /** Called when these collections have something new to send. */
    private readonly edited: (changed: ReadonlySet<string>) => void,
  ) {}

  /** Runs work after earlier work is in memory, and before later work. An edit in it passes on the turn. */
  inTurn<T>(work: (turn: EditTurn) => Promise<T>): Promise<T> {
    let ended!: () => void
    const last = new Promise<void>((resolve) => (ended = resolve))
    const end = (): void => {
      if (this.last === last) this.last = null
      ended()
    }
    const before = this.last
    this.last = last
    const begin = async (): Promise<T> => work({ end })
    // At once if nothing is before it, so that views show the edit in the same frame.
    const done = before ? before.then(begin) : begin()
    done.then(end, end)
    return done
  }

  /** @throws the signal's reason, with nothing changed */
  edit(changes: readonly Change[], options: EditOptions, long: LongWork = {}): Promise<Edited> {
    const { turn } = options
    return turn ? this.make(changes, options, long, turn) : this.inTurn((own) => this.make(changes, options, long, own))
  }

  private async make(
    changes: readonly Change[],
    options: EditOptions,
    long: LongWork,
    turn: EditTurn,
  ): Promise<Edited> {
    long.signal?.throwIfAborted()
    const { memory } = this.parts
    const keys: string[] = []
    const left: LeftPlace[] = []
    const real = (at: number): Change => {
      const change = memory.withRealIds(changes[at]!)
      return change.kind === 'change' ? { ...change, key: keyNow(memory, change.key) } : change
    }
    const group = await this.step('undo', options, turn, {
      count: changes.length,
      touched: (at) => {
        const change = real(at)
        return 'key' in change ? [change.key] : []
      },
      run: (context, at) => {
        const change = real(at)
        if (change.kind === 'restore') return void keys.push(restoreDeleted(context, change.key))
        if (change.kind !== 'places' && change.kind !== 'revert') return void keys.push(applyChange(context, change))
        const asked = (changes[at] as typeof change).key
        keys.push(change.key)
        if (change.kind === 'revert')
          return void left.push(...revert(context, change).map((one) => ({ key: asked, ...one })))
        const { key, edits } = change
        const record = currentRecord(memory, key)
        if (!record)
          return void left.push(...edits.map(({ path }) => ({ key: asked, path, now: undefined, gone: true as const })))
        const { collection } = parseRecordKey(key)
        const rebased = rebase(memory.facts.of(collection), change, record, memory.remote.of(key))
        left.push(...rebased.left.map((one) => ({ key: asked, ...one })))
        if (Object.keys(rebased.patch).length > 0) applyChange(context, { kind: 'change', key, patch: rebased.patch })
      },
      after: endRedo,
      long,
    })
    return { group, keys, left }
  }

  /** Resolves one conflict. Returns the step's ID, or null if it can't be undone. @throws FaultError */
  resolveOne(entryId: string, choice: ConflictChoice, options: EditOptions): Promise<string | null> {
    return this.inTurn(async (turn) => {
      const entry = this.parts.memory.outbox.get(entryId)
      if (!entry?.conflict) throw new FaultError({ code: 'notFound', message: 'This conflict is already resolved' })
      let canUndo = false
      const group = await this.step('undo', options, turn, {
        count: 1,
        touched: () => decidedWith(entry),
        run: (context) => {
          const now = this.parts.memory.outbox.get(entryId) ?? entry
          const item = deletedBy(this.parts.memory, now)
          resolveAsStep(context, now, choice)
          if (choice.keep !== 'mine') restoreDiscarded(context, now, item)
          canUndo = context.items.length > 0
        },
        after: endRedo,
      })
      return canUndo ? group : null
    })
  }

  /** @throws the signal's reason, with nothing changed */
  resolve(conflicts: readonly SeenConflict[], options: EditOptions, long: LongWork = {}): Promise<Resolution> {
    return this.inTurn(async (turn) => {
      long.signal?.throwIfAborted()
      const { outbox } = this.parts.memory
      const left: string[] = []
      const group = await this.step('undo', options, turn, {
        count: conflicts.length,
        touched: (at) => {
          const entry = outbox.get(conflicts[at]!.entry.id)
          return entry ? decidedWith(entry) : []
        },
        run: (context, at) => {
          const conflict = conflicts[at]!
          if (!resolveSeen(context, conflict)) left.push(conflict.entry.id)
        },
        after: endRedo,
        long,
      })
      return { group, left }
    })
  }

  /**
   * Undoes the last step of one stack, which becomes a step of the other. Returns its label, or null if there is none.
   * @param how `only`: the intended step @throws FaultError `conflict` if it isn't the last; the reason of an aborted signal
   */
  back(
    from: UndoStep['stack'],
    to: UndoStep['stack'],
    long: LongWork & { only?: string | undefined } = {},
  ): Promise<string | null> {
    return this.inTurn((turn) => this.makeBack(from, to, long, turn))
  }

  private async makeBack(
    from: UndoStep['stack'],
    to: UndoStep['stack'],
    { only, ...long }: LongWork & { only?: string | undefined },
    turn: EditTurn,
  ): Promise<string | null> {
    long.signal?.throwIfAborted()
    const { undo } = this.parts.memory
    const parts = undo.parts(from).at(-1)
    if (only !== undefined && (!parts || stepOf(parts[0]!) !== only)) {
      const message = parts ? 'You’ve made other changes since. Undo those first.' : 'This was already undone.'
      throw new FaultError({ code: 'conflict', message })
    }
    if (!parts) return null
    const { label, options } = parts[0]!
    const items = parts.flatMap((part) => part.items.map((item) => ({ part: part.id, item }))).reverse()
    const item = (at: number): UndoStep['items'][number] => undo.current(items[at]!.part, items[at]!.item)
    const created = new Set(items.flatMap(({ item: { kind, key } }) => (kind === 'created' ? [key] : [])))
    // The undone record has again what it had passed on to a new one, such as the rest of a series. Restoring that would duplicate it.
    const isPassedOn = items.some(({ item: { kind, key } }) => kind === 'fields' && !created.has(key))
    try {
      await this.step(to, { label, ...options }, turn, {
        count: items.length,
        label: from === 'undo' ? revertLabel(label) : label,
        touched: (at) => [item(at).key],
        run: (context, at) => {
          undoItem(context, item(at))
          if (isPassedOn && item(at).kind === 'created') context.tx.putDeleted(item(at).key, null)
        },
        after: ({ tx }, done) => leave(tx, parts, items.length - done),
        long,
      })
    } catch (error) {
      // A step that can't be undone anymore mustn't block the ones before it.
      if (error instanceof FaultError && error.fault.code !== 'storage') {
        await this.writeNow((tx) => parts.forEach((part) => tx.removeUndo(part.id)), turn)
      }
      throw error
    }
    return label
  }

  /** Discards a pending entry with its dependents. What a deletion discarded comes back. @throws FaultError */
  withdraw(entryId: string): Promise<void> {
    return this.write((tx) => {
      const { ids, memory } = this.parts
      const entry = memory.outbox.get(entryId)
      if (!entry) return
      const context = this.context(tx, ids.ulid(), { label: entry.label })
      const item = deletedBy(memory, entry)
      withdraw(context, entryId)
      if (entry.kind === 'delete') forgetDeletion(tx, entry)
      restoreDiscarded(context, entry, item)
    })
  }

  /** Changes the outbox without an undo step. */
  write(work: (tx: Tx) => void): Promise<void> {
    return this.inTurn((turn) => this.writeNow(work, turn))
  }

  private async writeNow(work: (tx: Tx) => void, turn: EditTurn): Promise<void> {
    this.mustWrite()
    const { value: changed, saved } = this.parts.commits.run('edit', (tx) => {
      work(tx)
      return tx.topics
    })
    turn.end()
    await saved
    this.edited(changed)
  }

  /** Resolves when no edit is running. */
  async settled(): Promise<void> {
    while (this.last) await this.last
  }

  /** Runs one edit, which becomes a step on the given stack. Ends the turn once it's in memory. Returns the step's ID. */
  private async step(stack: UndoStep['stack'], options: EditOptions, turn: EditTurn, work: Work): Promise<string> {
    this.mustWrite()
    const group = this.parts.ids.ulid()
    if (work.count > sliceSize) {
      const changed = new Set<string>()
      await this.sliced(stack, group, options, work, changed).finally(() => this.edited(changed))
      return group
    }
    const { saved, changed } = await this.withBodies(work, 0, work.count, () => {
      const { value: changed, saved } = this.parts.commits.run('edit', (tx) => {
        const context = this.context(tx, group, options, work)
        for (let at = 0; at < work.count; at++) work.run(context, at)
        work.after?.(context, work.count)
        this.keep(context, stack, options.label, 0)
        return tx.topics
      })
      options.onheld?.()
      turn.end()
      return { saved, changed }
    })
    await saved
    this.edited(changed)
    return group
  }

  private async sliced(
    stack: UndoStep['stack'],
    group: string,
    options: EditOptions,
    work: Work,
    changed: Set<string>,
  ): Promise<void> {
    let kept = 0
    const slice = (tx: Tx, from: number, enough: (at: number) => boolean): { tx: Tx; next: number } => {
      const context = this.context(tx, group, options, work)
      let at = from
      do work.run(context, at++)
      while (at < work.count && !enough(at))
      work.after?.(context, at)
      if (this.keep(context, stack, options.label, kept)) kept++
      if (from === 0) markEditStarted(tx, group, work.count)
      if (at === work.count) markEditEnded(tx)
      for (const topic of tx.topics) changed.add(topic)
      return { tx, next: at }
    }
    const make = (from: number, enough: (at: number) => boolean): Promise<Slice> =>
      this.withBodies(work, from, Math.min(work.count, from + sliceSize), () => {
        const { value, saved } = this.parts.commits.run('edit', (tx) => slice(tx, from, enough))
        return { ...value, saved }
      })
    try {
      await inSlices(this.parts, work.count, make, work.long)
    } catch (error) {
      // Everything was undone.
      await this.parts.commits.run('back', markEditEnded).saved
      throw error
    }
  }

  private context(
    tx: Tx,
    group: string,
    options: EditOptions,
    { label = options.label }: Partial<Work> = {},
  ): EditContext {
    const { ids, account, environment } = this.parts
    return {
      tx,
      ids,
      now: () => environment.now(),
      accountId: account.id,
      group,
      options: { ...options, label },
      items: [],
    }
  }

  /** Adds the effects of an edit to its step on a stack. */
  private keep(
    { tx, group, options, items }: EditContext,
    stack: UndoStep['stack'],
    label: string,
    part: number,
  ): boolean {
    if (items.length === 0) return false
    const kept = {
      ...(options.sendUpdates && { sendUpdates: options.sendUpdates }),
      ...(options.mails && { mails: options.mails }),
    }
    const id = partId(group, part)
    tx.putUndo({ id, ...(part > 0 && { of: group }), stack, label, options: kept, items })
    if (part > 0) return true
    const steps = this.parts.memory.undo.parts(stack)
    for (const old of steps.slice(0, Math.max(0, steps.length - undoDepth))) for (const { id } of old) tx.removeUndo(id)
    return true
  }

  /** Runs work synchronously, with all bodies in memory that it touches, after reading those that are only on disk. */
  private async withBodies<T>(work: Work, from: number, to: number, run: () => T): Promise<T> {
    const { memory } = this.parts
    const touched: string[] = []
    for (let at = from; at < to; at++) touched.push(...work.touched(at))
    const read = new Map<string, StoredRow | undefined>()
    // Checked again after each wait, because memory may have freed rows.
    for (;;) {
      const missing = memory.onDisk(touched).filter((key) => !read.has(key))
      if (missing.length === 0) break
      const rows = await readStored(this.parts, missing)
      missing.forEach((key, index) => read.set(key, rows[index]))
    }
    // Synchronously with the edit, because a commit in between could evict the bodies.
    for (const body of read.values()) if (body) memory.hold(body)
    return run()
  }

  private mustWrite(): void {
    if (this.parts.writing()) return
    throw new FaultError({
      code: 'storage',
      message: 'Flightplan is open in another window. Make your changes there. Nothing changed.',
    })
  }
}

/** Keys of records whose seen values a decision notes: its own, and those that the conflict is about. */
const decidedWith = (entry: OutboxEntry): string[] => [ownKey(entry), ...(entry.conflict?.unseen ?? [])]

/** Drops the steps that could be redone before an edit. */
function endRedo({ tx, items }: EditContext): void {
  if (items.length > 0) for (const part of tx.memory.undo.parts('redo')) for (const { id } of part) tx.removeUndo(id)
}

/** Stores the remaining items of a step that is being undone, from its end. */
function leave(tx: Tx, parts: readonly UndoStep[], left: number): void {
  let before = 0
  for (const part of parts) {
    const stays = Math.min(part.items.length, left - before)
    before += part.items.length
    if (stays === part.items.length) continue
    if (stays > 0) tx.putUndo({ ...part, items: part.items.slice(0, stays) })
    else if (tx.memory.undo.get(part.id)) tx.removeUndo(part.id)
  }
}
