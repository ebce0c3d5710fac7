import { plannedColumns } from '#shared/pacing/planned'
import type { Run } from '#shared/reports/runs'
import type { OpenTable } from '#shared/results/questions'
import type { MenuItem } from '../../ui/Menu.svelte'
import { compareRuns } from './comparing'
import type { ReportsModel } from './model.svelte'
import { comparePeriods, periodPresets, type Days, type Periods } from './periods'
import { fileWords } from './run-words'

/** Comparison of a report's results with those of another run, or of two date ranges in them. */
export class Comparison {
  readonly #model: ReportsModel
  /** True while the date ranges are being chosen. */
  choosing = $state(false)
  /** Columns that a comparison of two runs leaves out, by key. */
  #left = $state.raw<{ by: string; heads: readonly string[] }>()
  #dates = $state.raw<{ by: string; words: string; periods: Periods; file: Days }>()

  constructor(model: ReportsModel) {
    this.#model = model
  }

  /** Runs of the report whose results are on this computer, newest first. */
  readonly files = $derived.by(() => this.#model.chosen?.runs.filter(({ hasFile }) => hasFile) ?? [])
  /** The compared runs, the older one first. */
  readonly pair = $derived.by((): [Run, Run] | null => {
    const { against, shown } = this.#model
    const other = this.files.find(({ id }) => id === against && id !== shown?.id)
    if (!other || !shown) return null
    return other.id < shown.id ? [other, shown] : [shown, other]
  })
  /** The current comparison, if any. */
  readonly key = $derived.by((): string | undefined => {
    const { periods, shown } = this.#model
    if (this.pair) return this.pair.map(({ id }) => id).join(' ')
    return shown && periods ? `${shown.id} ${JSON.stringify(periods)}` : undefined
  })
  /** The compared date ranges, once known. */
  readonly dates = $derived.by(() => (this.#dates?.by === this.key ? this.#dates : undefined))
  readonly words = $derived.by((): string => {
    if (!this.pair) return this.dates?.words ?? ''
    const [first, second] = this.pair.map((run) => fileWords(run, this.#model.app))
    const heads = (this.#left?.by === this.key && this.#left?.heads) || []
    return `${first} vs. ${second}${heads.length > 0 ? `. Not compared: ${heads.join(', ')}` : ''}`
  })

  /** Possible comparisons. */
  readonly items = $derived.by((): MenuItem[] => {
    const { chosen, shown } = this.#model
    const planned = plannedColumns(chosen?.service === 'trafficking' ? chosen.definition : {}) ?? []
    const hasDays = shown?.hasFile === true && planned.some(({ field }) => field === 'date')
    return [
      ...(hasDays
        ? [
            ...periodPresets.map(({ id, label }) => ({ label, run: () => this.#begin({ periods: id }) })),
            { label: 'Compare custom dates…', run: () => this.#chooseDates() },
          ]
        : []),
      ...this.files
        .filter(({ id }) => id !== shown?.id)
        .slice(0, 5)
        .map((run) => ({
          label: `Compare with ${fileWords(run, this.#model.app)}`,
          run: () => this.#begin({ against: run.id }),
        })),
    ]
  })

  /** @throws FaultError */
  readonly open = (): Promise<OpenTable> => {
    const { app, periods, shown } = this.#model
    // A comparison that ends late says nothing about the one that’s shown by then.
    const by = this.key!
    return this.pair
      ? compareRuns(app.bridge, ...this.pair, (heads) => (this.#left = { by, heads }))
      : comparePeriods(app.bridge, shown!, periods!, (about) => (this.#dates = { by, ...about }))
  }

  stop(): void {
    this.#model.show({ against: '', periods: '' })
  }

  #begin({ periods = '', against = '' }: { periods?: string; against?: string }): void {
    this.#model.show({ tab: 'results', periods, against })
  }

  #chooseDates(): void {
    if (this.#model.periods) this.#model.show({ tab: 'results' })
    else this.#begin({ periods: 'week' })
    this.choosing = true
  }
}
