import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { belongsTo, type Scope } from './scope'

export interface TreeNode {
  /** Unique in the tree. */
  id: string
  title: string
  level: number
  scope: Scope
  /** Kind shown in the grid when the node is selected. */
  kind: CollectionName
  /** True for a kind of record below a record, false for the record itself. */
  leaf: boolean
  expanded?: boolean
  /** True if the node only groups others. */
  fold?: boolean
  faint?: boolean
  place: number
  of: number
}

/** A record that others belong to. */
export interface Branch {
  key: string
  title: string
  archived: boolean
}

/** Common kinds have their own nodes. The others are grouped under one node. */
export const isLivedIn = ({ sheet, pull }: Collection): boolean => sheet.place !== undefined || pull?.when === 'log'

export interface Forest {
  profiles: readonly { id: string; title: string }[]
  /** Kinds that others belong to, outermost first. */
  around: readonly Collection[]
  kinds: readonly Collection[]
  /** Records of a kind in a profile that belong to a record. */
  branches(kind: Collection, profile: string, within: string | undefined): readonly Branch[]
  expanded: ReadonlySet<string>
  titleOf(kind: Collection): string
}

/** All visible nodes, from top to bottom. */
export function visibleNodes(forest: Forest): TreeNode[] {
  const nodes: TreeNode[] = []
  forest.profiles.forEach(({ id, title }, index) => {
    const scope = { profile: id }
    const node = `profile ${id}`
    const expanded = forest.expanded.has(node)
    const kind = forest.around[0]?.name ?? forest.kinds[0]!.name
    nodes.push({
      ...{ id: node, title, level: 1, scope, kind, leaf: false, expanded },
      ...{ place: index + 1, of: forest.profiles.length },
    })
    if (expanded) addChildren(forest, nodes, scope, 0, 2)
  })
  return nodes
}

function addChildren(forest: Forest, nodes: TreeNode[], scope: Scope, depth: number, level: number): void {
  const { around, kinds, expanded } = forest
  const by = scope.within === undefined ? undefined : parseRecordKey(scope.within).collection
  const next = around[depth]
  const branches = next ? forest.branches(next, scope.profile, scope.within) : []
  const below =
    by === undefined
      ? kinds.filter((kind) => kind.cuts.length === 0)
      : kinds.filter((kind) => kind !== next && belongsTo(kind, by))
  const leaves = below
    .filter(isLivedIn)
    .map((kind) => ({ kind, id: `${scope.profile} ${scope.within ?? ''} ${kind.name}` }))
  const others = below.filter((kind) => !isLivedIn(kind))
  const of = branches.length + leaves.length + (others.length > 0 ? 1 : 0)
  let place = 0
  // A campaign only contains kinds. Elsewhere, nodes with children come first.
  for (const { key, title, archived } of branches) {
    const inner = { profile: scope.profile, within: key }
    const kind =
      around[depth + 1]?.name ??
      kinds.find((one) => belongsTo(one, next!.name) && one.keep === 'window')?.name ??
      next!.name
    const open = expanded.has(key)
    place += 1
    nodes.push({
      ...{ id: key, title, level, scope: inner, kind, leaf: false, expanded: open, place, of },
      ...(archived && { faint: true }),
    })
    if (open) addChildren(forest, nodes, inner, depth + 1, level + 1)
  }
  for (const { kind, id } of leaves) {
    place += 1
    nodes.push({ id, title: forest.titleOf(kind), level, scope, kind: kind.name, leaf: true, place, of })
  }
  if (others.length === 0) return
  const id = `${scope.profile} ${scope.within ?? ''} more`
  const open = expanded.has(id)
  nodes.push({
    ...{ id, title: 'More', level, scope, kind: others[0]!.name },
    ...{ leaf: true, fold: true, expanded: open, place: of, of },
  })
  if (open)
    others.forEach((kind, index) =>
      nodes.push({
        ...{ id: `${id} ${kind.name}`, title: forest.titleOf(kind), level: level + 1, scope, kind: kind.name },
        ...{ leaf: true, place: index + 1, of: others.length },
      }),
    )
}
