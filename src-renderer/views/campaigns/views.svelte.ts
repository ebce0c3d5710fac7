import type { CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { AppContext } from '../../context/context'
import type { Condition } from '../../replica/api'
import { allColumns, type ColumnChoice } from './grid-columns'
import { layoutsOf, type Layout } from './layouts'
import {
  findView,
  isSameView,
  maxViews,
  nameProblem,
  readViews,
  unreadViews,
  withView,
  type AllViews,
  type SavedView,
  type StateFilter,
  type ViewContent,
} from './saved-views'

type Sort = NonNullable<ViewContent['sort']>

/** The list that views are applied to. */
interface List {
  readonly app: Pick<AppContext, 'settings' | 'account' | 'toasts' | 'announce'>
  readonly kind: Collection
  readonly choice: ColumnChoice
  readonly conditions: readonly Condition[]
  readonly chosenSort: Sort | undefined
  readonly layout: Layout
  readonly zoom: number | undefined
  nextZoom: number | undefined
  state: StateFilter
  setLayout(layout: Layout): void
  choose(choice: ColumnChoice): void
  setConditions(conditions: readonly Condition[]): void
  chooseSort(sort: Sort | undefined): void
  show(kind: CollectionName): void
}

/** Saved views of the lists of this account. */
export class Views {
  readonly #shown: List
  /** Name of the view that was applied last, by kind. */
  #applied = $state.raw<Readonly<Record<string, string>>>({})

  constructor(list: List) {
    this.#shown = list
  }

  readonly #all = $derived.by((): AllViews => readViews(this.#shown.app.settings.values.sheetViews))
  /** Views of a kind. */
  of(kind: CollectionName): readonly SavedView[] {
    return this.#all[this.#shown.app.account.id]?.[kind] ?? []
  }
  readonly list = $derived.by(() => this.of(this.#shown.kind.name))
  /** The applied view, whether or not the list was changed since. */
  readonly current = $derived.by(() => findView(this.list, this.#applied[this.#shown.kind.name] ?? ''))
  /** What the list shows now. */
  readonly content = $derived.by((): ViewContent => {
    const { choice, conditions, state, chosenSort, layout, zoom } = this.#shown
    return { shown: choice.shown, where: conditions, state, sort: chosenSort, layout, zoom }
  })
  /** True if the list no longer shows what its view says. */
  readonly isChanged = $derived.by(() => this.current !== undefined && !isSameView(this.current, this.content))
  readonly isFull = $derived.by(() => this.list.length >= maxViews)

  /** Shows a view in the list of its kind. Leaves out conditions and columns that this kind no longer has. */
  apply(view: SavedView): void {
    const model = this.#shown
    const known = new Set(allColumns(model.kind).map(({ path }) => path))
    const shown = view.shown?.filter((path) => known.has(path)) ?? []
    const { shown: _shown, ...widths } = model.choice
    model.choose({ ...widths, ...(shown.length > 0 && { shown }) })
    model.setConditions(view.where.filter(({ column }) => known.has(column)))
    model.state = view.state
    model.chooseSort(view.sort && known.has(view.sort.column) ? view.sort : undefined)
    // The layout of other kinds is none of its business.
    if (layoutsOf(model.kind).length > 1) model.setLayout(view.layout ?? 'grid')
    model.nextZoom = view.zoom
    this.#apply(view.name)
    model.app.announce(`Showing view “${view.name}”`)
  }
  /** Goes to a list and shows a view there. */
  open(kind: CollectionName, view: SavedView): void {
    if (this.#shown.kind.name !== kind) this.#shown.show(kind)
    this.apply(view)
  }

  /** Saves what the list shows under a new name. */
  save(name: string): void {
    this.#store(this.#shown.kind.name, withView(this.list, name, this.content))
    this.#apply(name.trim())
    this.#shown.app.toasts.show(`Saved view “${name.trim()}”`)
  }
  /** Saves what the list shows in the applied view. */
  update(): void {
    const { current: before } = this
    if (!before) return
    const kind = this.#shown.kind.name
    this.#store(kind, withView(this.list, before.name, this.content))
    this.#tell(`Updated view “${before.name}”`, () => {
      if (findView(this.of(kind), before.name)) this.#store(kind, withView(this.of(kind), before.name, before))
    })
  }
  rename(view: SavedView, name: string): void {
    const kind = this.#shown.kind.name
    const isApplied = this.current?.name === view.name
    this.#store(kind, withView(this.list, name, view, view.name))
    if (isApplied) this.#apply(name.trim())
    this.#tell(`Renamed view “${view.name}” to “${name.trim()}”`, () => {
      const now = findView(this.of(kind), name)
      if (!now || nameProblem(this.of(kind), view.name, now.name)) return
      this.#store(kind, withView(this.of(kind), view.name, now, now.name))
      if (isApplied) this.#apply(view.name, kind)
    })
  }
  remove(view: SavedView): void {
    const kind = this.#shown.kind.name
    this.#store(
      kind,
      this.list.filter(({ name }) => name !== view.name),
    )
    this.#tell(`Deleted view “${view.name}”`, () => {
      if (!findView(this.of(kind), view.name)) this.#store(kind, withView(this.of(kind), view.name, view))
    })
  }

  #apply(name: string, kind: string = this.#shown.kind.name): void {
    this.#applied = { ...this.#applied, [kind]: name }
  }
  #tell(text: string, run: () => void): void {
    this.#shown.app.toasts.show(text, { action: { label: 'Undo', run } })
  }
  /** Stores the views of one kind. Others, and those that only a newer version can read, stay as they're stored. */
  #store(kind: CollectionName, views: readonly SavedView[]): void {
    const { settings, account } = this.#shown.app
    const stored = objectOf(settings.values.sheetViews)
    const own = objectOf(stored[account.id])
    const all = [...views, ...unreadViews(own[kind])]
    settings.set({ sheetViews: { ...stored, [account.id]: { ...own, [kind]: all } } })
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
