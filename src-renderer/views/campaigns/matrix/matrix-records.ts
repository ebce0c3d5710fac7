import { textAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../../replica/api'
import { checkedOf } from '../checking'
import type { CampaignsModel } from '../model.svelte'
import { RecordCache } from '../record-cache'
import { readAll } from '../records'
import { flightOf, hasTime } from './grid'
import { assignedIn, isOwn, Joins, PostedJoins } from './joins'
import type { Wish } from './plan'

export const association = 'campaignCreativeAssociations'

/** A placement with what its cells need. */
export interface MatrixRow {
  record: Checked
  campaign: JsonObject | undefined
  flight: Wish['flight'] | undefined
  hasTime: boolean
}

/** Placements, creatives, and the ads that join them, from one read. */
export interface MatrixRecords {
  rows: ReadonlyMap<string, MatrixRow>
  creatives: readonly Checked[]
  /** IDs of the creatives that may run in the campaigns. Empty if that's unknown. */
  associated: ReadonlySet<string>
  /** IDs of the creatives that ads show. */
  shown: ReadonlySet<string>
  joins: Joins
  posted: PostedJoins
  /** Version of each ad, for edits upon it. */
  seqs: ReadonlyMap<string, number>
}

export type Reader = Pick<CampaignsModel, 'app' | 'scope' | 'context'>

/** Reads placements with their campaigns, ads, and the creatives of their advertisers. @throws the signal's reason */
export const readMatrix = (reader: Reader, keys: readonly string[], signal?: AbortSignal): Promise<MatrixRecords> =>
  new MatrixReader(reader).read(keys, signal)

/** Reads the records of a matrix again and again. What didn't change remains the same object. */
export class MatrixReader {
  readonly #cached: Readonly<Record<'placements' | 'ads' | 'creatives', RecordCache>>
  readonly #checked = new WeakMap<Row, Checked>()
  #last: MatrixRecords | undefined

  constructor(private readonly reader: Reader) {
    const cache = (): RecordCache => new RecordCache(reader.app.replica)
    this.#cached = { placements: cache(), ads: cache(), creatives: cache() }
  }

  /** @throws the signal's reason */
  async read(keys: readonly string[], signal?: AbortSignal): Promise<MatrixRecords> {
    const { app, scope, context } = this.reader
    const { replica } = app
    const facts = { placements: replica.facts.of('placements'), campaigns: replica.facts.of('campaigns') }
    const read = await this.#cached.placements.read(keys, signal)
    const placements = this.#recordsOf(read.values())
    const idsIn = (field: string): Set<string> => new Set(placements.flatMap(({ value }) => textAt(value, field) ?? []))
    const campaigns = idsIn('campaignId')
    const keyOf = (id: string): string => recordKey('campaigns', scope.profile, id)
    const around = await readAll(replica, [...campaigns].map(keyOf), { signal })
    const kind = replica.facts.of('ads')
    const ads = await this.#within('ads', 'campaignId', campaigns, signal)
    const own = ads.filter(({ value }) => isOwn(kind, { value: value! }))
    const before = ads.flatMap((row) =>
      row.base && row.base !== row.value ? { ...checkedOf(row), value: row.base } : [],
    )
    const creatives = this.#recordsOf(await this.#within('creatives', 'advertiserId', idsIn('advertiserId'), signal))
    const joins = new Joins(this.#recordsOf(own))

    const times = new Map<string, boolean>()
    const timeOf = (flight: MatrixRow['flight']): boolean => {
      const name = flight ? `${flight.startDate} ${flight.endDate}` : ''
      let has = times.get(name)
      if (has === undefined) times.set(name, (has = hasTime(flight, { now: app.clock.now, zone: context.zone })))
      return has
    }
    const last = this.#last
    const rows = placements.map((record): [string, MatrixRow] => {
      const campaign = around.get(keyOf(textAt(record.value, 'campaignId') ?? ''))?.value ?? undefined
      const known = last?.rows.get(record.key)
      if (known?.record === record && known.campaign === campaign && known.hasTime === timeOf(known.flight))
        return [record.key, known]
      const flight = flightOf(facts, record.value, campaign)
      return [record.key, { record, campaign, flight, hasTime: timeOf(flight) }]
    })
    return (this.#last = {
      rows: sameRows(last?.rows, new Map(rows)),
      creatives: last && sameList(last.creatives, creatives) ? last.creatives : creatives,
      associated: sameIds(last?.associated, this.#associated(campaigns)),
      shown: sameIds(last?.shown, new Set(joins.ads.flatMap(({ value }) => assignedIn(value, 'creative')))),
      joins,
      posted: new PostedJoins(joins, new Joins(before.filter((one) => isOwn(kind, one)))),
      seqs: new Map(own.map(({ key, remoteSeq }) => [key, remoteSeq])),
    })
  }

  /** Forgets records whose changes are pending: see `RecordCache`. */
  forget(keys: Iterable<string>): void {
    const all = [...keys]
    for (const cache of Object.values(this.#cached)) cache.forget(all)
  }

  #recordsOf(rows: Iterable<Row>): Checked[] {
    return Array.from(rows, (row) => {
      let record = this.#checked.get(row)
      if (!record) this.#checked.set(row, (record = checkedOf(row)))
      return record
    })
  }

  /** Records of a kind whose field has one of some values. */
  async #within(
    kind: 'ads' | 'creatives',
    field: string,
    values: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<Row[]> {
    const { app, scope } = this.reader
    const { columns } = app.replica.facts.of(kind)
    const query = { parent: scope.profile, columns, only: { [field]: [...values] } }
    const table = await app.replica.table(kind, query, signal)
    const keys = Array.from({ length: table.length }, (_unused, at) => table.key(at))
    return [...(await this.#cached[kind].read(keys, signal)).values()]
  }

  #associated(campaigns: ReadonlySet<string>): Set<string> {
    const { app, scope } = this.reader
    const within = new Set(Array.from(campaigns, (campaign) => `${scope.profile}/${campaign}`))
    const all = app.replica.rows(association)
    return new Set(all.flatMap(({ parent, id }) => (parent !== null && within.has(parent) ? [id] : [])))
  }
}

const sameList = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at])

/** The earlier one of two maps or sets if their entries are the same. */
const sameRows = (before: MatrixRecords['rows'] | undefined, now: MatrixRecords['rows']): MatrixRecords['rows'] =>
  before?.size === now.size && [...now].every(([key, row]) => before.get(key) === row) ? before : now
const sameIds = (before: ReadonlySet<string> | undefined, now: ReadonlySet<string>): ReadonlySet<string> =>
  before?.size === now.size && [...now].every((id) => before.has(id)) ? before : now
