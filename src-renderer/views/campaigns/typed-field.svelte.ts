import type { Collection } from '#shared/facts/collection'
import { kindOf } from '#shared/fields/kind'
import { nameAt, valueAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import type { JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'
import { insideSentence, type RecordWordContext } from '../../context/record-words'
import { headFor } from './grid-columns'
import type { FormWrites } from './form-writes.svelte'
import { rebaseEdit } from './rebase-edit'
import { placeWords } from './changed-since-seen'
import { findByName, withKnownSizes } from './parse-cell'
import { typedText } from './typed'
import { keepFailedEdit, showFailedEdit } from './failed-edits'

/** The current path and record of a field. */
export interface FieldPlace {
  facts: Collection
  path: string
  field: Field
  /** The whole record, including pending writes. */
  record: JsonObject
  parent: string | null
  context: RecordWordContext
}

/** Text typed into a form field until it's written, relative to the record its author saw when typing began. */
export class TypedField {
  /** Null if nothing was typed since the value was last shown. */
  text = $state<string | null>(null)
  problem = $state<string | undefined>()
  /** Copy of `problem`, readable while the component is being destroyed. */
  #why: string | undefined
  /** The edit would replace an unseen change. Once shown, its author may confirm. */
  #replaces = false
  #seen: JsonObject | null = null

  constructor(
    private readonly writes: FormWrites,
    private readonly place: () => FieldPlace,
  ) {}

  type(text: string | null): void {
    if (text === null) return this.forget()
    this.#seen ??= this.place().record
    this.text = text
    this.#tell(undefined)
    this.#replaces = false
  }
  forget(): void {
    this.text = null
    this.#tell(undefined)
    this.#replaces = false
    this.#seen = null
  }

  /** The record as it was when typing began, or now. */
  get seen(): JsonObject {
    return this.#seen ?? this.place().record
  }

  /**
   * Writes the text.
   * @param asked true for an explicit key, which may replace a change that was shown
   * @returns true if nothing is left to write
   */
  commit(asked = false): boolean {
    if (this.text === null) return true
    if (this.#replaces && !asked) return false
    const { facts, path, field, record, parent, context } = this.place()
    const { text, seen } = this
    const kind = kindOf(facts.table, nameAt(path), field)
    const before = valueAt(seen, path)
    const shown =
      kind === 'texts' && Array.isArray(before) ? before.map(String).join('\n') : typedText(kind, before, context.zone)
    if (text === shown) {
      this.forget()
      return true
    }
    const read = readField(facts.table, nameAt(path), field, text, {
      today: context.today,
      zone: context.zone,
      find: (target, name) => findByName(this.writes.model, target, parent, name),
    })
    if ('problem' in read) {
      this.#tell(read.problem)
      return false
    }
    const edit = { value: withKnownSizes(this.writes.model, parent, kind, read.value) }
    const laid = rebaseEdit(facts, seen, path, edit, record)
    if ('now' in laid) {
      const now = placeWords(this.writes.model, facts, path, laid.now, context)
      const why = `Changed to ${now} while you were editing`
      this.#tell(`${why}. Press Enter again to replace it`, why)
      this.#replaces = true
      this.#seen = record
      return false
    }
    this.forget()
    this.writes.write(facts, path, edit, seen, { text })
    return true
  }

  #tell(problem: string | undefined, why = problem): void {
    this.problem = problem
    this.#why = why
  }

  /** Ends the edit with its form. A failed edit is shown, or stored for the next start (`closing`). */
  settle(closing = false): void {
    if (this.commit() || this.text === null) return
    const { facts, path, record } = this.place()
    const title = facts.title === undefined ? undefined : record[facts.title]
    const tell = closing ? keepFailedEdit : showFailedEdit
    tell(this.writes.model, {
      key: this.writes.key,
      head: insideSentence(headFor(facts, path)),
      title: typeof title === 'string' && title !== '' ? title : `an unnamed ${facts.words.one}`,
      text: this.text,
      why: this.#why ?? 'Couldn’t read this value',
    })
    this.forget()
  }
}
