import { untrack } from 'svelte'
import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
import type { PlaceEdit, Upon } from '../../replica/api'
import { patchOf, rebase } from '../../replica/rebase'

/** Maximum number of records of an edit to mark as being saved. Larger edits show progress instead. */
const maxMarked = 200

/** An edit on its way to the replica. */
export interface Waiting {
  key: string
  edit: PlaceEdit
  upon: Upon | undefined
}

/** Edits from the key press until they’re saved: shown until memory has them, and marked until the disk has them. */
export class Saving {
  /** Number of edits being saved, by record key. */
  #marked = $state.raw<ReadonlyMap<string, number>>(new Map())
  /** By record key. */
  #waiting = $state.raw<ReadonlyMap<string, readonly Waiting[]>>(new Map())

  has(key: string): boolean {
    return this.#marked.has(key)
  }

  get busy(): boolean {
    return this.#marked.size > 0 || this.#waiting.size > 0
  }

  /** Marks records until the work is done, unless there are too many. */
  mark(keys: readonly string[], done: Promise<unknown>): void {
    if (keys.length > maxMarked) return
    this.#count(keys, 1)
    const end = (): void => this.#count(keys, -1)
    done.then(end, end)
  }
  #count(keys: readonly string[], by: number): void {
    const next = new Map(untrack(() => this.#marked))
    for (const key of keys) {
      const count = (next.get(key) ?? 0) + by
      if (count > 0) next.set(key, count)
      else next.delete(key)
    }
    this.#marked = next
  }

  /** Shows edits until the returned function is called. */
  show(edits: readonly Waiting[]): () => void {
    const shown = new Set(edits)
    const next = new Map(untrack(() => this.#waiting))
    for (const one of edits) next.set(one.key, [...(next.get(one.key) ?? []), one])
    this.#waiting = next
    return () => {
      const next = new Map(untrack(() => this.#waiting))
      for (const { key } of edits) {
        const left = next.get(key)?.filter((one) => !shown.has(one)) ?? []
        if (left.length > 0) next.set(key, left)
        else next.delete(key)
      }
      this.#waiting = next
    }
  }

  /** The record with the edits that memory doesn’t have yet. */
  over(facts: Collection, key: string, record: JsonObject): JsonObject {
    return (this.#waiting.get(key) ?? []).reduce((made, { edit, upon = {} }) => {
      const { patch, left } = rebase(facts, { edits: [edit], upon }, made, 0)
      return withPatch(made, left.length > 0 ? patchOf(facts, made, edit) : patch)
    }, record)
  }

  /** The value that an edit is about to write to a place. Undefined without one. */
  valueAt(key: string, path: string): Json | undefined {
    let value: Json | undefined
    for (const { edit } of this.#waiting.get(key) ?? []) if (edit.path === path && 'value' in edit) value = edit.value
    return value
  }
}
