import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { recordLines } from '../../context/record-words'
import type { PlaceEdit, Row, Upon } from '../../replica/api'
import { sameValue } from '../../replica/rebase'
import type { EditInPlace } from './edit-in-place.svelte'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import { entriesAt, sharedOf, valuesAt, type CountedValue } from './shared-values'

/** Maximum number of values to name. */
const maxNamed = 3

/** Several records that one form edits. */
export class BulkRecords {
  /** Null until they're read. */
  rows = $state.raw<readonly Row[] | null>(null)

  constructor(
    private readonly model: CampaignsModel,
    readonly facts: Collection,
    readonly keys: readonly string[],
  ) {}

  /** Reads them now, and again after each change, until the calling component unmounts. */
  follow(): void {
    const { replica } = this.model.app
    $effect(() => {
      let over = false
      const read = (): void =>
        void readAll(replica, this.keys).then((found) => {
          if (!over) this.rows = [...found.values()]
        })
      read()
      const stop = replica.subscribe((topics) => {
        if (topics.has(this.facts.name) || topics.has('outbox')) read()
      })
      return () => {
        over = true
        stop()
      }
    })
  }

  /** By key, with edits that memory doesn't have yet. */
  readonly #values = $derived.by(
    (): ReadonlyMap<string, JsonObject> =>
      new Map((this.rows ?? []).map(({ key, value }) => [key, this.model.saving.over(this.facts, key, value!)])),
  )
  readonly #seqs = $derived(new Map((this.rows ?? []).map(({ key, remoteSeq }) => [key, remoteSeq])))
  readonly #all = $derived([...this.#values.values()])
  readonly shared = $derived(sharedOf(this.#all))
  get count(): number {
    return this.#all.length
  }

  /** A record as the author of an edit sees it. */
  shown(key: string): Upon | undefined {
    const record = this.#values.get(key)
    const seq = this.#seqs.get(key)
    return record && seq !== undefined ? { seq, record } : undefined
  }

  /** `3 values: CPM (12), CPC (7), Flat rate (3)`. Undefined if all records have the same value. */
  mixed(path: string): string | undefined {
    const values = valuesAt(this.#all, path)
    if (values.length < 2) return undefined
    const named = values
      .slice(0, maxNamed)
      .map(({ value, count }) => `${this.words(path, value)} (${count.toLocaleString('en')})`)
    return `${values.length.toLocaleString('en')} values${values.length > maxNamed ? ', such as' : ':'} ${named.join(', ')}`
  }

  words(path: string, value: Json): string {
    if (value === null) return 'empty'
    const context = this.model.contextOf(this.keys[0]!)
    return recordLines(this.facts, path, value, context).join(', ') || 'empty'
  }

  entries(path: string, keyOf?: (entry: Json) => unknown): CountedValue[] {
    return entriesAt(this.#all, path, keyOf)
  }

  /** Number of records that typed text would change. */
  affected(typed: EditInPlace, path: string): number {
    const values = typed.read()
    if (!(values instanceof Map)) return 0
    return [...values].filter(([key, value]) => !sameValue(valueAt(this.#values.get(key), path), value)).length
  }

  /** Edits that add an entry to every record that lacks it. */
  adding(path: string, entry: Json, keyOf: (entry: Json) => unknown): Map<string, PlaceEdit> {
    const wanted = JSON.stringify(keyOf(entry))
    return this.#edits(path, (list) =>
      list.some((one) => JSON.stringify(keyOf(one)) === wanted) ? undefined : { path, add: entry },
    )
  }
  /** Edits that remove an entry from every record that has it. */
  removing(path: string, entry: Json, keyOf: (entry: Json) => unknown): Map<string, PlaceEdit> {
    const wanted = JSON.stringify(keyOf(entry))
    return this.#edits(path, (list) => {
      const own = list.find((one) => JSON.stringify(keyOf(one)) === wanted)
      return own === undefined ? undefined : { path, remove: own }
    })
  }
  #edits(path: string, editOf: (list: readonly Json[]) => PlaceEdit | undefined): Map<string, PlaceEdit> {
    return new Map(
      [...this.#values].flatMap(([key, record]) => {
        const list = valueAt(record, path)
        const edit = editOf(Array.isArray(list) ? list : [])
        return edit ? [[key, edit] as const] : []
      }),
    )
  }
}

/** The field of a list's entries that says what they're about. */
export const entryKey =
  (name: string | undefined) =>
  (entry: Json): unknown =>
    name !== undefined && isJsonObject(entry) ? (entry[name] ?? entry) : entry
