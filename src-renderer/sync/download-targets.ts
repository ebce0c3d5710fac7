import { isLocalId, parseRecordKey, recordKey, type Collection, type CollectionName } from '#shared/domain/collections'
import type { Cut } from '#shared/facts/collection'
import { parentOf, placeIds } from '#shared/facts/ids'
import type { JsonObject } from '#shared/json'
import type { DownloadChoice, Row } from '../replica/api'
import type { Memory } from '../replica/memory'
import { targetOf, type Part, type Target } from './target'

/** Parts of a collection that a download needs: all of a parent, those of one record, or none. */
export function targetsOf(memory: Memory, facts: Collection, { parent, what }: DownloadChoice): readonly Target[] {
  const { name, pull } = facts
  if (pull?.when === 'index') return [targetOf(name, parent)]
  if (pull?.when === 'log') return [targetOf(name, parent)]
  if (what === 'index') return []
  if (pull?.when === 'reference') return [targetOf(name, parent)]
  if (pull?.when !== 'chosen') return []
  return what === 'all' ? allOf(memory, facts, parent) : partsFor(memory, facts, parent, what)
}

/** Logs that record changes to a collection in a place. */
export function logTargets(memory: Memory, { service, parents }: Collection, parent: string | null): Target[] {
  const [outermost] = placeIds(parents.length, parent)
  return memory.facts.all
    .filter((one) => one.log !== undefined && one.service === service)
    .flatMap((log) => chosenTargets(memory, log).filter((target) => target.parent === (outermost ?? null)))
}

/** Targets of all downloads that aren't paused, without duplicates. All of a parent includes its parts. */
export function chosenTargets(memory: Memory, facts: Collection): Target[] {
  if (memory.downloads.size === 0) return []
  const found = new Map<string, Target>()
  for (const download of memory.downloads.values()) {
    if (download.paused) continue
    for (const target of targetsOf(memory, facts, download)) found.set(target.key, target)
  }
  return [...found.values()].filter(({ part, parent }) => !part || !found.has(targetOf(facts.name, parent).key))
}

function allOf(memory: Memory, facts: Collection, parent: string): readonly Target[] {
  const { name, needsOneOf, cuts } = facts
  // Records that can only be selected by parent need one call each.
  const needed =
    cuts.find(({ param }) => param === undefined) ??
    cuts.find(({ param }) => param !== undefined && needsOneOf?.includes(param))
  if (!needed) return [targetOf(name, parent)]
  const rows = memory.list(needed.by, parent)
  let known = targetsOfRows.get(rows)
  if (!known) targetsOfRows.set(rows, (known = new Map()))
  let found = known.get(facts)
  if (!found) {
    found = rows.filter(({ id }) => !isLocalId(id)).map(({ id }) => cutTarget(facts, parent, needed, id))
    known.set(facts, found)
  }
  return found
}

/**
 * Targets by the rows that hold them, cached because there may be thousands and each page needs them. A change creates
 * a new row list.
 */
const targetsOfRows = new WeakMap<readonly Row[], Map<Collection, readonly Target[]>>()

/** Parts selected by the record itself, by its parent, or by its children. */
function partsFor(
  memory: Memory,
  facts: Collection,
  parent: string,
  { collection, id }: { collection: CollectionName; id: string },
): Target[] {
  // The service has no children of a record it doesn't know.
  if (isLocalId(id)) return []
  const own = facts.cuts.find(({ by }) => by === collection)
  if (own) return [cutTarget(facts, parent, own, id)]
  const around = memory.facts.of(collection).cuts
  const record = memory.row(recordKey(collection, parent, id))?.base
  for (const { by, field } of around) {
    const owner = field === undefined ? undefined : record?.[field]
    const wider = facts.cuts.find((cut) => cut.by === by)
    if (wider && typeof owner === 'string') return [cutTarget(facts, parent, wider, owner)]
  }
  for (const cut of facts.cuts) {
    const field = memory.facts.of(cut.by).cuts.find(({ by }) => by === collection)?.field
    if (field === undefined) continue
    const inside = memory.list(cut.by, parent).filter((row) => row.base?.[field] === id)
    return inside.map((row) => cutTarget(facts, parent, cut, row.id))
  }
  return []
}

function cutTarget({ name, parents }: Collection, parent: string, { param, many, field }: Cut, id: string): Target {
  if (param === undefined) return targetOf(name, parentOf([...placeIds(parents.length - 1, parent), id]))
  const part: Part = { params: { [param]: many ? [id] : id }, id, ...(field !== undefined && { field }) }
  return targetOf(name, parent, undefined, part)
}

/** True if a record belongs to a download of its collection. */
export function isChosen(
  targets: readonly Target[],
  collection: CollectionName,
  parent: string | null,
  value: JsonObject,
): boolean {
  return targets.some(
    (target) =>
      target.collection === collection &&
      target.parent === parent &&
      (!target.part || (target.part.field !== undefined && value[target.part.field] === target.part.id)),
  )
}

/** Targets of all downloads in a parent, also paused ones. */
export const targetsIn = (memory: Memory, facts: Collection, parent: string | null): Target[] =>
  [...memory.downloads.values()]
    .flatMap((download) => targetsOf(memory, facts, download))
    .filter((target) => target.parent === parent)

/** Those of these rows, all from one list, that no target covers. */
export function uncovered(memory: Memory, targets: readonly Target[], keys: readonly string[]): string[] {
  if (targets.some(({ part }) => !part)) return []
  const covered = new Set(targets.flatMap((target) => partKeys(memory, target)))
  return keys.filter((key) => !covered.has(key))
}

/** True if only the service knows which records belong to a part. */
export const isUnattributed = ({ part }: Target): boolean => part !== undefined && part.field === undefined

/** Keys of the rows that belong to a part. */
export const partKeys = (memory: Memory, target: Target): string[] => [
  ...new Set([...fieldKeys(memory, target), ...broughtKeys(memory, target)]),
]

/** Keys of rows that came with a part without saying that they belong to it. */
export const broughtKeys = ({ brought }: Memory, { key, collection, parent }: Target): string[] =>
  [...(brought.get(key) ?? [])].map((id) => recordKey(collection, parent, id))

/** Keys of the service's rows whose field says that they belong to a part. Empty if there's no such field. */
export function fieldKeys(memory: Memory, { collection, parent, part }: Target): string[] {
  const field = part?.field
  if (!part || field === undefined) return []
  if (!memory.isWindow(collection)) {
    const rows = memory.list(collection, parent ?? undefined)
    return rows.filter(({ base }) => base?.[field] === part.id).map(({ key }) => key)
  }
  const table = memory.columns(collection)
  const column = table.columns.indexOf(field)
  const keys: string[] = []
  if (column < 0) return keys
  table.each((key, cells) => {
    const { parent: place, id } = parseRecordKey(key)
    if (cells(column) === part.id && place === parent && !isLocalId(id)) keys.push(key)
  })
  return keys
}
