import { FaultError } from '#shared/fault'
import type { ResultProgress, OpenTable, ShapedView } from '#shared/results/questions'
import type { ColumnAbout } from '#shared/results/result-columns'
import { uniqueHeads } from '../exports/export-writers'
import type { Column } from '../report-data/column'
import { tableTooLarge } from '../report-data/limits'
import { numberColumn } from '../report-data/numbers'
import { readReportFile } from '../report-data/read-file'
import { inTurns, type Steps } from '../report-data/steps'
import type { ResultTable } from '../report-data/table'
import { textColumn } from '../report-data/texts'
import { totalsOf } from '../report-data/totals'
import { exportOf } from './as-export'
import { chartOf } from './chart'
import { compared, comparedDays } from './compare'
import { deliveriesOf } from './deliveries'
import { columnFinder } from './find-column'
import { bytesOf } from './memory'
import type { Answering } from '../ipc/child-process'
import type { ResultOrders, OrderAnswers, OrderName } from './orders'
import { shaped, type Shape, type View } from './shape'
import { aboutOf, titleOf, type TableSource } from './source'
import { statisticsOf, valuesOf } from './statistics'

/** Maximum number of cached views per table. The least recently used one is evicted. */
const maxViews = 4

interface MadeView {
  view: View
  shape: Shape
  /** Memory in addition to the table's, in bytes. */
  bytes: number
}

/** A table that is open, or is being read. */
class Session {
  readonly source: TableSource
  table: ResultTable | undefined
  bytes = 0
  /** In order of use, the most recent last. */
  readonly views = new Map<number, MadeView>()
  /** Running work for this table. */
  readonly #working = new Set<AbortController>()
  /** Running file exports of this table. */
  readonly #writing = new Set<AbortController>()
  #shaping: AbortController | undefined
  /** The table closes once its exports finish. */
  left = false

  constructor(source: TableSource) {
    this.source = source
  }

  async work<T>(work: (signal: AbortSignal) => Promise<T>, control = new AbortController()): Promise<T> {
    this.#working.add(control)
    try {
      return await work(control.signal)
    } finally {
      this.#working.delete(control)
    }
  }

