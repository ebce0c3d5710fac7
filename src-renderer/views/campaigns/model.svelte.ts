import { sentenceCase } from '#shared/fields/heads'
import { createContext, untrack } from 'svelte'
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { isLocalId, keyBeside, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { kindsOf } from '#shared/facts/kinds'
import { sameJson, type Json } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import { kindAt } from '#shared/fields/kind'
import { accountTerms } from '../../context/account-terms'
import type { AppContext } from '../../context/context'
import type { Place } from '../../context/navigation.svelte'
import { profileNames } from '../../context/profile-names'
import { namesIn } from '../../context/record-names'
import { nanosWords, recordTitle, type RecordWordContext } from '../../context/record-words'
import { cityOf } from '../../context/zone-choices'
import type { Condition, Row, TableQuery, TableRows } from '../../replica/api'
import type { MarkName } from '../../ui/marks'
import { MoveAlong } from './move-along.svelte'
import type { SettingValues } from '../../context/settings.svelte'
import { columnSettings } from './column-settings'
import { computedColumns, computedOf, fromResults, metricOf, pacedBy } from './computed'
import { deliveredBy, type DeliveredMetric } from './delivered'
import type { Copying } from './copy-dates'
import { Counts } from './counts.svelte'
import { LatestDeliveries } from '../../context/latest-deliveries.svelte'
import { dayMs, shortDate, yearOf } from '../../ui/dates'
import { draftMarks } from './draft-marks'
import { Findings } from './findings.svelte'
import { fitColumns, gridColumns, usualColumns, type ColumnChoice, type GridColumn } from './grid-columns'
import { layoutsOf, type Layout } from './layouts'
import { ListedRecords } from './listed-records.svelte'
import { LiveTable } from './live-table.svelte'
import { workOf, type LongWork } from '../../context/long-work.svelte'
import { belongsTo, narrowing, parentIn, scopeKey, type Scope } from './scope'
import { Selection } from '../../ui/cell-selection.svelte'
import type { PacingCell } from './pacing-cell'
import { Pacings } from './pacings.svelte'
import { RecordTree } from './record-tree.svelte'
import { SelectedRecords } from './selected-records.svelte'
import { OwnRules } from './own-rules.svelte'
import { Saving } from './saving.svelte'
import type { SheetSource } from './sheet-source'
import type { StateFilter } from './saved-views'
import { Views } from './views.svelte'

const yearMs = 365 * dayMs

type Sort = NonNullable<TableQuery['sort']>

const unread = 'Couldn’t read the results on this computer'
const unreadable: PacingCell = { state: undefined, words: undefined, percent: undefined, sentence: `${unread}.` }

/** State of the campaigns view: scope, kind, filters, sort order, and selection. */
export class CampaignsModel {
  readonly app: AppContext
  readonly table: LiveTable
  readonly counts: Counts
  /** Results of the profile, if a column needs them. */
  readonly deliveries: LatestDeliveries
  readonly pacings: Pacings
  readonly selection = new Selection()
  /** Runs edits of many records, one after the other. */
  readonly work: LongWork
  readonly saving = new Saving()
  readonly rules = new OwnRules(this)
  readonly findings: Findings
  readonly views = new Views(this)
  readonly along = new MoveAlong()
  readonly tree = new RecordTree(this)
  /** Records of one kind that the list is limited to. */
  readonly listed: ListedRecords = new ListedRecords(this)
  readonly selected: SelectedRecords = new SelectedRecords(this)
  words = $state('')
  state = $state<StateFilter>('living')
  /** True while the post dialog is open or drafts are being posted. */
  posting = $state(false)
  /** Drafts to tick in that dialog: an entry, a step of entries, or all. */
  postOnly = $state<string | null>(null)
  /** Entries whose unusual amounts someone has confirmed, with these amounts. */
  readonly confirmed = new SvelteSet<string>()
  /** Records to copy, while a dialog asks for their dates. */
  copying = $state.raw<Copying | null>(null)
  /** Keys of the records that one form edits. Null if none does. */
  bulk = $state.raw<readonly string[] | null>(null)
  /** Rows to import, while a dialog previews them. */
  importing = $state.raw<SheetSource | null>(null)
  /** Column filters by kind. */
  #conditions = $state.raw<Readonly<Record<string, readonly Condition[]>>>({})
  #sorted = $state.raw<Readonly<Record<string, Sort>>>({})
  /** The dialog of own rules, if it’s open: with a rule to edit, or all. */
  ruling = $state.raw<{ edit?: string } | null>(null)
  constructor(app: AppContext) {
    this.app = app
    this.findings = new Findings(this)
    this.deliveries = new LatestDeliveries(app, () =>
      this.columns.some(({ path }) => fromResults(path, this.kind.name)) ? { profile: this.scope.profile } : undefined,
    )
    this.pacings = new Pacings(
      app.replica,
      () => this.#paced,
      () => this.marks.keys(),
    )
    this.counts = new Counts(app.replica, (metric) => this.#totals(metric))
    this.work = workOf(app.replica, app.accounts.edits)
    this.table = new LiveTable(app.replica, () => ({ collection: this.kind.name, query: this.query }))
  }

  /** True while the dialog opens to rehearse. */
  rehearseNext = false

  /** Opens the dialog that checks drafts, and rehearses them. */
  startRehearsing(): void {
    this.rehearseNext = true
    this.startPosting()
  }

  /** Opens the dialog that checks drafts. `only`: the ID of an entry or of a step. */
  startPosting(only: string | null = null): void {
    this.postOnly = only
    this.posting = true
  }

  /** Follows navigation and changes until the calling component unmounts. */
  follow(): void {
    this.deliveries.follow()
    this.counts.follow()
    this.pacings.follow()
    this.table.follow()
    this.findings.follow()
    $effect(() => {
      void this.kind
      void this.scope
      void this.words
      void this.state
      void this.listed.words
      this.bulk = null
      this.selection.moveTo(0, 0)
      this.selected.forget()
    })
    this.selected.follow()
    $effect(() => {
      const { rows, narrowed } = this
      if (rows && !narrowed && !this.table.looking) untrack(() => this.#lengths.set(this.#list, rows.length))
    })
    this.listed.follow()
    this.#followPlace()
    // Other views open the dialog or a filtered list by a parameter.
    $effect(() => {
      const { post, rejected, ...params } = this.app.navigation.place.params
      if (post === undefined && rejected === undefined) return
      untrack(() => {
        this.app.navigation.replace(params)
        if (rejected !== undefined) this.listed.showRejected(String(rejected))
        if (post !== undefined) this.startPosting(post === 'all' ? null : String(post))
      })
    })
    $effect(() => {
      void this.profiles
      untrack(() => this.tree.begin())
    })
  }

  /** Begins with the list that was open last, and remembers the one that's open. */
  #followPlace(): void {
    const { account, navigation, replica, settings } = this.app
    const { post: _post, rejected: _rejected, ...params } = untrack(() => navigation.place.params)
    const last = untrack(() => settings.values.campaignPlaces[account.id])
    if (last && Object.keys(params).length === 0) {
      const { within, ...rest } = last
      const inside: Place['params'] = within !== undefined && replica.peek(within)?.value ? { within } : {}
      navigation.replace({ ...untrack(() => navigation.place.params), ...rest, ...inside })
    }
    $effect(() => {
      if (this.scope.profile === '') return
      const place = { ...this.scope, kind: this.kind.name }
      untrack(() => {
        const { campaignPlaces } = settings.values
        if (!sameJson(campaignPlaces[account.id], place))
          settings.set({ campaignPlaces: { ...campaignPlaces, [account.id]: place } })
      })
    })
  }

  readonly kinds = $derived.by(() => kindsOf(this.app.replica.facts))
  readonly profiles = $derived.by(() => profileNames(this.app.replica))
  /** Kinds that others belong to, outermost first. They form the tree. */
  readonly around = $derived.by(() => {
    const { facts } = this.app.replica
    const names = new Set(this.kinds.flatMap(({ cuts }) => cuts.map(({ by }) => by)))
    return [...names].map((name) => facts.of(name)).sort((a, b) => (a.pull?.order ?? 0) - (b.pull?.order ?? 0))
  })

  readonly #profile = $derived.by(() => {
    const { profile } = this.app.navigation.place.params
    return (this.profiles.find(({ id }) => id === profile) ?? this.profiles[0])?.id ?? ''
  })
  readonly #within = $derived.by(() => String(this.app.navigation.place.params['within'] ?? ''))
  /** Remains the same object while the scope is the same, whichever record is open. */
  readonly scope = $derived.by((): Scope => ({
    profile: this.#profile,
    ...(this.#within !== '' && { within: this.#within }),
  }))
  readonly kind = $derived.by((): Collection => {
    const { facts } = this.app.replica
    const { kind } = this.app.navigation.place.params
    const wanted = facts.find(String(kind ?? ''))
    return wanted && this.kinds.includes(wanted) ? wanted : (this.around.at(-1) ?? this.kinds[0]!)
  })
  /** Kinds available in the scope. */
  readonly kindsHere = $derived.by(() => {
    const { within } = this.scope
    if (within === undefined) return this.kinds
    const by = parseRecordKey(within).collection
    return this.kinds.filter((kind) => belongsTo(kind, by))
  })

  readonly #choices = $derived.by(() => columnSettings(this.app.settings.values.sheets))
  readonly choice = $derived.by((): ColumnChoice => this.#choices[this.kind.name] ?? {})
  /** Width of the grid in pixels. 0 until it’s drawn. */
  gridWidth = $state(0)
  readonly columns = $derived.by((): readonly GridColumn[] => {
    const { kind, choice } = this
    const usual = choice.shown === undefined ? usualColumns(kind, this.scope.within) : undefined
    return fitColumns(
      gridColumns(kind, usual ? { ...choice, shown: usual } : choice),
      this.gridWidth || Infinity,
      choice,
    )
  })
  choose(choice: ColumnChoice): void {
    this.app.settings.set({ sheets: { ...this.#choices, [this.kind.name]: choice } })
  }

  readonly layouts = $derived.by(() => layoutsOf(this.kind))
  /** The chosen layout, or the grid for a kind that can't be drawn so. */
  readonly layout = $derived.by((): Layout => {
    const { campaignLayout } = this.app.settings.values
    return this.layouts.some(({ value }) => value === campaignLayout) ? campaignLayout : 'grid'
  })

  setLayout(campaignLayout: Layout): void {
    this.app.settings.set({ campaignLayout })
  }

  /** The panel below the grid, if it's open. It stays open over a restart. */
  get panel(): SettingValues['campaignPanel'] {
    return this.app.settings.values.campaignPanel
  }
  set panel(campaignPanel) {
    this.app.settings.set({ campaignPanel })
  }
  /** Width of a day on the timeline, in CSS pixels. Undefined until it's drawn. */
  zoom = $state<number | undefined>()
  /** The width that the timeline is to get next. */
  nextZoom = $state<number | undefined>()

  /** Time zone and currency of the account. */
  readonly terms = $derived.by(() => accountTerms(this.app.replica, this.scope.profile))
  /** The zone in which its ads start and end. Until the account is downloaded, the user's. */
  get zone(): string {
    return this.terms.zone ?? this.app.preferences.zone
  }
  /** True if the user's time zone has the same offset all year. */
  readonly #isZoneOwn = $derived.by(() => {
    const { clock, preferences } = this.app
    const today = clock.today('UTC')
    return [0, yearMs / 2].every(
      (ms) => wallOfInstant(today + ms, this.zone) === wallOfInstant(today + ms, preferences.zone),
    )
  })
  /** Formats billionths with the account's currency. */
  amount(nanos: string): string {
    return [nanosWords(nanos), this.terms.currency].filter(Boolean).join(' ')
  }
  /** Unit of a column's values, if it isn't obvious. */
  unitOf({ path, kind }: { path: string; kind: GridColumn['kind'] | undefined }): string | undefined {
    if (kind === 'moment') return this.#isZoneOwn ? undefined : cityOf(this.zone)
    return kind === 'money' || computedOf(path)?.format === 'money' ? this.terms.currency : undefined
  }
  /** A field's name, with what its values are in. */
  headIn(collection: string, { path, head }: Pick<GridColumn, 'path' | 'head'>): string {
    const unit = this.unitOf({ path, kind: kindAt(this.app.replica.facts.of(collection), path) })
    return unit === undefined ? head : `${head} (${unit})`
  }

  readonly today = $derived.by(() => new Date(this.app.clock.today(this.zone)).toISOString().slice(0, 10))
  readonly conditions = $derived(this.#conditions[this.kind.name] ?? [])
  setConditions(conditions: readonly Condition[]): void {
    this.#conditions = { ...this.#conditions, [this.kind.name]: conditions }
  }
  /** The order that someone chose. */
  readonly chosenSort = $derived.by((): Sort | undefined => this.#sorted[this.kind.name])
  readonly sort = $derived.by((): Sort | undefined => {
    const { log, title } = this.kind
    if (this.chosenSort) return this.chosenSort
    if (log) return { column: log.at, down: true }
    return title && this.kind.columns.includes(title) ? { column: title, down: false } : undefined
  })
  /** Shows all records of the list that its state filter allows. */
  clearFilters(): void {
    this.words = ''
    this.setConditions([])
    this.listed.stop()
  }
  readonly narrowed = $derived(
    this.words.trim() !== '' ||
      this.conditions.length > 0 ||
      this.listed.words !== undefined ||
      !['all', 'living'].includes(this.state),
  )
  /** Number of rows in the scope without search and filters. Undefined if it’s not known. */
  readonly inScope = $derived.by(() => this.#lengths.get(this.#list))
  readonly #list = $derived.by(() => [this.kind.name, this.scope.profile, this.scope.within ?? ''].join(' '))
  readonly #lengths = new SvelteMap<string, number>()
  /** Downloads chosen for the profile: everything, or records by their keys. */
  readonly #downloaded = $derived.by(() => {
    const chosen = this.app.replica.chosenDownloads().filter(({ parent }) => parent === this.scope.profile)
    const keys = chosen.flatMap(({ what }) => (typeof what === 'string' ? [] : [`${what.collection} ${what.id}`]))
    return { all: chosen.some(({ what }) => what === 'all'), keys: new Set(keys) }
  })
  #totals(metric: DeliveredMetric): ReadonlyMap<string, number> | undefined {
    const { found } = this.deliveries
    return found && deliveredBy(found, metric)
  }
  readonly #narrow = $derived.by((): Pick<TableQuery, 'parent' | 'only'> => {
    const { kind, scope } = this
    const parent = parentIn(kind, scope)
    return {
      ...(parent !== undefined && { parent }),
      only: narrowing(kind, scope, (key) => this.app.replica.peek(key)),
    }
  })
  readonly #paced = $derived.by(() => {
    const { kind, columns, deliveries } = this
    if (!columns.some(({ path }) => pacedBy(path, kind.name))) return undefined
    if (deliveries.loading || deliveries.trouble) return undefined
    return { query: this.#narrow, file: deliveries.found }
  })
  /** Pacing of a row, for a column that shows it: null while it's read. Undefined for other columns. */
  pacingIn(path: string, key: string): PacingCell | null | undefined {
    if (pacedBy(path, this.kind.name) === undefined) return undefined
    if (this.deliveries.trouble) return unreadable
    return this.pacings.known?.get(parseRecordKey(key).id) ?? null
  }
  /** Dates and source of a column's results, or why it's empty. Undefined for other columns. */
  noteOf({ path }: GridColumn): string | undefined {
    if (!fromResults(path, this.kind.name)) return undefined
    const { found, trouble, loading } = this.deliveries
    if (trouble) return unread
    if (!found)
      return loading ? 'Loading results…' : 'No daily results on this computer. Run “Daily results” in Reports'
    if (found.narrowed && metricOf(path, this.kind.name))
      return 'The latest daily results come from a filtered report. Run “Daily results” in Reports'
    const { from, asOf } = found
    const year = yearOf(this.context.today)
    return `${shortDate(from * dayMs, year)} – ${shortDate(asOf * dayMs, year)}, from the latest results on this computer`
  }
  /** False if records that belong to another weren't downloaded. Small collections always come with the profile. */
  #isHere(counted: CollectionName, key: string, cell: (path: string) => Json | undefined): boolean {
    const { all, keys } = this.#downloaded
    if (all || this.app.replica.facts.of(counted).keep !== 'window') return true
    const { collection, id } = parseRecordKey(key)
    const around = this.app.replica.facts.of(collection).cuts
    return (
      keys.has(`${collection} ${id}`) ||
      around.some(({ by, field }) => field !== undefined && keys.has(`${by} ${String(cell(field))}`))
    )
  }
  /** Columns whose records are found by their names, too. Those of the scope would find every row. */
  readonly #named = $derived.by(() => {
    const { kind, scope, columns } = this
    const around = scope.within === undefined ? kind.cuts.flatMap(({ field }) => field ?? []) : []
    return [...new Set([...columns.filter(({ held }) => held).map(({ path }) => path), ...around])]
  })
  readonly query = $derived.by((): TableQuery => {
    const { kind, scope, sort } = this
    const held = this.columns.filter((column) => column.held).map(({ path }) => path)
    const archives = kind.columns.includes('archived')
    const where: Condition[] = [...this.conditions]
    if (archives && this.state === 'living') where.push({ column: 'archived', isNot: ['true'] })
    if (archives && this.state === 'archived') where.push({ column: 'archived', is: ['true'] })
    const parent = parentIn(kind, scope)
    return {
      ...(parent !== undefined && { parent }),
      columns: [...new Set([...held, ...kind.columns])],
      computed: computedColumns(
        kind.name,
        held,
        { today: this.today, zone: this.zone },
        (counted) => this.counts.of(counted, scope.profile),
        (counted, key, cell) => this.#isHere(counted.collection, key, cell),
        (metric) => this.#totals(metric),
        () => this.pacings.known,
      ),
      only: {
        ...narrowing(kind, scope, (key) => this.app.replica.peek(key)),
        ...(this.listed.ids !== undefined && { [kind.idFields[0]!]: this.listed.ids.split(' ') }),
      },
      ...(where.length > 0 && { where }),
      ...(this.state === 'drafts' && { marks: ['local', 'sending', 'needsYou'] }),
      ...(this.state === 'needsYou' && { marks: ['needsYou'] }),
      ...(this.words.trim() !== '' && { words: this.words.trim(), named: this.#named }),
      ...(sort && { sort }),
    }
  })
  /** Null while the table contains another kind, whose rows don't fit these columns. */
  readonly rows = $derived.by(() => {
    const { found } = this.table
    return found?.collection === this.kind.name ? found.rows : null
  })
  readonly length = $derived(this.rows?.length ?? 0)
  /** Also used by work that ends after the view is closed. */
  get context(): RecordWordContext {
    const { preferences, clock } = this.app
    return { zone: this.zone, hour12: preferences.hour12, today: clock.today(this.zone) }
  }

  /** Keys of records with unposted edits. */
  readonly #drafts = $derived.by(
    () =>
      new Set(
        this.app.replica
          .outbox()
          .filter(({ held }) => held)
          .map(({ collection, parent, recordId }) => recordKey(collection, parent, recordId)),
      ),
  )
  /** What pending changes differ in from the service, by key. */
  readonly marks = $derived.by(() =>
    draftMarks(this.app.replica.facts, this.app.replica.outbox(), (key) => this.app.replica.peek(key)),
  )
  /** Number of unposted entries. */
  readonly drafts = $derived.by(
    () => this.app.replica.outbox().filter(({ held, state }) => held && state !== 'needsYou').length,
  )
  /** True while edits are being saved, which may become drafts. */
  get isSaving(): boolean {
    return this.saving.busy || this.work.busy
  }
  markOf(mark: Row['mark'], key: string): MarkName {
    if (this.saving.has(key)) return 'keeping'
    return mark === 'local' && this.isDraft(key) ? 'draft' : mark
  }
  isDraft(key: string): boolean {
    return this.#drafts.has(key)
  }

  /** Formatting contexts by what records are inside of: one serves all rows of a list. */
  readonly #contexts = $derived.by(() => {
    const { context } = this
    const known = new Map<string, RecordWordContext>()
    return (key: string): RecordWordContext => {
      const place = keyBeside(key, '')
      let found = known.get(place)
      if (!found) known.set(place, (found = { ...context, nameOf: this.namesAround(key) }))
      return found
    }
  })
  contextOf(key: string): RecordWordContext {
    return this.#contexts(key)
  }
  /** Names of records that a record may refer to. */
  namesAround(key: string): NonNullable<RecordWordContext['nameOf']> {
    return namesIn(this.app.replica, parseRecordKey(key).parent)
  }

  sortBy(column: string, down?: boolean): void {
    const turned = down ?? (this.sort?.column === column ? !this.sort.down : false)
    this.chooseSort({ column, down: turned })
  }
  /** Sorts the list. Without an argument, in its usual order. */
  chooseSort(sort: Sort | undefined): void {
    const { [this.kind.name]: _before, ...others } = this.#sorted
    this.#sorted = sort ? { ...others, [this.kind.name]: sort } : others
    this.selection.moveTo(0, this.selection.column)
    this.selected.forget()
  }

  show(kind: CollectionName, scope: Scope = this.scope): void {
    this.words = ''
    const { profile, within } = scope
    this.app.navigation.go('campaigns', { kind, profile, ...(within !== undefined && { within }) })
  }
  /** Shows everything that belongs to a record. */
  enter(key: string): void {
    const { collection, parent } = parseRecordKey(key)
    const depth = this.around.findIndex(({ name }) => name === collection)
    if (depth < 0 || parent === null) return
    const next =
      this.around[depth + 1] ??
      this.kinds.find(({ cuts, keep }) => keep === 'window' && cuts.some(({ by }) => by === collection))
    for (const above of [`profile ${parent}`, this.scope.within]) if (above !== undefined) this.tree.expanded.add(above)
    this.tree.expanded.add(key)
    this.show(next?.name ?? this.kind.name, { profile: parent, within: key })
  }

  /** The record whose form is shown. */
  readonly open = $derived.by(() => {
    const { record } = this.app.navigation.place.params
    return typeof record === 'string' && record !== '' ? record : null
  })
  openKey(record: string | null): void {
    // Work may end while another view is open. Don't leave that view.
    if (this.app.navigation.place.view !== 'campaigns') return
    const { record: _record, ...params } = this.app.navigation.place.params
    this.app.navigation.replace({ ...params, kind: this.kind.name, ...(record !== null && { record }) })
    this.selected.went(this.app.navigation.place)
  }
  openMade(record: string): void {
    this.openKey(record)
    this.selected.awaitRow(record)
  }
  /** Opens the form of the current record, or one for all selected ones. */
  openSelected(): void {
    const { top, bottom } = this.selection.range
    if (bottom > top && this.kind.writable) this.bulk = this.selectedKeys()
    else this.openHere()
  }
  openHere(): void {
    this.bulk = null
    if (this.rows && this.selection.row < this.length) this.openKey(this.rows.key(this.selection.row))
  }

  moveTo(row: number, column: number, extend = false): void {
    const [lastRow, lastColumn] = [this.length - 1, this.columns.length - 1]
    const to = Math.max(0, Math.min(lastRow, row))
    this.selection.moveTo(to, Math.max(0, Math.min(lastColumn, column)), extend)
    if (!this.rows || this.length === 0) return
    this.selected.keep()
    if (this.bulk && extend) this.bulk = this.selectedKeys()
    else if (this.bulk || (this.open !== null && !extend)) {
      this.bulk = null
      this.openKey(this.rows.key(to))
    }
  }

  /** Keys of the records that the selection touches. */
  selectedKeys(): string[] {
    const { rows } = this
    if (!rows || this.length === 0) return []
    const { top, bottom } = this.selection.range
    return Array.from({ length: Math.min(bottom, this.length - 1) - top + 1 }, (_, index) => rows.key(top + index))
  }

  titleOf(row: Pick<Row, 'collection' | 'id' | 'value' | 'base'>): string {
    const facts = this.app.replica.facts.of(row.collection)
    const name = recordTitle(facts, row.value ?? row.base)
    return name ?? `${sentenceCase(facts.words.one)} ${isLocalId(row.id) ? '(new)' : `#${row.id}`}`
  }

  /** Reads a row's values by path, as far as they're in memory. Long work passes the rows it began with. */
  cell(at: number, rows = this.rows): (path: string) => Json | undefined {
    if (!rows) return () => undefined
    const numbers = numbersOf(rows)
    const cells = rows.cells(at)
    return (path) => {
      const column = numbers.get(path)
      return column === undefined ? undefined : cells(column)
    }
  }

  keyOf(collection: CollectionName, id: string): string {
    return scopeKey(collection, this.scope.profile, id)
  }
}

const numbered = new WeakMap<TableRows, ReadonlyMap<string, number>>()
/** Column indexes by path. */
function numbersOf(rows: TableRows): ReadonlyMap<string, number> {
  let numbers = numbered.get(rows)
  if (!numbers) numbered.set(rows, (numbers = new Map(rows.columns.map((path, number) => [path, number]))))
  return numbers
}

export const [useCampaigns, provideCampaigns] = createContext<CampaignsModel>()
