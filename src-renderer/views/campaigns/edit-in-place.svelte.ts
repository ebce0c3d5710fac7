import { untrack } from 'svelte'
import { parseRecordKey } from '#shared/domain/collections'
import { kindAt } from '#shared/fields/kind'
import { valueAt, withValueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { PlaceEdit, Upon } from '../../replica/api'
import { rebase } from '../../replica/rebase'
import { keepFailedEdit, showFailedEdit } from './failed-edits'
import type { Made } from './inline'
import type { CampaignsModel } from './model.svelte'
import { ownersAt, readTyped } from './parse-cell'
import { changedWords, failedEdit, savePlaces, type Place, type PlaceInput } from './save-places'
import { typedText } from './typed'

interface Picked {
  value: Json
  made?: Made | undefined
}

export interface Surroundings {
  place(): Place
  /** The record as it’s shown now. Undefined if it isn’t in memory. */
  shown(key: string): Upon | undefined
  /** Several texts have a line each, and Enter starts one. */
  lines?: true
  /** Called with an edit that is about to be saved, and when memory has it. */
  onwrite?(edit: PlaceEdit): void
  onheld?(): void
}

/** Typing into a place of one or more records, from the first key until it’s saved. */
export class EditInPlace {
  /** Plain fields behind a counter, because a component that is being destroyed reads former values of state. */
  #changes = $state(0)
  #text: string | null = null
  #picked: Picked | null = null
  #problem: string | undefined
  #replaces = false
  /** Records as the author saw them when the edit began, by key. */
  #upon: Map<string, Upon> | null = null

  constructor(
    readonly model: CampaignsModel,
    private readonly around: Surroundings,
  ) {}

  /** Typed text. Null before the first key. */
  get text(): string | null {
    void this.#changes
    return this.#text
  }
  /** Chosen value that couldn’t be saved yet. */
  get picked(): Picked | null {
    void this.#changes
    return this.#picked
  }
  /** Why the value can’t be saved. */
  get problem(): string | undefined {
    void this.#changes
    return this.#problem
  }
  /** The edit would replace an unseen change. Once shown, its author may confirm. */
  get replaces(): boolean {
    void this.#changes
    return this.#replaces
  }
  #set(text: string | null, picked: Picked | null = null): void {
    this.#text = text
    this.#picked = picked
    this.#tell(undefined)
  }
  #tell(problem: string | undefined, replaces = false): void {
    this.#problem = problem
    this.#replaces = replaces
    this.#changes = untrack(() => this.#changes) + 1
  }

  /** Begins with what its author sees, or continues. */
  type(text: string | null): void {
    const { place, shown } = this.around
    this.#upon ??= new Map(
      place().keys.flatMap((key) => {
        const now = shown(key)
        return now ? [[key, now] as const] : []
      }),
    )
    this.#set(text)
  }
  pick(value: Json, made?: Made): void {
    this.#set(this.#text, { value, made })
  }
  forget(): void {
    this.#set(null)
    this.#upon = null
  }

  /** The first record’s value as its author saw it. */
  get seen(): Json | undefined {
    const { place, shown } = this.around
    const { keys, path } = place()
    const [key = ''] = keys
    return valueOf(this.#upon?.get(key) ?? shown(key), path)
  }

  /** The problem, and how to continue. */
  get note(): string | undefined {
    if (this.problem === undefined || !this.replaces) return this.problem
    const { place, lines } = this.around
    const { facts, path } = place()
    const kind = kindAt(facts, path)
    const startsLine = lines && (kind === 'prose' || kind === 'texts')
    return `${this.problem}. Press ${startsLine ? 'Ctrl+Enter' : 'Enter again'} to replace it`
  }

  /** The value for each record, null if nothing changed, or why the text is invalid. */
  read(): Map<string, Json> | null | string {
    const { model } = this
    const [text, picked] = [this.#text, this.#picked]
    const { facts, path, keys } = this.around.place()
    if (picked) return new Map(keys.map((key) => [key, picked.value]))
    if (text === null) return null
    const { shown } = this.around
    if (keys.every((key) => text === this.textOf(valueOf(this.#upon?.get(key) ?? shown(key), path)))) return null
    const values = new Map<string, Json>()
    const known = new Map<string, ReturnType<typeof readTyped>>()
    for (const key of keys) {
      const { parent } = parseRecordKey(key)
      const seen = this.#upon?.get(key)
      const current = valueOf(seen, path)
      const owners = ownersAt(model, facts, path, seen?.record ?? {})
      const like = JSON.stringify([parent, current ?? null, owners])
      const read = known.get(like) ?? readTyped(model, facts, path, text, parent, { current, owners })
      known.set(like, read)
      if ('problem' in read) return read.problem
      values.set(key, read.value)
    }
    return values
  }

  /** Formats a value as the input shows it. */
  textOf(value: Json | undefined): string {
    const { place, lines } = this.around
    const { facts, path } = place()
    const kind = kindAt(facts, path) ?? 'text'
    if (lines && kind === 'texts' && Array.isArray(value)) return value.map(String).join('\n')
    return typedText(kind, value, this.model.context.zone)
  }

  /**
   * Saves the edit without waiting for the disk.
   * @param asked true for an explicit key such as Enter, which confirms replacing a change that was shown
   * @returns false if it stays and shows why: its text is invalid, or it would replace a value its author hasn’t seen
   */
  commit(asked = false): boolean {
    // Also called for the blur of a destroyed input, which was settled before.
    if (this.#text === null && !this.#picked) return true
    if (this.#replaces && !asked) return false
    const values = this.read()
    if (values === null) {
      this.forget()
      return true
    }
    if (typeof values === 'string') {
      this.#tell(values)
      return false
    }
    const { shown } = this.around
    const input = this.#input(values)
    const { facts, path } = input.place
    const changed = [...input.edits].flatMap(([key, edit]) => {
      const [now, upon] = [shown(key), input.upon.get(key)]
      if (!now || !upon) return []
      return rebase(facts, { edits: [edit], upon }, recordOf(now, path), now.seq ?? 0).left.length > 0
        ? [{ key, now }]
        : []
    })
    if (changed.length > 0) {
      for (const { key, now } of changed) this.#upon!.set(key, now)
      const words = changed.map(({ key, now }) => ({ key, now: valueOf(now, path) ?? null }))
      this.#tell(changedWords(this.model, input.place, words), true)
      return false
    }
    this.forget()
    this.#save(input)
    return true
  }

  /** Saves a choice at once. Unlike typed text, a choice applies to the current value. */
  put(edit: PlaceEdit, made?: Made): void {
    const { place, shown } = this.around
    const { keys } = place()
    const upon = new Map(keys.map((key) => [key, this.#upon?.get(key) ?? shown(key) ?? {}]))
    this.#save({ place: place(), edits: new Map(keys.map((key) => [key, edit])), upon, made })
  }

  /** Saves a choice that differs by record. */
  putEach(edits: ReadonlyMap<string, PlaceEdit>): void {
    if (edits.size === 0) return
    const { place, shown } = this.around
    const keys = [...edits.keys()]
    this.#save({ place: { ...place(), keys }, edits, upon: new Map(keys.map((key) => [key, shown(key) ?? {}])) })
  }

  /**
   * Ends the edit because its place goes away. If it can’t be saved, a message shows its text, or it’s stored for the
   * next start (`closing`).
   */
  settle(closing = false): void {
    if (this.commit()) return
    const values = this.read()
    const input = this.#input(values instanceof Map ? values : new Map())
    const tell = closing ? keepFailedEdit : showFailedEdit
    tell(this.model, {
      ...failedEdit(this.model, input, this.#problem ?? 'Couldn’t read this value'),
      ...(values instanceof Map && {
        again: { label: 'Replace', run: () => savePlaces(this.model, input, this.around.onheld) },
      }),
    })
    this.forget()
  }

  #input(values: ReadonlyMap<string, Json>): PlaceInput {
    const [text, picked] = [this.#text, this.#picked]
    const place = this.around.place()
    const edits = new Map([...values].map(([key, value]) => [key, { path: place.path, value }]))
    return { place, edits, upon: new Map(this.#upon), ...(picked ? { made: picked.made } : { text: text ?? '' }) }
  }
  #save(input: PlaceInput): void {
    for (const edit of new Set(input.edits.values())) this.around.onwrite?.(edit)
    void savePlaces(this.model, input, this.around.onheld)
  }
}

/** The record, as far as it’s shown. */
const recordOf = ({ record, values }: Upon, path: string): JsonObject =>
  record ?? (withValueAt({}, path, values?.[path] ?? null) as JsonObject)
const valueOf = (upon: Upon | undefined, path: string): Json | undefined =>
  upon?.record ? valueAt(upon.record, path) : upon?.values?.[path]
