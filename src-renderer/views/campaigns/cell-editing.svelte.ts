import type { Collection } from '#shared/facts/collection'
import { faultOf } from '#shared/fault'
import { parseRecordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import { insideSentence } from '../../context/record-words'
import type { GridColumn } from './grid-columns'
import type { Made } from './inline'
import { changedSinceSeen, placeWords } from './changed-since-seen'
import type { CampaignsModel } from './model.svelte'
import { gone, readTyped, whyClosed } from './parse-cell'
import { typedText } from './typed'
import { keepFailedEdit, showFailedEdit, unsaved } from './failed-edits'
import { writeCells, type Refusal, type Written } from './writing'

export type Move = 'down' | 'up' | 'right' | 'left' | null

/** The cell being edited and everything needed to save it, because the place where it was opened may change. */
export class OpenCell {
  /** Typed text. Null before the first key. */
  text = $state<string | null>(null)
  /** Selected value that couldn't be saved yet. */
  picked = $state.raw<{ value: Json; made?: Made | undefined } | null>(null)
  /** Why the value can't be saved. */
  problem = $state<string | undefined>()
  /** The edit would replace an unseen change. Once shown, its author may confirm. */
  replaces = $state(false)

  /** @param seen the values of the cells when the edit began */
  constructor(
    readonly kind: Collection,
    readonly column: GridColumn,
    readonly key: string,
    /** Records to write. With several selected, the typed text applies to all of them. */
    readonly keys: readonly string[],
    readonly seen: Map<string, Json | undefined>,
    /** The letter that opened the editor. Replaces the value. */
    readonly letter: string | null,
    /** Title of the record. */
    readonly title: string,
  ) {
    this.text = letter
  }

  type(text: string | null): void {
    this.text = text
    this.picked = null
    this.problem = undefined
    this.replaces = false
  }

  get value(): Json | undefined {
    return this.seen.get(this.key)
  }
  get parent(): string | null {
    return parseRecordKey(this.key).parent
  }
  /** True if the value is selected from a list rather than typed. */
  get picks(): boolean {
    return ['choice', 'yesNo', 'reference'].includes(this.column.kind)
  }
}

interface Ending {
  move?: Move
  /** Returns the focus to the grid. */
  focus?: boolean
  /** An explicit key such as Enter, which confirms replacing a shown change. */
  asked?: boolean
}

interface Surroundings {
  /** Called after the editor has closed. `focus` returns the focus to the grid. */
  left: (move: Move, focus: boolean) => void
  /** Opens the form for a cell whose value has parts of its own. */
  openPart: (path: string) => void
}

/** The cell being edited in a grid, and how the edit ends. */
export class CellEditing {
  now = $state.raw<OpenCell | null>(null)
  /** The grid was unmounted, so its rows are ignored. */
  #over = false
  /** Values written by this grid, until its rows contain them. */
  readonly #own = new Map<string, { value: Json; rows: CampaignsModel['rows'] | undefined }>()

  constructor(
    readonly model: CampaignsModel,
    private readonly around: Surroundings,
  ) {}

  /** Opens at once, so that no letter is lost, and closes again if the cell turns out to be read-only. */
  open(letter: string | null = null): void {
    const { model } = this
    const { rows, columns, selection, kind } = model
    const column = columns[selection.column]
    if (!rows || !column || model.length === 0) return
    const key = rows.key(selection.row)
    if (!column.typed || !column.held) return void this.#openPart(kind, key, column)
    const keys = selection.many && selection.range.left === selection.range.right ? model.selectedKeys() : [key]
    const seen = new Map(keys.map((one) => [one, this.currentValue(one, column.path)]))
    const name = kind.title === undefined ? undefined : this.currentValue(key, kind.title)
    const title = typeof name === 'string' && name !== '' ? name : `an unnamed ${kind.words.one}`
    const about = new OpenCell(kind, column, key, keys, seen, letter, title)
    this.now = about
    void this.#closedNow(kind, key, column).then((why) => {
      if (why === undefined || this.now !== about) return
      this.leave(about)
      model.app.announce(`${column.head}: ${why}`)
      model.app.toasts.show(`${column.head}: ${why}`)
    })
  }

  /** The value of a cell, including pending writes. Undefined also if it isn't in memory. */
  currentValue(key: string, path: string): Json | undefined {
    const { app } = this.model
    const rows = this.#rows
    const own = this.#own.get(`${key}\n${path}`)
    if (own && (own.rows === undefined || own.rows === rows)) return own.value
    const value = app.replica.peek(key)?.value
    if (value) return valueAt(value, path)
    const row = rows?.find(key) ?? -1
    const column = rows?.columns.indexOf(path) ?? -1
    return row < 0 || column < 0 ? undefined : rows!.cell(row, column)
  }
  get #rows(): CampaignsModel['rows'] {
    return this.#over ? null : this.model.rows
  }
  #isHeld(key: string, path: string): boolean {
    const { app } = this.model
    const rows = this.#rows
    return Boolean(app.replica.peek(key)?.value) || ((rows?.find(key) ?? -1) >= 0 && rows!.columns.includes(path))
  }

  /**
   * Ends an edit without waiting for the save, so that the next keys reach their cell.
   * @returns false if the edit stays open and shows why: its text is invalid, or it would replace a value its author
   * hasn't seen
   */
  commit(about: OpenCell, { move = null, focus = true, asked = true }: Ending = {}): boolean {
    if (this.now !== about) return true
    if (about.replaces && !asked) return false
    const values = this.#read(about)
    if (values === null) return this.leave(about, move, focus)
    if (typeof values === 'string') {
      about.problem = values
      about.replaces = false
      return false
    }
    const { path } = about.column
    const changed = about.keys.filter(
      (key) =>
        this.#isHeld(key, path) && changedSinceSeen(this.currentValue(key, path), about.seen.get(key), values.get(key)),
    )
    if (changed.length > 0) {
      for (const key of changed) about.seen.set(key, this.currentValue(key, path))
      about.problem = this.#meanwhile(about, changed)
      about.replaces = true
      return false
    }
    this.leave(about, move, focus)
    void this.#save(about, values)
    return true
  }

  /** @param made a new record that the value refers to */
  pick(about: OpenCell, value: Json, move: Move = null, made?: Made): void {
    about.picked = { value, made }
    this.commit(about, { move })
  }

  /** Called when the grid unmounts. */
  end(): void {
    this.settle({ gone: true })
    this.#over = true
  }

  /**
   * Ends the edit because the user turns elsewhere. An invalid edit stays open, unless it can't (`gone`): then a
   * message shows the typed text, or it's stored for the next start (`closing`).
   * @returns true if no cell is open anymore
   */
  settle({ gone = false, closing = false, focus = false } = {}): boolean {
    const about = this.now
    if (!about || this.commit(about, { focus, asked: false })) return true
    // A closed list no longer shows the text that was typed into it.
    if (!gone && !closing && !about.picks) return false
    this.leave(about, null, focus)
    const values = this.#read(about)
    const tell = closing ? keepFailedEdit : showFailedEdit
    tell(this.model, {
      ...this.#named(about),
      text: this.#textOf(about),
      why: about.problem!,
      ...(values instanceof Map && { again: { label: 'Replace', run: () => this.#save(about, values) } }),
    })
    return true
  }

  leave(about: OpenCell, move: Move = null, focus = true): true {
    if (this.now !== about) return true
    this.now = null
    this.around.left(move, focus)
    return true
  }

  async #openPart(kind: Collection, key: string, column: GridColumn): Promise<void> {
    const why = await this.#closedNow(kind, key, column)
    if (why === undefined) this.around.openPart(column.path)
    else this.model.app.toasts.show(`${column.head}: ${why}`)
  }
  async #closedNow(kind: Collection, key: string, { path }: GridColumn): Promise<string | undefined> {
    try {
      const row = await this.model.app.replica.read(key)
      return row?.value ? whyClosed(kind, path, row.value, row.id) : gone
    } catch {
      // Saving reports the disk error, so don't block editing.
      return undefined
    }
  }

  /** The value for each cell, null if nothing changed, or why the text is invalid. */
  #read({ kind, column, keys, seen, text, picked, value }: OpenCell): Map<string, Json> | null | string {
    if (picked) return new Map(keys.map((key) => [key, picked.value]))
    if (text === null || text === typedText(column.kind, value, this.model.context.zone)) return null
    const values = new Map<string, Json>()
    const known = new Map<string, ReturnType<typeof readTyped>>()
    for (const key of keys) {
      const { parent } = parseRecordKey(key)
      const current = seen.get(key)
      const like = JSON.stringify([parent, current ?? null])
      const read = known.get(like) ?? readTyped(this.model, kind, column.path, text, parent, current)
      known.set(like, read)
      if ('problem' in read) return read.problem
      values.set(key, read.value)
    }
    return values
  }

  async #save(
    about: OpenCell,
    values: ReadonlyMap<string, Json>,
    again: readonly string[] = about.keys,
  ): Promise<void> {
    const { path } = about.column
    this.model.work.pass()
    const mine = new Map(again.map((key) => [key, { value: values.get(key)!, rows: undefined }]))
    for (const [key, own] of mine) this.#own.set(`${key}\n${path}`, own)
    let why = unsaved
    const { refused, failed = false } = await writeCells(
      this.model,
      again.map((key) => ({ key, path, value: values.get(key)!, seen: about.seen.get(key) ?? null })),
      { made: about.picked?.made, onfailed: (said) => (why = said) },
    ).catch((error: unknown): Written => {
      why = faultOf(error).message
      return { written: 0, refused: [], failed: true }
    })
    const wrong = new Set(failed ? again : refused.map(({ key }) => key))
    for (const [key, own] of mine) {
      // A newer edit has replaced this one.
      if (this.#own.get(`${key}\n${path}`) !== own) continue
      if (wrong.has(key)) this.#own.delete(`${key}\n${path}`)
      else this.#own.set(`${key}\n${path}`, { ...own, rows: this.#rows })
    }
    if (wrong.size > 0) this.#tell(about, values, failed ? [] : refused, [...wrong], why)
  }

  /** Shows a failed save after its editor has closed. */
  #tell(
    about: OpenCell,
    values: ReadonlyMap<string, Json>,
    refused: readonly Refusal[],
    wrong: readonly string[],
    failure: string,
  ): void {
    const changed = refused.filter(({ now }) => now !== undefined)
    for (const { key, now } of changed) about.seen.set(key, now)
    const why =
      changed.length > 0
        ? this.#meanwhile(
            about,
            changed.map(({ key }) => key),
          )
        : (refused[0]?.why ?? failure)
    const retry = refused.length === 0 ? wrong : changed.map(({ key }) => key)
    showFailedEdit(this.model, {
      ...this.#named(about),
      ...(about.keys.length > 1 && { title: `${wrong.length} of ${about.keys.length} selected` }),
      text: this.#textOf(about),
      why,
      ...(retry.length > 0 && {
        again: {
          label: changed.length > 0 ? 'Replace' : 'Try again',
          run: () => this.#save(about, values, retry),
        },
      }),
    })
  }

  #meanwhile({ kind, column, keys, key, seen }: OpenCell, changed: readonly string[]): string {
    const [one = key] = changed
    const words = placeWords(this.model, kind, column.path, seen.get(one), this.model.contextOf(one))
    if (keys.length === 1) return `Changed to ${words} while you were editing`
    return `${changed.length} of ${keys.length} changed while you were editing, one to ${words}`
  }
  #textOf({ kind, column, text, picked, key }: OpenCell): string {
    if (!picked) return text ?? ''
    return placeWords(this.model, kind, column.path, picked.value, this.model.contextOf(key)).replace(/^“|”$/g, '')
  }
  #named({ column, key, title }: OpenCell): { key: string; head: string; title: string } {
    return { key, head: insideSentence(column.head), title }
  }
}
