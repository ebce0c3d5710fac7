import { createContext, untrack } from 'svelte'
import { faultOf } from '#shared/fault'
import { currentText } from '#shared/former-words'
import { rerunning } from '#shared/rerun'
import { headsOf } from '#shared/search-ads/batch-columns'
import type { BatchHead, BatchKind, BatchRow, ConversionBatch } from '#shared/search-ads/batch-questions'
import { ask } from '../../../bridge'
import { counted } from '../../../ui/counted'
import { readRow, readRows, type ReadRow, type RowTerms } from './batch-rows'
import type { SearchAdsModel } from './search-ads.svelte'

export const rowKinds = ['mend', 'ready', 'waiting', 'refused', 'sent', 'out'] as const
export type RowKind = (typeof rowKinds)[number]

/** A row with its current state. */
export interface SeenRow {
  row: BatchRow
  kind: RowKind
  problems: ReadRow['problems']
}

/** Conversions imported as rows: the saved batches and the open one. */
export class ConversionRows {
  readonly model: SearchAdsModel
  heads = $state.raw<readonly BatchHead[]>([])
  batch = $state.raw<ConversionBatch | null>(null)
  /** Pasted text that hasn't been parsed. */
  pasted = $state('')

  constructor(model: SearchAdsModel) {
    this.model = model
  }

