import { sentenceCase } from '#shared/fields/heads'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { collectionOf, referencesIn } from '#shared/facts/references'
import { nameAt, valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { recordLines } from '../../context/record-words'
import type { Row } from '../../replica/api'
import { counted, nounFor } from '../../ui/counted'
import { spanOf } from './flights'
import type { CampaignsModel } from './model.svelte'
import { isAutomatic } from './nested-flights'
import type { PlannedRow } from './post-plan'
import { readAll } from './records'

/** Records that the posted changes leave with other dates than the record around them. */
export interface LeftBehind {
  words: string
  keys: readonly string[]
}

interface Moved {
  row: Row
  /** Last days of the flight, on the service and after the post. */
  before: string
  after: string
}

/** Maximum number of records to look at. */
const maxRead = 5_000

/**
 * Finds records inside flights that change which don’t change along: those that ended with the old flight, and ads that
 * end before a placement that they serve.
 * @throws the signal's reason
 */
export async function leftBehind(
  model: CampaignsModel,
  planned: readonly PlannedRow[],
  signal: AbortSignal,
): Promise<LeftBehind[]> {
  const { replica } = model.app
  const { facts } = replica
  const rows = await readAll(
    replica,
    planned.filter(({ days }) => days).map(({ key }) => key),
    { signal },
  )
  const moved = [...rows.values()].flatMap((row): Moved[] => {
    const own = facts.of(row.collection)
    const [before, after] = [row.base, row.value].map((value) => value && lastDay(own, value, model.zone))
    return before && after && before !== after ? [{ row, before, after }] : []
  })
  if (moved.length === 0) return []
  const kinds = facts.all.filter(({ flight, cuts }) => flight && cuts.some(({ field }) => field))
  const found: LeftBehind[] = []
  for (const kind of kinds) {
    const inside = await insideOf(model, kind, moved, signal)
    found.push(...earlier(model, kind, inside, moved))
  }
  return found
}

/** Records of a kind in the campaigns that changed or whose records did. */
async function insideOf(
  { app }: CampaignsModel,
  kind: Collection,
  moved: readonly Moved[],
  signal: AbortSignal,
): Promise<Row[]> {
  const { by, field } = [...kind.cuts].reverse().find((cut) => cut.field)!
  const ids = new Set(
    moved.flatMap(({ row }) => {
      const id = row.collection === by ? row.id : valueAt(row.value ?? undefined, field!)
      return typeof id === 'string' ? [id] : []
    }),
  )
  const parent = moved[0]!.row.parent
  const table = await app.replica.table(
    kind.name,
    {
      ...(parent !== null && { parent }),
      columns: kind.columns,
      only: { [field!]: [...ids] },
      ...(kind.columns.includes('archived') && { where: [{ column: 'archived', isNot: ['true'] }] }),
    },
    signal,
  )
  const keys = Array.from({ length: Math.min(table.length, maxRead) }, (_unused, at) => table.key(at))
  return [...(await readAll(app.replica, keys, { signal })).values()]
}

function earlier(
  model: CampaignsModel,
  kind: Collection,
  inside: readonly Row[],
  moved: readonly Moved[],
): LeftBehind[] {
  const { words, flight } = kind
  const around = flight?.within === undefined ? undefined : collectionOf(nameAt(flight.within))
  const scopes = new Set<string>(kind.cuts.map(({ by }) => by))
  const byKey = new Map(moved.map((one) => [one.row.key, one]))
  const left: Row[] = []
  const late: Row[] = []
  let outer: CollectionName | undefined
  const days = new Set<string>()
  for (const row of inside) {
    const day = lastDay(kind, row.value!, model.zone)
    if (day === undefined || isAutomatic(kind, row.value!)) continue
    for (const { collection, id } of referencesIn(kind.table, kind.schema, row.value!)) {
      const other = byKey.get(recordKey(collection as CollectionName, row.parent, id))
      const isAround = around === collection
      if (!other || other.row.key === row.key || (around === undefined ? scopes.has(collection) : !isAround)) continue
      // Ads end with what they serve, which isn't their campaign. Flights inside a campaign may end when they like, unless they ended with it.
      if (isAround ? day === other.before && day < other.after : isShort(row, day, other)) {
        left.push(row)
        outer = other.row.collection
        days.add(day)
      } else if (isAround && day > other.after) late.push(row)
      else continue
      break
    }
  }
  const found: LeftBehind[] = []
  const outerFacts = outer && model.app.replica.facts.of(outer)
  const [since = ''] = [...days].sort()
  const on = outerFacts && recordLines(outerFacts, outerFacts.flight!.end, since, model.context).join(' ')
  if (left.length > 0 && outer !== undefined) {
    const outerWords = model.app.replica.facts.of(outer).words
    const end = nounFor(left.length, 'ends', 'end')
    const these = counted(left.length, words.one, words.many)
    const inside =
      days.size > 1
        ? `${these} still ${end} before the new end dates of their ${outerWords.many} (earliest: ${on})`
        : `${these} still ${end} on ${on}, before the new end date of the ${outerWords.one}`
    found.push({
      keys: left.map(({ key }) => key),
      words:
        around === outer
          ? inside
          : `${these} ${end} before ${nounFor(left.length, `its ${outerWords.one} does`, `their ${outerWords.many} do`)}. ${days.size > 1 ? `Default ads would serve after ${on} at the earliest` : `Default ads would serve after ${on}`}`,
    })
  }
  if (late.length > 0)
    found.push({
      keys: late.map(({ key }) => key),
      words: `${counted(late.length, words.one, words.many)} ${nounFor(late.length, 'runs', 'run')} past the new end date of the ${around ? model.app.replica.facts.of(around as CollectionName).words.one : 'flight'}`,
    })
  return found.map(({ words: text, keys }) => ({ words: sentenceCase(text), keys }))
}

/** True if an active record covered the old end of what it serves and misses the new one. */
const isShort = ({ value }: Row, day: string, { before, after }: Moved): boolean =>
  value?.['active'] !== false && day >= before && day < after

/** The last day of a flight, in the account's zone if it ends at a moment. */
function lastDay(kind: Collection, value: JsonObject, zone: string): string | undefined {
  const end = spanOf(kind, value)?.end
  return end?.includes('T') ? dateOfWall(wallOfInstant(Date.parse(end) - 1, zone)) : end
}
