import { faultOf } from '#shared/fault'
import { withPatch } from '#shared/merge/merge'
import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'
import { insideSentence } from '../../context/record-words'
import type { Row } from '../../replica/api'
import { headFor } from './grid-columns'
import { showMissing, wordsOfMade, type Made } from './inline'
import { rebaseEdit, patchOf, type PlaceEdit } from './rebase-edit'
import { placeWords } from './changed-since-seen'
import type { CampaignsModel } from './model.svelte'
import { gone } from './parse-cell'
import type { TypedField } from './typed-field.svelte'
import { showFailedEdit, unsaved } from './failed-edits'

interface Write extends Beside {
  facts: Collection
  path: string
  edit: PlaceEdit
  /** The record its author saw. */
  seen: JsonObject
}

interface Beside {
  /** Text as typed, if the value was typed. */
  text?: string | undefined
  /** A new record that the value refers to. */
  made?: Made | undefined
}

const again = (seen: JsonObject): { label: string; seen: JsonObject } => ({ label: 'Try again', seen })

/** Queue of a form's writes, which are shown at once. Finishes after the form closes. */
export class FormWrites {
  /** Fields that accept typed text. */
  readonly fields = new Set<TypedField>()
  /** Written paths, in order. */
  readonly written: string[] = []
  #pending = $state.raw<readonly Write[]>([])

  /** @param fresh called with the record after each write */
  constructor(
    readonly model: CampaignsModel,
    readonly key: string,
    private readonly fresh: (row: Row | undefined) => void,
  ) {}

  /** Applies queued writes to a record. */
  shown(value: JsonObject): JsonObject {
    return this.#pending.reduce((made, { facts, seen, path, edit }) => {
      const laid = rebaseEdit(facts, seen, path, edit, made)
      return withPatch(made, 'patch' in laid ? laid.patch : patchOf(facts, made, path, edit))
    }, value)
  }

  write(facts: Collection, path: string, edit: PlaceEdit, seen: JsonObject, beside: Beside = {}): void {
    void this.#write({ facts, path, edit, seen, ...beside })
  }

  /** Resolves when the edit is written, or its failure was shown. */
  #write(one: Write): Promise<void> {
    this.#pending = [...this.#pending, one]
    this.written.push(one.path)
    this.model.work.pass()
    return this.model
      .inTurn([this.key], (held) => this.#save(one, held))
      .catch((error: unknown) => this.#tell(one, undefined, faultOf(error).message, again(one.seen)))
      .finally(() => (this.#pending = this.#pending.filter((other) => other !== one)))
  }

  async #save(one: Write, onheld: () => void): Promise<void> {
    const { facts, path, edit, seen, made } = one
    const { app } = this.model
    const now = await app.replica.read(this.key)
    if (!now?.value) return this.#tell(one, undefined, gone)
    const laid = rebaseEdit(facts, seen, path, edit, now.value)
    if ('now' in laid) {
      const words = placeWords(this.model, facts, path, laid.now, this.model.contextOf(this.key))
      return this.#tell(one, now, `Changed to ${words} while you were editing`, { label: 'Replace', seen: now.value })
    }
    if (Object.keys(laid.patch).length === 0) return
    const what = `Change *${this.model.titleOf(now).replaceAll('*', '')}*: ${insideSentence(headFor(facts, path))}`
    const change = { kind: 'change', key: this.key, patch: laid.patch } as const
    let why = unsaved
    const receipt = { onfailed: (said: string) => (why = said) }
    const label = made ? `${what}, with a ${wordsOfMade(this.model, made)}` : what
    const done = await app.edit(made ? [made.creation, change] : [change], { label, onheld }, receipt)
    if (done && made) showMissing(this.model, made)
    if (!done) this.#tell(one, now, why, again(seen))
    // The write has succeeded, even if the record can't be read again.
    await app.replica.read(this.key).then(this.fresh, () => undefined)
  }

  #tell(one: Write, row: Row | undefined, why: string, again?: { label: string; seen: JsonObject }): void {
    const { facts, path, edit, text } = one
    const value: Json = 'value' in edit ? edit.value : 'add' in edit ? edit.add : edit.remove
    const words = placeWords(this.model, facts, path, value, this.model.contextOf(this.key)).replace(/^“|”$/g, '')
    showFailedEdit(this.model, {
      key: this.key,
      head: insideSentence(headFor(facts, path)),
      title: row ? this.model.titleOf(row) : `the ${facts.words.one}`,
      text: text ?? words,
      why,
      ...(again && {
        again: { label: again.label, run: () => this.#write({ ...one, seen: again.seen }) },
      }),
    })
  }
}
