import { untrack } from 'svelte'
import { FaultError, faultOf, type Fault } from '#shared/fault'
import type { ColumnStatistics, OpenTable, ShapedView, TableShape } from '#shared/results/questions'
import type { Bridge } from '#shared/ipc/contract'
import { ask } from '../../../bridge'

/** Number of rows per page. */
const pageRows = 100
/** Maximum number of cached pages. */
const keptPages = 40

/** Currency code of all money columns, or undefined if unknown. */
export const currencyOf = (table: OpenTable | null): string | undefined =>
  table?.about.find(([name]) => name === 'Currency')?.[1]

export const plainShape: TableShape = { filters: [], group: [], sort: [] }

/**
 * Table in another process: its visible rows and its shape. Rows are loaded in pages. A missing row is undefined until
 * `arrivals` increases.
 */
export class ResultTable {
  readonly #bridge: Bridge
  readonly #open: () => Promise<OpenTable | null>
  table = $state.raw<OpenTable | null>(null)
  view = $state.raw<ShapedView | null>(null)
  /** Requested shape. The view may still have the previous one. */
  shape = $state.raw<TableShape>(plainShape)
  /** Shape of the current view. */
  viewShape = $state.raw<TableShape>(plainShape)
  fault = $state.raw<Fault | null>(null)
  /** True while reading or shaping. The previous view stays visible. */
  busy = $state(false)
  /** Read progress from 0 to 1, or null. */
  read = $state<number | null>(null)
  /** Number of loaded pages. */
  arrivals = $state(0)
  #pages = new Map<number, string[][] | 'asked'>()
  #asked = 0
  #making: Promise<void> = Promise.resolve()
  #closed = false

  constructor(bridge: Bridge, open: () => Promise<OpenTable | null>) {
    this.#bridge = bridge
    this.#open = open
  }

  /** Opens the file and applies a shape. @returns true if that succeeded */
  async start(shape: TableShape = plainShape): Promise<boolean> {
    const off = this.#bridge.on('results/progress', ({ doing, done, of }) => {
      if (doing === 'reading' && of > 0) this.read = done / of
    })
    this.busy = true
    this.fault = null
    try {
      const table = await this.#open()
      if (!table) return false
      if (this.#closed) {
        void ask(this.#bridge, 'results/close', { table: table.table }).catch(() => undefined)
        return false
      }
      this.table = table
      await this.reshape(fitting(shape, table))
      return true
    } catch (error) {
      this.fault = faultOf(error)
      return false
    } finally {
      off()
      this.read = null
      this.busy = false
    }
  }

  /** Applies a shape, and aborts an earlier one in progress. */
  reshape(shape: TableShape): Promise<void> {
    return (this.#making = this.#reshape(shape, true))
  }
  /** Resolves once the view has the requested shape, or failed. */
  async settled(): Promise<void> {
    let making: Promise<void> | undefined
    while (making !== this.#making) {
      making = this.#making
      await making
    }
  }
  /** `reopens`: reopen a lost table, but only once. */
  async #reshape(shape: TableShape, reopens: boolean): Promise<void> {
    const { table } = this
    if (!table) return
    this.shape = shape
    const mine = ++this.#asked
    this.busy = true
    try {
      const view = await ask(this.#bridge, 'results/shape', { table: table.table, shape })
      // Read before the view is shown, so that new columns never have empty rows.
      const first = view.rows > 0 ? await this.#page(view, 0) : []
      if (mine !== this.#asked) return
      this.#pages = new Map([[0, first]])
      this.fault = null
      this.view = view
      this.viewShape = shape
      this.arrivals++
    } catch (error) {
      if (mine !== this.#asked) return
      const fault = faultOf(error)
      // The process ended or evicted the table, so read the file again.
      if (fault.code === 'gone' && reopens && (await this.#reopened())) return await this.#reshape(shape, false)
      if (fault.code !== 'aborted') this.fault = fault
    } finally {
      if (mine === this.#asked) this.busy = false
    }
  }

  /** Cells of a row in the service's format. Requests missing pages. */
  row(at: number): string[] | undefined {
    void this.arrivals
    const page = Math.floor(at / pageRows)
    const held = this.#pages.get(page)
    if (held === undefined) untrack(() => this.#fetch(page))
    return held === undefined || held === 'asked' ? undefined : held[at % pageRows]
  }

  /** Loads any rows, for copying. @throws FaultError */
  async rows(from: number, count: number): Promise<string[][]> {
    const { view } = this
    if (!view) throw new FaultError({ code: 'gone', message: 'This table is closed.' })
    const found: string[][] = []
    for (let at = from; at < from + count; at += 500) {
      const part = { view: view.view, from: at, count: Math.min(500, from + count - at) }
      found.push(...(await ask(this.#bridge, 'results/page', part)).rows)
    }
    return found
  }

  /** Statistics of a column of the view. @throws FaultError */
  async statistics(column: string): Promise<ColumnStatistics> {
    const { view } = this
    if (!view) throw new FaultError({ code: 'gone', message: 'This table is closed.' })
    return ask(this.#bridge, 'results/statistics', { view: view.view, column })
  }

  close(): void {
    this.#closed = true
    this.#asked++
    const { table } = this
    if (table) void ask(this.#bridge, 'results/close', { table: table.table }).catch(() => undefined)
  }

  #fetch(page: number): void {
    const { view } = this
    if (!view || page * pageRows >= view.rows) return
    const pages = this.#pages
    pages.set(page, 'asked')
    this.#page(view, page).then(
      (rows) => {
        if (pages !== this.#pages) return
        pages.delete(page)
        pages.set(page, rows)
        for (const old of [...pages.keys()].slice(0, Math.max(0, pages.size - keptPages))) pages.delete(old)
        this.arrivals++
      },
      (error: unknown) => {
        if (pages !== this.#pages) return
        pages.delete(page)
        if (faultOf(error).code === 'gone') void this.reshape(this.shape)
      },
    )
  }

  async #page({ view }: ShapedView, page: number): Promise<string[][]> {
    return (await ask(this.#bridge, 'results/page', { view, from: page * pageRows, count: pageRows })).rows
  }

  async #reopened(): Promise<boolean> {
    try {
      const table = await this.#open()
      if (table) this.table = table
      return table !== null
    } catch (error) {
      this.fault = faultOf(error)
      return false
    }
  }
}

/** Drops the parts of a shape that refer to missing columns. */
function fitting(shape: TableShape, { columns }: OpenTable): TableShape {
  const derived = (shape.derived ?? []).filter(({ of }) => columns.some(({ head }) => head === of))
  const heads = new Set([...columns, ...derived].map(({ head }) => head))
  const shown = shape.columns?.filter((head) => heads.has(head)) ?? []
  return {
    filters: shape.filters.flatMap((filter) => {
      // Filters from outside name the field instead of the header.
      const head = heads.has(filter.column) ? filter.column : columns.find(({ field }) => field === filter.column)?.head
      return head === undefined ? [] : [{ ...filter, column: head }]
    }),
    group: shape.group.filter((column) => heads.has(column)),
    sort: shape.sort.filter(({ column }) => heads.has(column)),
    ...(shape.pivot && heads.has(shape.pivot.column) && heads.has(shape.pivot.figure) && { pivot: shape.pivot }),
    ...(shown.length > 0 && { columns: shown }),
    ...(derived.length > 0 && { derived }),
  }
}
