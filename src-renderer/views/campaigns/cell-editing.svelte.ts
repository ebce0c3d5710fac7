import { parseRecordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { Upon } from '../../replica/api'
import { EditInPlace } from './edit-in-place.svelte'
import type { GridColumn } from './grid-columns'
import type { Made } from './inline'
import type { CampaignsModel } from './model.svelte'
import { gone, whyClosed } from './parse-cell'
import type { Place } from './save-places'

export type Move = 'down' | 'up' | 'right' | 'left' | null

/** The cell being edited and everything needed to save it, because the place where it was opened may change. */
export class OpenCell extends EditInPlace {
  constructor(
    model: CampaignsModel,
    readonly column: GridColumn,
    readonly place: Place,
    /** The letter that opened the editor. Replaces the value. */
    readonly letter: string | null,
    shown: (key: string) => Upon | undefined,
  ) {
    super(model, { place: () => place, shown })
    this.type(letter)
  }

  get key(): string {
    return this.place.keys[0]!
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
  /** The read-only cell that a letter was just typed into. */
  #refused: string | null = null

  constructor(
    readonly model: CampaignsModel,
    private readonly around: Surroundings,
  ) {}

  /**
   * Opens at once, so that no letter is lost, unless the cell is known to be read-only. Closes again if it turns out to be, once
   * the record is read.
   */
  open(letter: string | null = null): void {
    const { model } = this
    const { rows, columns, selection, kind } = model
    const column = columns[selection.column]
    this.#refused = null
    if (!rows || !column || model.length === 0) return
    const key = rows.key(selection.row)
    if (!column.typed || !column.held) return void this.#openPart(kind, key, column, letter)
    const { path } = column
    const known = whyClosed(kind, path, model.app.replica.peek(key)?.value, parseRecordKey(key).id)
    if (known !== undefined) return this.#refuse(key, column, known, letter)
    const many = selection.many && selection.range.left === selection.range.right
    const keys = many ? [key, ...model.selectedKeys().filter((one) => one !== key)] : [key]
    const name = kind.title === undefined ? undefined : this.#valueOf(key, kind.title)
    const title = typeof name === 'string' && name !== '' ? name : `an unnamed ${kind.words.one}`
    const about = new OpenCell(model, column, { facts: kind, path, keys, title }, letter, (one) =>
      this.shown(one, path),
    )
    this.now = about
    void this.#closedNow(kind, key, column).then((why) => {
      if (why === undefined || this.now !== about) return
      this.leave(about)
      this.#refuse(key, column, why, letter)
    })
  }
  #refuse(key: string, { path, head }: GridColumn, why: string, letter: string | null): void {
    const { app } = this.model
    if (letter !== null && letter !== ' ') this.#refused = `${key} ${path}`
    app.announce(`${head}: ${why}`)
    app.toasts.show(`${head}: ${why}`)
  }
  /** Ends text that is typed into a read-only cell. Returns true if there was any, which a space would belong to. */
  endRefused(): boolean {
    const { rows, columns, selection } = this.model
    const refused = this.#refused
    this.#refused = null
    return refused !== null && refused === `${rows?.key(selection.row)} ${columns[selection.column]?.path}`
  }

  /** What the grid shows in a cell. Undefined if it isn't in memory. */
  shown(key: string, path: string): Upon | undefined {
    const seq = this.model.app.replica.remoteSeq(key)
    const value = this.#valueOf(key, path)
    return value === undefined && !this.#isHeld(key, path) ? undefined : { seq, values: { [path]: value ?? null } }
  }
  /** The value of a cell, including pending writes. Undefined also if it isn't in memory. */
  #valueOf(key: string, path: string): Json | undefined {
    const { app, saving } = this.model
    const own = saving.valueAt(key, path)
    if (own !== undefined) return own
    const value = app.replica.peek(key)?.value
    if (value) return valueAt(value, path)
    const rows = this.#rows
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
   * @returns false if the edit stays open and shows why
   */
  commit(about: OpenCell, { move = null, focus = true, asked = true }: Ending = {}): boolean {
    return this.now !== about || (about.commit(asked) && this.leave(about, move, focus))
  }

  /** @param made a new record that the value refers to */
  pick(about: OpenCell, value: Json, move: Move = null, made?: Made): void {
    about.pick(value, made)
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
    about.settle(closing)
    return this.leave(about, null, focus)
  }

  leave(about: OpenCell, move: Move = null, focus = true): true {
    if (this.now !== about) return true
    this.now = null
    this.around.left(move, focus)
    return true
  }

  async #openPart(kind: Collection, key: string, column: GridColumn, letter: string | null): Promise<void> {
    const why = await this.#closedNow(kind, key, column)
    if (why === undefined) this.around.openPart(column.path)
    else this.#refuse(key, column, why, letter)
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
}
