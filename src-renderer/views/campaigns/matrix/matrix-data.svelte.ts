import { untrack } from 'svelte'
import type { Checked } from '#shared/checks/rule'
import { isArchived } from '#shared/checks/checked-values'
import { faultOf, type Fault } from '#shared/fault'
import type { CampaignsModel } from '../model.svelte'
import { rereading } from '../rereading'
import { FittingColumns } from './fitting-columns'
import { groupsOf, stateOf, type CellState, type SizeGroup } from './grid'
import { assignedIn, differs } from './joins'
import { association, MatrixReader, type MatrixRecords } from './matrix-records'

/** Delay between a change and the next reading, in milliseconds, so that many changes are read together. */
const pause = { min: 30, max: 200 }
/** The delay as a multiple of the last reading's duration, because frequent changes need the thread, too. */
const share = 3

/** The records of the matrix, read again after each change. */
export class MatrixData {
  found = $state.raw<MatrixRecords | null>(null)
  fault = $state.raw<Fault | null>(null)

  constructor(private readonly model: CampaignsModel) {}

  /** Reads until the calling component unmounts. */
  follow(): void {
    const { model } = this
    const reader = new MatrixReader(model)
    const work = rereading({
      replica: model.app.replica,
      topics: ['ads', 'creatives', 'campaigns', association, 'outbox'],
      cache: reader,
      pending: () => model.marks.keys(),
      pause: (took) => Math.max(pause.min, Math.min(pause.max, share * took)),
      read: async (signal) => {
        const { rows } = model
        if (!rows) return
        const keys = Array.from({ length: rows.length }, (_unused, at) => rows.key(at))
        this.found = await reader.read(keys, signal)
        this.fault = null
      },
      failed: (error) => void (this.fault = faultOf(error)),
    })
    $effect(() => {
      void model.rows
      untrack(work.now)
    })
    $effect(() => work.end)
  }

  /** True to show creatives of the advertisers that the campaigns don't use yet, too. */
  everything = $state(false)

  // Rereading returns mostly the same objects.
  readonly #rows = $derived(this.found?.rows)
  readonly #creatives = $derived(this.found?.creatives)
  readonly #associated = $derived(this.found?.associated)
  readonly #shown = $derived(this.found?.shown)

  /** True if the placements are in several campaigns. */
  readonly hasCampaigns = $derived(
    new Set(Array.from(this.#rows?.values() ?? [], ({ record }) => record.value['campaignId'])).size > 1,
  )
  /** Creatives that could be columns. Archived ones only while a listed placement has them. */
  readonly #living = $derived.by((): { used: Checked[]; unused: Checked[] } => {
    const [creatives, associated, shown] = [this.#creatives, this.#associated, this.#shown]
    if (!creatives || !associated || !shown) return { used: [], unused: [] }
    const living = creatives.filter((one) => !isArchived(one) || shown.has(one.id))
    const isUsed = ({ id }: Checked): boolean => associated.size === 0 || associated.has(id) || shown.has(id)
    return { used: living.filter(isUsed), unused: living.filter((one) => !isUsed(one)) }
  })
  /** Number of creatives that the campaigns don't use yet. */
  readonly unused = $derived(this.#living.unused.length)
  /** Columns by size. */
  readonly groups = $derived.by((): SizeGroup[] => {
    const { used, unused } = this.#living
    const placements = Array.from(this.#rows?.values() ?? [], ({ record }) => record.value)
    return groupsOf(this.everything ? [...used, ...unused] : used, placements)
  })
  readonly columns = $derived(this.groups.flatMap(({ creatives }) => creatives))
  readonly #fitting = $derived(new FittingColumns(this.columns))

  /** Numbers of the columns whose cells aren't certainly impossible, in order: of creatives that fit, and assigned ones. */
  candidates(key: string): readonly number[] {
    const { found } = this
    const row = found?.rows.get(key)
    if (!found || !row) return []
    const assigned = found.joins.on(row.record.id).flatMap(({ value }) => assignedIn(value, 'creative'))
    return this.#fitting.of(row.record.value, assigned)
  }
  /** The first cell at or after a column that isn't impossible. Undefined if there's none. */
  next(key: string, from: number): number | undefined {
    return this.candidates(key).find((column) => column >= from && this.#isOpen(key, column))
  }
  /** The last cell at or before a column that isn't impossible. Undefined if there's none. */
  previous(key: string, from: number): number | undefined {
    return [...this.candidates(key)].reverse().find((column) => column <= from && this.#isOpen(key, column))
  }
  #isOpen(key: string, column: number): boolean {
    const { kind = 'impossible' } = this.state(key, column) ?? {}
    return kind !== 'impossible'
  }

  /** True if the service has another state of a cell, because changes aren't posted. */
  isUnposted(key: string, column: number): boolean {
    const { found } = this
    const row = found?.rows.get(key)
    const creative = this.columns[column]
    if (!found || !row || !creative) return false
    const pair = { placement: row.record.id, creative: creative.id }
    return differs(pair, found.joins, found.posted)
  }

  /** The state of a cell. Undefined until its records are read. */
  state(key: string, column: number): CellState | undefined {
    const { found } = this
    const row = found?.rows.get(key)
    const creative = this.columns[column]
    if (!found || !row || !creative) return undefined
    const pair = { placement: row.record.id, creative: creative.id }
    return stateOf({ ...row, placement: row.record.value }, creative, pair, found.joins)
  }
}
