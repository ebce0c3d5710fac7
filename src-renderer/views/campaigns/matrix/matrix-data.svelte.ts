import { untrack } from 'svelte'
import { isArchived, textAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { faultOf, type Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { checkedOf } from '../checking'
import type { CampaignsModel } from '../model.svelte'
import { readAll, readWhere } from '../records'
import { flightOf, groupsOf, hasTime, stateOf, type CellState, type SizeGroup } from './grid'
import { assignedIn, differs, isOwn, Joins } from './joins'
import type { Wish } from './plan'

/** Delay between a change and the next reading, in milliseconds, so that many changes are read together. */
const pause = 30
const association = 'campaignCreativeAssociations'

/** A placement with what its cells need. */
export interface MatrixRow {
  record: Checked
  campaign: JsonObject | undefined
  flight: Wish['flight'] | undefined
  hasTime: boolean
}

/** Placements, creatives, and the ads that join them, as they were read together. */
export interface MatrixRecords {
  rows: ReadonlyMap<string, MatrixRow>
  creatives: readonly Checked[]
  /** IDs of the creatives that may run in the campaigns. Empty if that's unknown. */
  associated: ReadonlySet<string>
  joins: Joins
  /** What ads join on the service, without pending changes. */
  posted: Joins
  /** Version of each ad, for edits upon it. */
  seqs: ReadonlyMap<string, number>
}

export type Reader = Pick<CampaignsModel, 'app' | 'scope' | 'context'>

/** Reads placements with their campaigns, ads, and the creatives of their advertisers. @throws the signal's reason */
export async function readMatrix(
  { app: { replica, clock }, scope: { profile }, context: { zone } }: Reader,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<MatrixRecords> {
  const facts = { placements: replica.facts.of('placements'), campaigns: replica.facts.of('campaigns') }
  const placements = [...(await readAll(replica, keys, { signal })).values()].map(checkedOf)
  const idsOf = (field: string): Set<string> => new Set(placements.flatMap(({ value }) => textAt(value, field) ?? []))
  const campaigns = idsOf('campaignId')
  const around = await readAll(
    replica,
    [...campaigns].map((id) => recordKey('campaigns', profile, id)),
    { signal },
  )
  const ads = await readWhere(replica, 'ads', profile, { field: 'campaignId', values: campaigns }, { signal })
  const creatives = await readWhere(
    replica,
    'creatives',
    profile,
    { field: 'advertiserId', values: idsOf('advertiserId') },
    { signal },
  )
  const associated = new Set<string>()
  for (const campaign of campaigns) {
    const table = await replica.table(association, { parent: `${profile}/${campaign}` }, signal)
    for (let at = 0; at < table.length; at++) associated.add(parseRecordKey(table.key(at)).id)
  }
  const kind = replica.facts.of('ads')
  const own = ads.filter((row) => isOwn(kind, checkedOf(row)))
  const joins = new Joins(own.map(checkedOf))
  const posted = ads.flatMap((row) => (row.base ? { ...checkedOf(row), value: row.base } : []))
  const rows = placements.map((record): [string, MatrixRow] => {
    const campaign = around.get(recordKey('campaigns', profile, textAt(record.value, 'campaignId') ?? ''))?.value
    const flight = flightOf(facts, record.value, campaign ?? undefined)
    const time = { now: clock.now, zone }
    return [record.key, { record, campaign: campaign ?? undefined, flight, hasTime: hasTime(flight, time) }]
  })
  return {
    rows: new Map(rows),
    creatives: creatives.map(checkedOf),
    associated,
    joins,
    posted: new Joins(posted.filter((one) => isOwn(kind, one))),
    seqs: new Map(own.map(({ key, remoteSeq }) => [key, remoteSeq])),
  }
}

/** The records of the matrix, read again after each change. */
export class MatrixData {
  found = $state.raw<MatrixRecords | null>(null)
  fault = $state.raw<Fault | null>(null)

  constructor(private readonly model: CampaignsModel) {}

  /** Reads until the calling component unmounts. */
  follow(): void {
    const { model } = this
    let control: AbortController | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      control?.abort()
      const { signal } = (control = new AbortController())
      const { rows } = model
      if (!rows) return
      const keys = Array.from({ length: rows.length }, (_unused, at) => rows.key(at))
      try {
        const found = await readMatrix(model, keys, signal)
        if (!signal.aborted) [this.found, this.fault] = [found, null]
      } catch (error) {
        if (!signal.aborted) this.fault = faultOf(error)
      }
    }
    $effect(() => {
      void model.rows
      untrack(() => void read())
    })
    $effect(() => {
      const unsubscribe = model.app.replica.subscribe((topics) => {
        if (!['ads', 'creatives', 'campaigns', association, 'outbox'].some((topic) => topics.has(topic as never)))
          return
        clearTimeout(timer)
        timer = setTimeout(() => void read(), pause)
      })
      return () => {
        unsubscribe()
        clearTimeout(timer)
        control?.abort()
      }
    })
  }

  /** True to show creatives of the advertisers that the campaigns don't use yet, too. */
  everything = $state(false)

  /** Creatives that could be columns. Archived ones only while a listed placement has them. */
  readonly #living = $derived.by((): { used: Checked[]; unused: Checked[] } => {
    const { found } = this
    if (!found) return { used: [], unused: [] }
    const { associated, creatives, joins } = found
    const shown = new Set(joins.ads.flatMap((ad) => assignedIn(ad.value, 'creative')))
    const living = creatives.filter((one) => !isArchived(one) || shown.has(one.id))
    const isUsed = ({ id }: Checked): boolean => associated.size === 0 || associated.has(id) || shown.has(id)
    return { used: living.filter(isUsed), unused: living.filter((one) => !isUsed(one)) }
  })
  /** Number of creatives that the campaigns don't use yet. */
  readonly unused = $derived(this.#living.unused.length)
  /** Columns by size. */
  readonly groups = $derived.by((): SizeGroup[] => {
    const { used, unused } = this.#living
    const rows = [...(this.found?.rows.values() ?? [])]
    return groupsOf(
      this.everything ? [...used, ...unused] : used,
      rows.map(({ record }) => record.value),
    )
  })
  readonly columns = $derived(this.groups.flatMap(({ creatives }) => creatives))

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