  /** Continues even after the table is closed. */
  async write<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const control = new AbortController()
    this.#writing.add(control)
    try {
      return await this.work(work, control)
    } finally {
      this.#writing.delete(control)
    }
  }

  /** A newer shape ends an older one. */
  shape<T>(steps: Steps<T>): Promise<T> {
    this.#shaping?.abort()
    this.#shaping = new AbortController()
    return this.work((signal) => inTurns(steps, signal), this.#shaping)
  }

  get allBytes(): number {
    return [...this.views.values()].reduce((sum, { bytes }) => sum + bytes, this.bytes)
  }

  get busy(): boolean {
    return this.#working.size > 0
  }

  get writes(): boolean {
    return this.#writing.size > 0
  }

  end(): void {
    for (const control of this.#working) control.abort()
  }

  /** Stops work that only the viewer of the table needs. */
  leave(): void {
    for (const control of this.#working) if (!this.#writing.has(control)) control.abort()
  }
}

export interface TablesOptions {
  /** Maximum memory for all tables, in bytes. Beyond it, the least recently used table is evicted. */
  ceiling: number
}

/** `id`: unique number of the order, which also identifies the table or view it creates. */
type Asked = Pick<Answering<ResultProgress>, 'id' | 'tell'>
type Answers = { [N in OrderName]: (args: ResultOrders[N], asked: Asked) => Promise<OrderAnswers[N]> }

/** Open tables and their views. Requests for evicted ones fail with `gone`. */
export class Tables {
  readonly #options: TablesOptions
  /** In order of use, the most recent last. */
  readonly #sessions = new Map<number, Session>()
  /** Handlers by order, which throw FaultErrors. */
  readonly answers: Answers

  constructor(options: TablesOptions) {
    this.#options = options
    this.answers = {
      'results/open': (order, asked) => this.#open(order, asked),
      'results/close': ({ table }) => this.#close(table),
      'results/cancel': ({ table }) => this.#cancel(table),
      'results/shape': ({ table, shape }, { id }) => this.#shape(id, table, shape),
      'results/page': ({ view, from, count }) => this.#page(view, from, count),
      'results/statistics': ({ view, column }) =>
        this.#ofView(view, ({ all, rows }) => statisticsOf(columnFinder(all)(column), all, rows)),
      'results/values': ({ table, column, ...wanted }) => {
        const { session, found } = this.#found(table)
        return session.work((signal) =>
          inTurns(valuesOf(columnFinder(found.columns)(column), found.length, wanted), signal),
        )
      },
      'results/chart': ({ view, ...wanted }) => this.#ofView(view, (of) => chartOf(of, wanted)),
      'results/deliveries': ({ table }) => {
        const { session, found } = this.#found(table)
        return session.work((signal) => inTurns(deliveriesOf(found), signal))
      },
      'results/compare': (order, { id }) => this.#compare(id, order),
      'results/export': (order, { tell }) => this.#export(order, tell),
    }
  }

  /** Ends all that is being done. */
  end(): void {
    for (const session of this.#sessions.values()) session.end()
  }

  get busy(): boolean {
    return [...this.#sessions.values()].some((session) => session.busy)
  }

  async #open(
    { path, planned, separator, source }: ResultOrders['results/open'],
    { id, tell }: Asked,
  ): Promise<OpenTable> {
    const session = new Session(source)
    this.#sessions.set(id, session)
    const onprogress = progressOf(tell, id, 'reading')
    onprogress(0, 0)
    try {
      const read = await session.work((signal) =>
        readReportFile(path, {
          ...(planned && { planned }),
          ...(separator && { separator }),
          ceiling: this.#options.ceiling,
          signal,
          onprogress,
        }),
      )
      return this.#opened(id, session, { ...read, columns: withUniqueHeads(read.columns) })
    } catch (error) {
      this.#sessions.delete(id)
      throw error
    }
  }

  async #compare(id: number, { first, second, by, names, days }: ResultOrders['results/compare']): Promise<OpenTable> {
    const [before, after] = [this.#found(first), this.#found(second)]
    const titles = [before, after].map(({ session, found }) => titleOf(found, session.source))
    const { currency } = before.session.source
    const session = new Session({
      name: titles[0] === titles[1] ? `${titles[0]}: before and after` : `${titles[0]} – ${titles[1]}`,
      ...(currency !== undefined && currency === after.session.source.currency && { currency }),
    })
    this.#sessions.set(id, session)
    try {
      const [old, now] = [before.found, after.found]
      const joining = { names, apart: inOtherCurrency(before.session.source, after.session.source) }
      const steps = days ? comparedDays(old, now, by, days, joining) : compared(old, now, by, joining)
      const table = await session.work((signal) => inTurns(steps, signal))
      return this.#opened(
        id,
        session,
        { ...table, head: [[session.source.name!], ...differences(before, after)] },
        !days,
      )
    } catch (error) {
      this.#sessions.delete(id)
      throw error
    }
  }

  /**
   * @param checked true if the totals come from the service, so that rows should add up to them. Totals of selected
   * days are sums of rows
   */
  #opened(id: number, session: Session, table: ResultTable, checked = true): OpenTable {
    const bytes = bytesOf(table.columns)
    if (bytes > this.#options.ceiling) throw tableTooLarge(bytes, this.#options.ceiling)
    session.table = table
    session.bytes = bytes
    this.#makeRoom(session)
    return {
      table: id,
      title: titleOf(table, session.source),
      about: aboutOf(table, session.source),
      columns: table.columns.map(({ about }) => about),
      rows: table.length,
      doubts: (checked ? (totalsOf(table) ?? []) : [])
        .filter(({ agrees }) => !agrees)
        .map(({ column, said, sum }) => ({ head: column.about.head, said, sum })),
    }
  }

  /** Closes a table. Running exports finish first, and can still be stopped. */
  async #close(table: number): Promise<null> {
    const session = this.#sessions.get(table)
    session?.leave()
    if (session?.writes) session.left = true
    else this.#sessions.delete(table)
    return Promise.resolve(null)
  }

  async #cancel(table: number): Promise<null> {
    this.#sessions.get(table)?.end()
    return Promise.resolve(null)
  }

  async #shape(id: number, number: number, shape: Shape): Promise<ShapedView> {
    const { session, found } = this.#found(number)
    const view = await session.shape(shaped(found, shape))
    const own = new Set(found.columns)
    const bytes = view.rows.byteLength + bytesOf(view.all.filter((column) => !own.has(column)))
    session.views.set(id, { view, shape, bytes })
    for (const [oldest] of session.views) if (session.views.size > maxViews) session.views.delete(oldest)
    this.#makeRoom(session)
    return {
      view: id,
      columns: view.columns.map(shownColumn),
      rows: view.rows.length,
      of: view.of,
      total: view.total,
    }
  }

  async #page(number: number, from: number, count: number): Promise<{ rows: string[][] }> {
    const { columns, rows } = this.#foundView(number).made.view
    const page = [...rows.subarray(from, from + count)]
    return Promise.resolve({ rows: page.map((row) => columns.map((column) => column.text(row))) })
  }

  async #ofView<T>(number: number, steps: (view: View) => Steps<T>): Promise<T> {
    const { session, made } = this.#foundView(number)
    return session.work((signal) => inTurns(steps(made.view), signal))
  }

  async #export(
    { view, path, options }: ResultOrders['results/export'],
    tell: Asked['tell'],
  ): Promise<OrderAnswers['results/export']> {
    const { id, session, made } = this.#foundView(view)
    const asked = exportOf(session.table!, made.view, made.shape, session.source)
    const onprogress = progressOf(tell, id, 'writing', view)
    onprogress(0, asked.length)
    try {
      return await session.write(async (signal) => {
        // Its libraries are read only where something is written.
        const { exportTable } = await import('../exports/export-file')
        return exportTable(path, asked, { ...options, signal, onrows: (rows) => onprogress(rows, asked.length) })
      })
    } finally {
      if (session.left && !session.writes) this.#sessions.delete(id)
    }
  }

  #found(table: number): { session: Session; found: ResultTable } {
    const session = this.#sessions.get(table)
    if (!session?.table) throw gone()
    this.#sessions.delete(table)
    this.#sessions.set(table, session)
    return { session, found: session.table }
  }

  #foundView(view: number): { id: number; session: Session; made: MadeView } {
    for (const [id, session] of this.#sessions) {
      const made = session.views.get(view)
      if (!made) continue
      session.views.delete(view)
      session.views.set(view, made)
      this.#found(id)
      return { id, session, made }
    }
    throw gone()
  }

  /** Evicts the least recently used tables, except for this one, until the rest fits. */
  #makeRoom(wanted: Session): void {
    let bytes = [...this.#sessions.values()].reduce((sum, { allBytes }) => sum + allBytes, 0)
    for (const [id, session] of this.#sessions) {
      if (bytes <= this.#options.ceiling) return
      // Keep tables that are being read or exported.
      if (session === wanted || session.busy) continue
      bytes -= session.allBytes
      this.#sessions.delete(id)
    }
    // Then evict older views of this table. The newest one is displayed.
    for (const [id, made] of wanted.views) {
      if (bytes <= this.#options.ceiling || wanted.views.size === 1) return
      bytes -= made.bytes
      wanted.views.delete(id)
    }
  }
}

/** Reports progress, at most a hundred times. */
function progressOf(
  tell: Asked['tell'],
  table: number,
  doing: ResultProgress['doing'],
  view?: number,
): (done: number, of: number) => void {
  let said = -Infinity
  return (done, of) => {
    if (done < of && done - said < of / 100) return
    said = done
    tell({ table, doing, done, of, ...(view !== undefined && { view }) })
  }
}

const gone = (): FaultError =>
  new FaultError({
    code: 'gone',
    message: 'The table was unloaded from memory. Its file is unchanged. Open it again.',
  })

/** Makes column headers unique: the second of a name becomes `Name (2)`. */
function withUniqueHeads(columns: readonly Column[]): Column[] {
  const heads = uniqueHeads(columns.map(({ about }) => about))
  return columns.map((column, at) => {
    const head = heads[at]!
    if (head === column.about.head) return column
    const about = { ...column.about, head }
    return column.form === 'text'
      ? textColumn(about, column.texts, column.codes)
      : numberColumn(about, column.values, column.gaps, column.writing)
  })
}

type Found = { session: Session; found: ResultTable }

/** A column for the window, which makes columns of IDs as wide as their longest. */
const shownColumn = (column: Column): ColumnAbout =>
  column.about.kind === 'id' && column.form === 'text'
    ? { ...column.about, longest: column.texts.reduce((most, { length }) => Math.max(most, length), 0) }
    : column.about

/** True if amounts of the two tables can't be compared or added up. */
const inOtherCurrency = (before: TableSource, after: TableSource): boolean =>
  before.currency !== undefined && after.currency !== undefined && before.currency !== after.currency

/** Facts about two tables: shared ones once, different ones for each. */
function differences(before: Found, after: Found): [string, string][] {
  const [first, second] = [before, after].map(({ session, found }) => new Map(aboutOf(found, session.source)))
  return [...new Set([...first!.keys(), ...second!.keys()])].flatMap((name): [string, string][] => {
    const [old, now] = [first!.get(name) ?? '', second!.get(name) ?? '']
    if (old === now) return [[name, old]]
    return [
      [`${name} · before`, old],
      [`${name} · after`, now],
    ]
  })
}
