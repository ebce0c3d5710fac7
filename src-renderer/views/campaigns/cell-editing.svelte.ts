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

/** A cell that is being edited, with all that writing it needs: where it was opened may have changed since. */
export class OpenCell {
  /** What was typed; null: nothing yet. */
  text = $state<string | null>(null)
  /** What was chosen from a list and could not be written yet. */
  picked = $state.raw<{ value: Json; made?: Made | undefined } | null>(null)
  /** Why it is not written. */
  problem = $state<string | undefined>()
  /** The edit would replace an unseen change. Once shown, its author may confirm. */
  replaces = $state(false)

  /** @param seen what stood in each of the cells, as far as its author was shown it */
  constructor(
    readonly kind: Collection,
    readonly column: GridColumn,
    readonly key: string,
    /** The records whose cells are written: what is typed into one of several selected ones holds for all. */
    readonly keys: readonly string[],
    readonly seen: Map<string, Json | undefined>,
    /** The letter that opened it: it takes the place of what stood there. */
    readonly letter: string | null,
    /** What the record is called. */
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
  /** Chosen from a list rather than typed. */
  get picks(): boolean {
    return ['choice', 'yesNo', 'reference'].includes(this.column.kind)
  }
}

interface Ending {
  move?: Move
  /** The grid has the keys again. */
  focus?: boolean
  /** An explicit key such as Enter, which confirms replacing a shown change. */
  asked?: boolean
}

interface Surroundings {
  /** The editor has gone; `focus`: the grid has the keys again. */
  left: (move: Move, focus: boolean) => void
  /** A cell whose value has parts of its own. */
  openPart: (path: string) => void
}

/** The one cell of a grid that is being edited, and how it ends. */
export class CellEditing {
  now = $state.raw<OpenCell | null>(null)
  /** The grid was unmounted, so its rows are ignored. */
  #over = false
  /** What this grid has written, until the rows show it. */
  readonly #own = new Map<string, { value: Json; rows: CampaignsModel['rows'] | undefined }>()

  constructor(
    readonly model: CampaignsModel,
    private readonly around: Surroundings,
  ) {}

  /** Opens at once, so that no letter is lost; whether it may be edited is known a moment later. */
  open(letter: string | null = null): void {
    const { model } = this
    const { rows, columns, selection, kind } = model
    const column = columns[selection.column]
    if (!rows || !column || model.length === 0) return
    const key = rows.key(selection.row)
    if (!column.typed || !column.held) return void this.#openPart(kind, key, column)
    const keys = selection.many && selection.range.left === selection.range.right ? model.selectedKeys() : [key]
    const seen = new Map(keys.map((one) => [one, this.stands(one, column.path)]))
    const name = kind.title === undefined ? undefined : this.stands(key, kind.title)
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
  stands(key: string, path: string): Json | undefined {
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
   * Ends an edit and goes on at once, so that keys typed next find their cell. Answers whether it has ended: what cannot
   * be read, or would replace what its author has not seen, stays open and says so.
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
        this.#isHeld(key, path) && changedSinceSeen(this.stands(key, path), about.seen.get(key), values.get(key)),
    )
    if (changed.length > 0) {
      for (const key of changed) about.seen.set(key, this.stands(key, path))
      about.problem = this.#meanwhile(about, changed)
      about.replaces = true
      return false
    }
    this.leave(about, move, focus)
    void this.#save(about, values)
    return true
  }

  /** @param made a record that is made with the edit, which refers to it */
  pick(about: OpenCell, value: Json, move: Move = null, made?: Made): void {
    about.picked = { value, made }
    this.commit(about, { move })
  }

  /** The grid goes. */
  end(): void {
    this.settle({ gone: true })
    this.#over = true
  }

  /**
   * Ends the edit because people turn to something else. What cannot be written stays open; where it cannot (`gone`), it
   * is told with what was typed, or kept for the next start (`closing`). Answers whether no cell is open any more.
   */
  settle({ gone = false, closing = false, focus = false } = {}): boolean {
    const about = this.now
    if (!about || this.commit(about, { focus, asked: false })) return true
    // A list that is closed shows nothing of what was typed to find something in it.
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
      // Whoever writes it hears what the disk says.
      return undefined
    }
  }

  /** What is to be written into each cell; null where nothing was changed; otherwise why it cannot be. */
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
      // What was typed there since then is newer.
      if (this.#own.get(`${key}\n${path}`) !== own) continue
      if (wrong.has(key)) this.#own.delete(`${key}\n${path}`)
      else this.#own.set(`${key}\n${path}`, { ...own, rows: this.#rows })
    }
    if (wrong.size > 0) this.#tell(about, values, failed ? [] : refused, [...wrong], why)
  }

  /** Of what was not written after its editor had gone. */
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
