import { untrack } from 'svelte'
import { FaultError, faultOf, type Fault } from '#shared/fault'
import type { ColumnStatistics, OpenTable, ShapedView, TableShape } from '#shared/figures/questions'
import type { Bridge } from '#shared/ipc/contract'
import { ask } from '../../../bridge'

/** Rows that are asked for at once. */
const pageRows = 100
/** Pages that are kept: what was scrolled by long ago is asked for again. */
const keptPages = 40

/** The currency of all its money, three letters; undefined where the file and its run do not tell. */
export const currencyOf = (table: OpenTable | null): string | undefined =>
  table?.about.find(([name]) => name === 'Currency')?.[1]

export const plainShape: TableShape = { filters: [], group: [], sort: [] }

/**
 * A table of figures that another process holds: the rows in sight, and what is made of all of them. Rows come in pages;
 * a row that is not here yet is undefined until `arrivals` counts on.
 */
export class FigureTable {
  readonly #bridge: Bridge
  readonly #open: () => Promise<OpenTable | null>
  table = $state.raw<OpenTable | null>(null)
  view = $state.raw<ShapedView | null>(null)
  /** As it is wanted; the view may still be made of the one before. */
  shape = $state.raw<TableShape>(plainShape)
  /** What the view is made of. */
  viewShape = $state.raw<TableShape>(plainShape)
  fault = $state.raw<Fault | null>(null)
  /** Something is being read or made; what was there is shown meanwhile. */
  busy = $state(false)
  /** From 0 to 1 while a file is read. */
  read = $state<number | null>(null)
  /** Counts pages that came. */
  arrivals = $state(0)
  #pages = new Map<number, string[][] | 'asked'>()
  #asked = 0
  #making: Promise<void> = Promise.resolve()
  #closed = false

  constructor(bridge: Bridge, open: () => Promise<OpenTable | null>) {
    this.#bridge = bridge
    this.#open = open
  }

  /** Reads the file and shows it as it was shaped. @returns whether a table is there */
  async start(shape: TableShape = plainShape): Promise<boolean> {
    const off = this.#bridge.on('figures/progress', ({ doing, done, of }) => {
      if (doing === 'reading' && of > 0) this.read = done / of
    })
    this.busy = true
    this.fault = null
    try {
      const table = await this.#open()
      if (!table) return false
      if (this.#closed) {
        void ask(this.#bridge, 'figures/close', { table: table.table }).catch(() => undefined)
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

  /** Makes something else of the table; an earlier wish that is still being made ends. */
  reshape(shape: TableShape): Promise<void> {
    return (this.#making = this.#reshape(shape, true))
  }
  /** Once the view is what was wanted last, or could not be made. */
  async settled(): Promise<void> {
    let making: Promise<void> | undefined
    while (making !== this.#making) {
      making = this.#making
      await making
    }
  }
  /** `reopens`: once, as what is opened may be gone again. */
  async #reshape(shape: TableShape, reopens: boolean): Promise<void> {
    const { table } = this
    if (!table) return
    this.shape = shape
    const mine = ++this.#asked
    this.busy = true
    try {
      const view = await ask(this.#bridge, 'figures/shape', { table: table.table, shape })
      if (mine !== this.#asked) return
      this.#pages = new Map()
      this.fault = null
      this.view = view
      this.viewShape = shape
      this.arrivals++
    } catch (error) {
      if (mine !== this.#asked) return
      const fault = faultOf(error)
      // The process that held it has ended, or needed the room: the file is read again.
      if (fault.code === 'gone' && reopens && (await this.#reopened())) return await this.#reshape(shape, false)
      if (fault.code !== 'aborted') this.fault = fault
    } finally {
      if (mine === this.#asked) this.busy = false
    }
  }

  /** Cells of a row as the service writes them; asked for where they are not here. */
  row(at: number): string[] | undefined {
    void this.arrivals
    const page = Math.floor(at / pageRows)
    const held = this.#pages.get(page)
    if (held === undefined) untrack(() => this.#fetch(page))
    return held === undefined || held === 'asked' ? undefined : held[at % pageRows]
  }

  /** Rows that need not be in sight, for what is copied. @throws FaultError */
  async rows(from: number, count: number): Promise<string[][]> {
    const { view } = this
    if (!view) throw new FaultError({ code: 'gone', message: 'This table is closed.' })
    const found: string[][] = []
    for (let at = from; at < from + count; at += 500) {
      const part = { view: view.view, from: at, count: Math.min(500, from + count - at) }
      found.push(...(await ask(this.#bridge, 'figures/page', part)).rows)
    }
    return found
  }

  /** What stands in a column of the rows shown. @throws FaultError */
  async statistics(column: string): Promise<ColumnStatistics> {
    const { view } = this
    if (!view) throw new FaultError({ code: 'gone', message: 'This table is closed.' })
    return ask(this.#bridge, 'figures/statistics', { view: view.view, column })
  }

  close(): void {
    this.#closed = true
    this.#asked++
    const { table } = this
    if (table) void ask(this.#bridge, 'figures/close', { table: table.table }).catch(() => undefined)
  }

  #fetch(page: number): void {
    const { view } = this
    if (!view || page * pageRows >= view.rows) return
    const pages = this.#pages
    pages.set(page, 'asked')
    const part = { view: view.view, from: page * pageRows, count: pageRows }
    ask(this.#bridge, 'figures/page', part).then(
      ({ rows }) => {
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

/** What of a shape a table can be given: columns of another file may not be there. */
function fitting(shape: TableShape, { columns }: OpenTable): TableShape {
  const derived = (shape.derived ?? []).filter(({ of }) => columns.some(({ head }) => head === of))
  const heads = new Set([...columns, ...derived].map(({ head }) => head))
  const shown = shape.columns?.filter((head) => heads.has(head)) ?? []
  return {
    filters: shape.filters.flatMap((filter) => {
      // Whoever does not know the file names the field.
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
