import { untrack } from 'svelte'
import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { AppContext, Place } from '../../context/context'
import { outermost } from '../../context/record-names'
import type { TableRows } from '../../replica/api'
import type { Selection } from '../../ui/cell-selection.svelte'
import type { StateFilter } from './saved-views'
import type { Scope } from './scope'

/** The list with the selection. */
interface List {
  readonly app: Pick<AppContext, 'replica' | 'announce' | 'navigation'>
  readonly selection: Selection
  readonly kind: Collection
  readonly scope: Scope
  /** The record whose form is shown. */
  readonly open: string | null
  readonly rows: TableRows | null
  readonly columns: readonly { path: string }[]
  readonly table: { readonly looking: boolean }
  readonly narrowed: boolean
  state: StateFilter
  clearFilters(): void
  show(kind: CollectionName, scope: Scope): void
  moveTo(row: number, column: number): void
  openHere(): void
}

/** Keeps the selection on its records, and takes it to those that were created, or opened elsewhere. */
export class SelectedRecords {
  /** The last time that the list went to a record. Only one that was opened elsewhere takes the focus. */
  arrival = $state.raw<{ focus: boolean } | null>(null)
  /** The rows on which the selection was made, to follow its records when they're sorted differently. */
  #before: TableRows | null = null
  /** A record opened from elsewhere, until its row is found. */
  #sought: string | null = null
  /** A new record, until its row is found. */
  #made: string | null = null
  /** A cell to go to, until its row is found. */
  #cell = $state.raw<{ key: string; path: string | undefined } | null>(null)
  /** The last place that this view went to or followed. */
  #place: Place | null = null

  constructor(private readonly list: List) {}

  /** Follows navigation and rows until the calling component unmounts. */
  follow(): void {
    $effect(() => {
      const { rows, columns } = this.list
      if (rows) untrack(() => this.#carry(rows, columns.length))
    })
    $effect(() => {
      const { rows, open, table, app } = this.list
      const { place } = app.navigation
      if (place !== this.#place) this.#sought = open
      this.#place = place
      if (rows && open !== null && !table.looking) untrack(() => this.#selectRecord(rows, open))
      if (rows && open !== null && open === this.#made) untrack(() => this.#selectMade(rows, open))
    })
    $effect(() => {
      const { rows, table } = this.list
      if (rows && this.#cell && !table.looking) untrack(() => this.#selectCell(rows))
    })
  }

  /** Scrolls to the selection. */
  arrive(focus = true): void {
    this.arrival = { focus }
  }
  /** Called when the selection is made on the present rows. */
  keep(): void {
    this.#before = this.list.rows
  }
  /** Called when the selection is about places, not about records. */
  forget(): void {
    this.#before = null
  }
  /** Called when the view itself went to a place. */
  went(place: Place): void {
    this.#place = place
    this.#sought = null
  }
  /** Selects a new record once its row is found. */
  awaitRow(record: string): void {
    this.#made = record
  }
  /** Selects a cell of any record, in the list of its kind. Opens the form of one that was deleted here. */
  reveal(key: string, path?: string): void {
    const { app, kind, scope } = this.list
    const real = app.replica.realKey(key)
    const { collection, parent } = parseRecordKey(real)
    const within = { profile: outermost(parent) ?? scope.profile }
    if (this.#isDeleted(real)) {
      app.navigation.go('campaigns', { kind: collection, ...within, record: real })
      return
    }
    this.#cell = { key: real, path }
    if (kind.name !== collection) this.list.show(collection, within)
  }

  /** True for a record whose deletion isn't sent yet. No list has it. */
  #isDeleted(key: string): boolean {
    const row = this.list.app.replica.peek(key)
    return Boolean(row?.base) && !row?.value
  }

  #carry(rows: TableRows, columns: number): void {
    const { app, selection } = this.list
    if (this.#before && !selection.carry(this.#before, rows, (key) => app.replica.realKey(key)))
      app.announce('The selected rows are no longer next to each other, so only one is selected')
    this.#before = rows
    selection.within(rows.length, columns)
  }

  /** Selects a record that was opened elsewhere. Clears the filters once if they hide it. */
  #selectRecord(rows: TableRows, open: string): void {
    const { list } = this
    if (this.#sought !== open) return
    const row = rows.find(open)
    if (row >= 0) {
      this.#sought = null
      list.selection.moveTo(row, 0)
      list.selection.pickRows(row, row)
      this.arrive()
    } else if (!this.#isDeleted(open) && (list.narrowed || list.state !== 'all')) {
      list.clearFilters()
      list.state = 'all'
    } else this.#sought = null
  }

  /** Selects a new record, unless the filters hide it. */
  #selectMade(rows: TableRows, made: string): void {
    const row = rows.find(made)
    if (row < 0) return
    this.#made = null
    this.list.selection.moveTo(row, 0)
    this.#before = rows
    // The form of the new record has the focus.
    this.arrive(false)
  }

  /** Clears the filters once if they hide the record. */
  #selectCell(rows: TableRows): void {
    const { list } = this
    const { key, path } = this.#cell!
    const row = rows.find(key)
    if (row >= 0) {
      this.#cell = null
      const column = list.columns.findIndex((one) => one.path === path)
      list.moveTo(row, Math.max(0, column))
      if (path !== undefined && column < 0) list.openHere()
      this.arrive()
    } else if (list.narrowed || list.state !== 'all' || list.scope.within !== undefined) {
      list.clearFilters()
      list.state = 'all'
      if (list.scope.within !== undefined) list.show(list.kind.name, { profile: list.scope.profile })
    } else this.#cell = null
  }
}