  readonly openId = $derived.by(() => this.model.app.navigation.place.params['rows'] as string | undefined)
  readonly #head = $derived.by(() => this.batch?.head)
  readonly read = $derived.by(() => headsOf(this.#head ?? []))
  readonly #kind = $derived.by(() => this.batch?.kind ?? 'insert')
  readonly #activity = $derived.by(() => this.batch?.activity ?? '')
  readonly #place = $derived.by(() => JSON.stringify(this.batch?.place ?? {}))
  /** Remains the same object until a setting changes. */
  readonly #terms = $derived.by((): RowTerms => {
    const { app } = this.model
    const now = untrack(() => app.clock.now)
    return {
      ...{ columns: this.read.columns, kind: this.#kind, activity: this.#activity, now },
      ...{ place: JSON.parse(this.#place) as RowTerms['place'], zone: app.preferences.zone },
    }
  })
  /** Parsed rows by settings, cached because thousands of rows rarely change. */
  readonly #known = new WeakMap<RowTerms, WeakMap<readonly string[], ReadRow>>()
  readonly #read = $derived.by(() => {
    const terms = this.#terms
    const known = this.#known.get(terms) ?? new WeakMap<readonly string[], ReadRow>()
    this.#known.set(terms, known)
    return readRows(this.batch?.list ?? [], terms, known)
  })
  readonly rows = $derived.by((): readonly SeenRow[] =>
    (this.batch?.list ?? []).map((row) => {
      const problems = this.#read.get(row.row)?.problems ?? []
      return { row, problems, kind: kindOf(row, problems.length > 0) }
    }),
  )
  readonly counts = $derived.by(() => {
    const counts = Object.fromEntries(rowKinds.map((kind) => [kind, 0])) as Record<RowKind, number>
    for (const { kind } of this.rows) counts[kind]++
    return counts
  })

  /**
   * Follows the saved batches and the open one.
   * @returns a function that stops
   */
  follow(): () => void {
    const { bridge, account } = this.model.app
    void this.reread()
    return bridge.on('search/sent', ({ accountId, sendings }) => {
      if (accountId === account.id && sendings.some(({ batch }) => batch)) void this.reread()
    })
  }

  /** Reloads the saved batches. Doesn't start twice while loading. */
  readonly reread = rerunning(() => this.#readAll())
  async #readAll(): Promise<void> {
    const { bridge, account } = this.model.app
    const accountId = account.id
    const batchId = untrack(() => this.openId)
    try {
      this.heads = (await ask(bridge, 'search/batches', { accountId })).batches
      if (batchId === undefined) this.batch = null
      else this.batch = sameCells(this.batch, await ask(bridge, 'search/batch', { accountId, batchId }))
    } catch (error) {
      const fault = faultOf(error)
      if (fault.code === 'notFound') this.close()
      else this.model.fault = fault
    }
  }

  open(batchId: string): void {
    const { navigation } = this.model.app
    const { place = '' } = navigation.place.params
    navigation.go('search-ads', { ...(place !== '' && { place }), part: 'conversions', rows: batchId })
  }
  close(): void {
    const { navigation } = this.model.app
    const { rows: _rows, ...params } = navigation.place.params
    this.batch = null
    navigation.replace(params)
  }

  /**
   * Parses pasted text or a file.
   * @returns the problem, or undefined if a batch was opened or nothing was chosen
   */
  async take(text?: string): Promise<string | undefined> {
    const { app, chosen } = this.model
    const { agencyId, advertiserId, engineAccountId } = chosen ?? {}
    const place = {
      ...(agencyId && { agencyId }),
      ...(advertiserId && { advertiserId }),
      ...(engineAccountId && { engineAccountId }),
    }
    const args = { accountId: app.account.id, kind: 'insert' as const, place, ...(text !== undefined && { text }) }
    try {
      const made = await ask(app.bridge, 'search/read-rows', args)
      if (!made) return undefined
      if (text !== undefined) this.pasted = ''
      this.open(made.id)
      await this.reread()
      app.announce(`Imported ${counted(made.rows, 'row')}`)
      return undefined
    } catch (error) {
      return faultOf(error).message
    }
  }

  /** Problems that a row would have with these cells. */
  problemsOf({ row }: SeenRow, cells: readonly string[]): ReadRow['problems'] {
    const same = cells.every((cell, at) => cell === row.cells[at])
    return same
      ? (this.#read.get(row.row)?.problems ?? [])
      : readRow({ id: row.id, cells: [...cells] }, this.#terms).problems
  }

  async #asked(...args: Parameters<SearchAdsModel['asked']>): Promise<boolean> {
    const answer = await this.model.asked(...args)
    await this.reread()
    return answer !== undefined
  }
  change(to: { kind?: BatchKind; activity?: string }): Promise<boolean> {
    const { id, kind, activity } = this.batch!
    return this.#asked('', 'search/change-batch', { batchId: id, kind, activity, ...to })
  }
  changeRow(row: number, cells: string[]): Promise<boolean> {
    return this.#asked('', 'search/change-row', { batchId: this.batch!.id, row, cells })
  }
  leaveOut(rows: number[], out: boolean): Promise<boolean> {
    return this.#asked('', 'search/leave-out', { batchId: this.batch!.id, rows, out })
  }
  stop(): Promise<boolean> {
    return this.#asked('', 'search/stop-rows', { batchId: this.batch!.id })
  }
  async remove(): Promise<void> {
    const { id } = this.batch!
    if ((await this.model.asked('', 'search/remove-batch', { batchId: id })) === undefined) return
    this.close()
    await this.reread()
  }
  /** Sends all ready rows, or resends all rejected ones. */
  async send(kind: 'ready' | 'refused'): Promise<void> {
    const { app } = this.model
    const rows = this.rows.flatMap(({ row, kind: own }) =>
      own === kind ? [{ row: row.row, body: this.#read.get(row.row)!.body }] : [],
    )
    if (rows.length === 0 || !(await this.#asked('', 'search/send-rows', { batchId: this.batch!.id, rows }))) return
    const many = counted(rows.length, 'conversion')
    app.announce(app.replica.status.offline ? `Saved ${many}, to send when you’re online` : `Sending ${many}…`)
  }
}

/** Reuses the cells of unchanged rows. */
function sameCells(before: ConversionBatch | null, now: ConversionBatch): ConversionBatch {
  if (before?.id !== now.id) return now
  const cellsOf = new Map(before.list.map(({ row, cells }) => [row, cells]))
  const list = now.list.map((row) => {
    const cells = cellsOf.get(row.row)
    return cells?.every((cell, at) => cell === row.cells[at]) ? { ...row, cells } : row
  })
  return { ...now, list, head: before.head }
}

function kindOf({ state, out }: BatchRow, wrong: boolean): RowKind {
  if (out) return 'out'
  if (state === 'sent' || state === 'waiting') return state
  if (wrong) return 'mend'
  return state === 'refused' ? 'refused' : 'ready'
}

/** Describes a row's problems or outcome. */
export function rowWords({ row, kind, problems }: SeenRow, head: readonly string[]): string {
  if (kind === 'out') return 'Skipped'
  if (kind === 'ready') return 'Ready to send'
  const wrong = problems.map(({ column, words }) => (column === undefined ? words : `${head[column]}: ${words}`))
  if (kind === 'mend') return wrong.join('. ')
  return currentText(row.words ?? '')
}

export const [useConversionRows, provideConversionRows] = createContext<ConversionRows>()
