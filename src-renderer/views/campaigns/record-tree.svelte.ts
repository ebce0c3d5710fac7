import { SvelteSet } from 'svelte/reactivity'
import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import type { AppContext } from '../../context/context'
import type { Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import { titleOfKind } from './kinds'
import type { Scope } from './scope'
import { visibleNodes, type Branch, type TreeNode } from './tree'

/** The list that the tree leads to. */
interface List {
  readonly app: Pick<AppContext, 'replica'>
  readonly profiles: readonly { id: string; name: string }[]
  readonly around: readonly Collection[]
  readonly kinds: readonly Collection[]
  readonly scope: Scope
  titleOf(row: Row): string
  keyOf(collection: CollectionName, id: string): string
}

/** The tree of records that others belong to. */
export class RecordTree {
  /** IDs of expanded nodes. */
  readonly expanded = new SvelteSet<string>()

  constructor(private readonly list: List) {}

  /** Expands what the displayed list is inside of, or the first profile. */
  begin(): void {
    const { profiles, scope } = this.list
    const [first] = profiles
    if (!first || this.expanded.size > 0) return
    if (scope.within === undefined) this.expanded.add(`profile ${first.id}`)
    else this.unfold()
  }

  readonly nodes = $derived.by((): TreeNode[] =>
    visibleNodes({
      profiles: this.list.profiles.map(({ id, name }) => ({ id, title: name })),
      around: this.list.around,
      kinds: this.list.kinds,
      branches: (kind, profile, within) => this.#branches(kind, profile, within),
      expanded: this.expanded,
      titleOf: titleOfKind,
    }),
  )
  /** Searches records that others belong to, by title or ID, as a flat list. */
  found(words: string): TreeNode[] {
    const { around, profiles, kinds } = this.list
    const nodes = around.flatMap((kind, depth) =>
      profiles.flatMap(({ id: profile }) =>
        this.#branches(kind, profile, undefined)
          .filter(({ title, key }) => title.toLowerCase().includes(words) || parseRecordKey(key).id === words)
          .map(({ key, title, archived }): Omit<TreeNode, 'place' | 'of'> => ({
            ...{ id: key, title, level: 1, leaf: false, scope: { profile, within: key }, faint: archived },
            kind: around[depth + 1]?.name ?? kinds.find(({ keep }) => keep === 'window')?.name ?? kind.name,
          })),
      ),
    )
    return nodes.map((node, index) => ({ ...node, place: index + 1, of: nodes.length }))
  }
  /** Expands what the displayed list is inside of. */
  unfold(): void {
    const { app, scope } = this.list
    const { profile, within } = scope
    this.expanded.add(`profile ${profile}`)
    if (within === undefined) return
    const value = app.replica.peek(within)?.value ?? undefined
    for (const { by, field } of app.replica.facts.of(parseRecordKey(within).collection).cuts) {
      const id = field === undefined ? undefined : valueAt(value, field)
      if (typeof id === 'string') this.expanded.add(this.list.keyOf(by, id))
    }
    this.expanded.add(within)
  }

  #branches(kind: Collection, profile: string, within: string | undefined): readonly Branch[] {
    const own = within === undefined ? undefined : parseRecordKey(within)
    const cut = own && kind.cuts.find(({ by }) => by === own.collection)
    const rows = this.list.app.replica.rows(kind.name as Parameters<AppContext['replica']['rows']>[0], profile)
    return rows
      .filter(({ value }) => value && (!cut?.field || valueAt(value, cut.field) === own!.id))
      .map((row) => ({ key: row.key, name: this.list.titleOf(row), archived: row.value?.['archived'] === true }))
      .sort((a, b) => Number(a.archived) - Number(b.archived) || byName(a, b))
      .map(({ key, name, archived }) => ({ key, title: name, archived }))
  }
}
