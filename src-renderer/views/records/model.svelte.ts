import { createContext, untrack } from 'svelte'
import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { Json, JsonObject } from '#shared/json'
import type { AppContext } from '../../context/context'
import { namesIn } from '../../context/record-names.svelte'
import { recordTitle, sentenceCase, type RecordWordContext } from '../../context/record-words'
import type { Row, TableQuery, TableRows } from '../../replica/api'
import { byName } from '../../ui/by-name'
import type { MarkName } from '../../ui/marks'
import { columnsOf } from './columns'
import { kindGroups } from './kinds'
import { LiveTable } from './live-table.svelte'

type Sort = NonNullable<TableQuery['sort']>

/** One list of records: which, how it is narrowed and sorted, and where one stands in it. */
export class RecordsModel {
  readonly app: AppContext
  readonly table: LiveTable
  words = $state('')
  /** What the person chose for a kind; absent: as it is usual there. */
  #sorted = $state.raw<Readonly<Record<string, Sort>>>({})
  at = $state(0)
  /** Where one stands is a record: it is followed when an edit sorts it elsewhere. */
  #key: string | null = null

  constructor(app: AppContext) {
    this.app = app
    this.table = new LiveTable(app.replica, () => ({ collection: this.kind.name, query: this.query }))
    $effect(() => {
      void this.kind
      void this.profile
      void this.words
      this.at = 0
      this.#key = null
    })
    $effect(() => {
      const { rows } = this
      if (rows) untrack(() => this.#follow(rows))
    })
  }

  #follow(rows: TableRows): void {
    const key = this.#key
    if (key !== null && (this.at >= rows.length || rows.key(this.at) !== key)) {
      for (let at = 0; at < rows.length; at++) if (rows.key(at) === key) this.at = at
    }
    this.at = Math.max(0, Math.min(rows.length - 1, this.at))
  }

  readonly groups = $derived.by(() => kindGroups(this.app.replica.facts))
  readonly kind = $derived.by((): Collection => {
    const { facts } = this.app.replica
    const { kind } = this.app.navigation.place.params
    return facts.find(String(kind ?? '')) ?? facts.find('placements') ?? this.groups[0]!.kinds[0]!
  })
  readonly profiles = $derived.by(() =>
    this.app.replica
      .rows('userProfiles')
      .map(({ id, value }) => ({
        id,
        name: [value?.['userName'], value?.['accountName']].filter(Boolean).join(', ') || `#${id}`,
      }))
      .sort(byName),
  )
  /** Only kinds that lie in a profile itself can be narrowed to one. */
  readonly byProfile = $derived(this.kind.parents.length === 1 && this.profiles.length > 1)
  readonly profile = $derived.by(() => {
    const { profile } = this.app.navigation.place.params
    return this.byProfile && typeof profile === 'string' && profile !== '' ? profile : undefined
  })
  readonly sort = $derived.by((): Sort | undefined => {
    const { name, log, title } = this.kind
    const chosen = this.#sorted[name]
    if (chosen) return chosen
    if (log) return { column: log.at, down: true }
    return title && this.kind.columns.includes(title) ? { column: title, down: false } : undefined
  })
  readonly query = $derived.by((): TableQuery => ({
    ...(this.profile !== undefined && { parent: this.profile }),
    ...(this.words.trim() !== '' && { words: this.words.trim() }),
    ...(this.sort && { sort: this.sort }),
  }))
  /** Rows of one kind under the heads of another would be wrong. */
  readonly rows = $derived.by(() => {
    const { found } = this.table
    return found?.collection === this.kind.name ? found.rows : null
  })
  readonly columns = $derived(columnsOf(this.kind, this.rows?.columns ?? this.kind.columns))
  readonly length = $derived(this.rows?.length ?? 0)
  readonly context = $derived.by((): RecordWordContext => {
    const { preferences, clock } = this.app
    return { zone: preferences.zone, hour12: preferences.hour12, today: clock.today(preferences.zone) }
  })

  /** Keys of records with edits that wait to be posted. */
  readonly #drafts = $derived.by(
    () =>
      new Set(
        this.app.replica
          .outbox()
          .filter(({ held }) => held)
          .map(({ collection, parent, recordId }) => recordKey(collection, parent, recordId)),
      ),
  )
  markOf(mark: Row['mark'], key: string): MarkName {
    return mark === 'local' && this.#drafts.has(key) ? 'draft' : mark
  }

  contextOf(key: string): RecordWordContext {
    return { ...this.context, nameOf: namesIn(this.app.replica, parseRecordKey(key).parent) }
  }

  sortBy(column: string): void {
    const down = this.sort?.column === column ? !this.sort.down : false
    this.#sorted = { ...this.#sorted, [this.kind.name]: { column, down } }
    this.at = 0
    this.#key = null
  }

  show(kind: CollectionName): void {
    const { profile } = this.app.navigation.place.params
    this.words = ''
    this.app.navigation.go('records', { kind, ...(profile !== undefined && { profile }) })
  }

  choose(profile: string): void {
    this.app.navigation.replace({ kind: this.kind.name, profile })
  }

  /** The record whose fields are shown. */
  readonly open = $derived.by(() => {
    const { record } = this.app.navigation.place.params
    return typeof record === 'string' && record !== '' ? record : null
  })
  openKey(record: string | null): void {
    const { record: _record, ...params } = this.app.navigation.place.params
    this.app.navigation.replace({ ...params, kind: this.kind.name, ...(record !== null && { record }) })
  }
  openAt(at: number): void {
    if (!this.rows || at < 0 || at >= this.rows.length) return
    this.at = at
    this.#key = this.rows.key(at)
    this.openKey(this.#key)
  }

  stand(at: number): void {
    this.at = Math.max(0, Math.min(this.length - 1, at))
    if (!this.rows || this.length === 0) return
    this.#key = this.rows.key(this.at)
    if (this.open !== null) this.openKey(this.#key)
  }

  titleOf(row: Pick<Row, 'collection' | 'id' | 'value' | 'base'>): string {
    const facts = this.app.replica.facts.of(row.collection)
    const name = recordTitle(facts, row.value ?? row.base)
    return name ?? `${sentenceCase(facts.words.one)} ${isLocalId(row.id) ? '(new)' : `#${row.id}`}`
  }

  async write(row: Row, patch: JsonObject, what: string): Promise<boolean> {
    const label = `Change *${this.titleOf(row).replaceAll('*', '')}*: ${what}`
    return (await this.app.edit([{ kind: 'change', key: row.key, patch }], { label }, { show: true })) !== null
  }

  /** Deletes it, or archives what cannot be deleted. */
  async end(row: Row): Promise<void> {
    const facts = this.app.replica.facts.of(row.collection)
    const verb = facts.ends === 'archive' && !isLocalId(row.id) ? 'Archive' : 'Delete'
    const label = `${verb} *${this.titleOf(row).replaceAll('*', '')}*`
    const done = await this.app.edit([{ kind: 'delete', key: row.key }], { label }, { show: true })
    if (done && verb === 'Delete') this.openKey(null)
  }

  unarchive(row: Row): Promise<boolean> {
    return this.write(row, { archived: false }, 'not archived any more')
  }

  cell(at: number): (path: string) => Json | undefined {
    const { rows } = this
    return (path) => {
      const column = rows?.columns.indexOf(path) ?? -1
      return column < 0 ? undefined : rows!.cell(at, column)
    }
  }
}

export const [useRecords, provideRecords] = createContext<RecordsModel>()
