import { untrack } from 'svelte'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { AppContext } from '../../context/context'
import { rejectionsOf } from '../../context/rejections'
import type { TableRows } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { StateFilter } from './saved-views'
import { scopeOf, type Scope } from './scope'

/** The list that can be limited. */
interface List {
  readonly app: Pick<AppContext, 'replica'>
  readonly kind: Collection
  readonly scope: Scope
  readonly rows: TableRows | null
  readonly table: { readonly looking: boolean }
  readonly selected: { arrive(): void }
  state: StateFilter
  show(kind: CollectionName, scope: Scope): void
  clearFilters(): void
}

const isSame = (one: Scope, other: Scope): boolean => one.profile === other.profile && one.within === other.within

/** Limits the list of a profile to records of one kind, such as those with a finding. */
export class ListedRecords {
  /** The records, and what they are. */
  #only = $state.raw<{ keys: readonly string[]; kind: string; scope: Scope; words: string } | null>(null)
  #isArriving = $state(false)

  constructor(private readonly list: List) {}

  /** Goes to the records once their rows are found, until the calling component unmounts. */
  follow(): void {
    $effect(() => {
      const { rows, table, selected } = this.list
      if (!rows || !this.#isArriving || table.looking) return
      untrack(() => {
        this.#isArriving = false
        selected.arrive()
      })
    })
  }

  /** Description of the records that the list is limited to. Undefined if it isn't. */
  readonly words = $derived.by(() => {
    if (!this.#only) return undefined
    const { kind, scope, words } = this.#only
    return kind === this.list.kind.name && isSame(scope, this.list.scope) ? words : undefined
  })
  /** Their IDs, separated by spaces. New records get another ID once they’re sent. */
  readonly ids = $derived.by((): string | undefined => {
    if (this.words === undefined) return undefined
    const { replica } = this.list.app
    void replica.outbox()
    return this.#only!.keys.map((key) => parseRecordKey(replica.realKey(key)).id).join(' ')
  })

  /** Limits the list to records of one kind. @param words what they are, such as `3 rejected placements` */
  show(keys: readonly string[], words: string): void {
    const { list } = this
    const [first] = keys
    if (first === undefined) return
    const { collection: kind } = parseRecordKey(first)
    const scope = scopeOf(list.scope, keys, list.app.replica)
    if (list.kind.name !== kind || !isSame(scope, list.scope)) list.show(kind, scope)
    list.clearFilters()
    list.state = 'all'
    this.#only = { keys, kind, scope, words }
    this.#isArriving = true
  }
  /** Limits the list to the records that were rejected with an entry. */
  showRejected(entry: string): void {
    const { app, kind } = this.list
    const groups = rejectionsOf(app.replica.outbox().filter(({ state }) => state === 'needsYou'))
    const { entries = [] } = groups.find(({ entries }) => entries.some(({ id }) => id === entry)) ?? {}
    const keys = entries.map(({ collection, parent, recordId }) => recordKey(collection, parent, recordId))
    const { one, many } = kind.words
    this.show(keys, counted(keys.length, `rejected ${one}`, `rejected ${many}`))
  }
  stop(): void {
    this.#only = null
  }
}
