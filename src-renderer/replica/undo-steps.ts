import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { renameIds } from '#shared/mutation/rename'
import type { DeletedItem } from './api'
import { idNames, ownIds, placeIn, type Place } from './id-names'
import { SortedIds } from './sorted-ids'
import type { Write } from './store'
import type { UndoItem, UndoStep } from './undo'

/** A record's new ID, noted under its name, which applies to steps up to this one. */
export interface UndoRename {
  to: string
  upTo: string
  /** The service never had the record under this ID before: it was deleted and created again. */
  again?: true
}

export const renamePrefix = 'undo-rename '
export const renamesSchema = z.array(z.object({ to: z.string(), upTo: z.string(), again: z.literal(true).optional() }))

/**
 * Undo and redo steps by ID. A bulk edit's step is stored in parts. New IDs of records are noted next to the steps, which
 * are rewritten only at the next start: a step may be large, and its records get their IDs one by one.
 */
export class UndoSteps {
  readonly renames = new Map<string, readonly UndoRename[]>()
  private readonly steps = new Map<string, UndoStep>()
  private readonly stacks = { undo: new SortedIds(), redo: new SortedIds() }

  get size(): number {
    return this.steps.size
  }

  get(id: string): UndoStep | undefined {
    return this.steps.get(id)
  }

  set(id: string, step: UndoStep): void {
    const before = this.steps.get(id)
    if (before && before.stack !== step.stack) this.stacks[before.stack].delete(id)
    this.steps.set(id, step)
    this.stacks[step.stack].add(id)
  }

  delete(id: string): void {
    const step = this.steps.get(id)
    if (step) this.stacks[step.stack].delete(id)
    this.steps.delete(id)
  }

  clear(): void {
    for (const id of [...this.steps.keys()]) this.delete(id)
    this.renames.clear()
  }

  keys(): IterableIterator<string> {
    return this.steps.keys()
  }

  /** The newest ID of a step. */
  get lastId(): string {
    const [undo, redo] = [this.stacks.undo.last ?? '', this.stacks.redo.last ?? '']
    return undo > redo ? undo : redo
  }

  /** The next step of a stack. */
  top(stack: UndoStep['stack']): UndoStep | undefined {
    const { last } = this.stacks[stack]
    return last === undefined ? undefined : this.steps.get(last)
  }

  /** The steps of a stack in their parts, oldest first. */
  parts(stack: UndoStep['stack']): UndoStep[][] {
    const found = new Map<string, UndoStep[]>()
    for (const id of this.stacks[stack]) {
      const part = this.steps.get(id)!
      const step = stepOf(part)
      const known = found.get(step)
      if (known) known.push(part)
      else found.set(step, [part])
    }
    return [...found.values()]
  }

  /**
   * Keys of a record with an ID chosen by its author, in steps up to `upTo`, each with its last step. Steps before a move have
   * the key with the former parent.
   */
  keysOf(key: string, upTo: string): Map<string, string> {
    const { collection, id } = parseRecordKey(key)
    const ids = this.idsOf(id)
    const keys = new Map([[key, upTo]])
    for (const partId of [...this.steps.keys()].sort().reverse()) {
      if (partId > upTo) continue
      for (const item of [...this.steps.get(partId)!.items].reverse()) {
        if (item.kind !== 'acted' || !ids.has(parseRecordKey(item.key).id)) continue
        const { key: moved, back } = this.renamed(partId, item)
        if (!keys.has(moved) || !back || !('destination' in back) || back.destination === undefined) continue
        const before = recordKey(collection, back.destination, id)
        if (!keys.has(before)) keys.set(before, partId)
      }
    }
    return keys
  }

  /** This ID of a record, and those it had before. */
  private idsOf(id: string): Set<string> {
    const ids = new Set([id])
    for (const one of ids)
      for (const [name, renames] of this.renames)
        if (name.includes('\n') && renames.some(({ to }) => to === one)) ids.add(parseRecordKey(name).id)
    return ids
  }

  /** Items of a part with current IDs. */
  current<T extends UndoItem | UndoItem[]>(partId: string, items: T): T {
    if (this.renames.size === 0) return items
    if (!Array.isArray(items)) return this.renamed(partId, items)
    const renamed = items.map((item) => this.renamed(partId, item))
    return renamed.some((item, at) => item !== items[at]) ? (renamed as T) : items
  }

  private renamed<T>(partId: string, item: T): T {
    const place = placeIn(item)
    const parent = place?.parent ?? null
    const real = place && { ...place, parent: parent === null ? null : (this.realId(partId, parent) ?? parent) }
    const again = new Set<string>()
    const renamed = renameIds(item, (id) => this.realId(partId, id, real, () => again.add(id)))
    return isDeleted(item) && ownIds(item).some((id) => again.has(id)) ? { ...renamed, again: true } : renamed
  }

  /** Writes of a start: steps with current IDs, and no renames. */
  rewritten(meta: ReadonlyMap<string, unknown>): Write[] {
    const writes: Write[] = []
    for (const [key, value] of meta) {
      if (!key.startsWith(renamePrefix)) continue
      const renames = safeParse(renamesSchema, value)
      if (renames.success) this.renames.set(key.slice(renamePrefix.length), renames.data)
      writes.push({ table: 'meta', remove: key })
    }
    if (writes.length === 0) return []
    for (const step of this.steps.values()) {
      const items = this.current(step.id, step.items)
      if (items === step.items) continue
      const put = { ...step, items }
      this.steps.set(step.id, put)
      writes.push({ table: 'undo', put })
    }
    this.renames.clear()
    return writes
  }

  private realId(partId: string, id: string, place?: Place, again?: () => void): string | undefined {
    let real: string | undefined
    // Apply later renames after earlier ones. Stop if a record got an earlier name back.
    let since = partId
    for (const seen = new Set([id]); ;) {
      const renames = idNames(real ?? id, place).flatMap((name) => this.renames.get(name) ?? [])
      const next = renames.find(({ upTo }) => since <= upTo)
      if (!next || seen.has(next.to)) return next?.to === id ? undefined : real
      seen.add(next.to)
      if (next.again) again?.()
      real = next.to
      since = next.upTo
    }
  }
}

const isDeleted = (item: unknown): item is DeletedItem => (item as { kind?: unknown }).kind === 'deleted'

export const stepOf = (part: UndoStep): string => part.of ?? part.id

/** ID of a further part of a step, which sorts after the earlier parts, and before every later step. */
export const partId = (step: string, number: number): string =>
  number === 0 ? step : `${step}.${String(number).padStart(6, '0')}`

export const renameMeta = (from: string): string => renamePrefix + from
