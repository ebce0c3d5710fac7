import { objectsAt } from '#shared/checks/checked-values'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { listWords } from '#shared/list-words'
import type { Replica, Row } from '../../replica/api'
import { counted } from '../../ui/counted'
import { dayMs } from '../../ui/dates'
import { adLists } from './ad-lists'
import { spanOf } from './flights'
import type { CampaignsModel } from './model.svelte'
import { readAll, readWhere } from './records'

/** A field of records whose flights are inside of those that it refers to. */
interface Inside {
  kind: CollectionName
  of: CollectionName
  field: string
  /** The list that contains the field. All records that it refers to must move. */
  list?: string
}

/** Flights inside of others, so that each comes after those that it's inside of. */
const insides: readonly Inside[] = [
  { kind: 'placementGroups', of: 'campaigns', field: 'campaignId' },
  { kind: 'placements', of: 'campaigns', field: 'campaignId' },
  { kind: 'placements', of: 'placementGroups', field: 'placementGroupId' },
  { kind: 'ads', of: 'campaigns', field: 'campaignId' },
  { kind: 'ads', of: adLists.placement.collection, field: adLists.placement.field, list: adLists.placement.list },
]

const idsIn = (value: JsonObject, { field, list }: Inside): string[] =>
  (list === undefined ? [value] : objectsAt(value, list)).flatMap((one) => {
    const id = one[field]
    return typeof id === 'string' ? [id] : []
  })

/**
 * Finds records whose flights are inside of those that move, and that haven't ended: placements of a campaign or a
 * package, and ads that only serve them.
 * @throws the signal's reason
 */
export async function insideOf(
  { app, today }: Pick<CampaignsModel, 'app' | 'today'>,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Row[]> {
  const { replica } = app
  const moved = await readAll(replica, keys, { signal })
  const found = new Map<string, Row>()
  for (const inside of insides) {
    const { kind, of, list } = inside
    const outer = [...moved.values(), ...found.values()].filter(({ collection }) => collection === of)
    const facts = replica.facts.find(kind)
    const parent = outer[0]?.parent
    if (!facts || parent === undefined || parent === null) continue
    // A list isn't in memory, so those of the same campaigns are read.
    const [field, values] =
      list === undefined
        ? [inside.field, outer.map(({ id }) => id)]
        : ['campaignId', outer.map(({ value }) => String(valueAt(value ?? undefined, 'campaignId')))]
    for (const row of await readWhere(replica, kind, parent, { field, values: new Set(values) }, { signal })) {
      const { value, key } = row
      const ids = idsIn(value!, inside)
      const around = ids.map((id) => moved.get(recordKey(of, parent, id)) ?? found.get(recordKey(of, parent, id)))
      const isFree = value!['archived'] !== true && !isAutomatic(facts, value!)
      if (isFree && !moved.has(key) && ids.length > 0 && fitsIn(replica, row, around, today)) found.set(key, row)
    }
  }
  return [...found.values()]
}

/** True for a record that the service creates, such as a default ad. */
export const isAutomatic = (
  { notMade }: { notMade?: { field: string; values: readonly string[] } },
  value: JsonObject,
): boolean => notMade?.values.includes(String(value[notMade.field])) ?? false

/** True if a flight that hasn't ended is within those of records that all move, to the day. */
function fitsIn({ facts }: Replica, row: Row, around: readonly (Row | undefined)[], today: string): boolean {
  const own = spanOf(facts.of(row.collection), row.value!)
  if (!own || own.end.slice(0, 10) < today) return false
  return around.every((one) => {
    const span = one?.value && spanOf(facts.of(one.collection), one.value)
    return (
      span !== undefined &&
      span !== null &&
      own.start.slice(0, 10) >= dayBeside(span.start, -1) &&
      own.end.slice(0, 10) <= dayBeside(span.end, 1)
    )
  })
}
/** In UTC, an ad of the whole flight may start the evening before it, or end the morning after. */
const dayBeside = (at: string, days: 1 | -1): string =>
  new Date(Date.parse(at.slice(0, 10)) + days * dayMs).toISOString().slice(0, 10)

/** `3 placements and 2 ads` */
export function alongWords({ app }: Pick<CampaignsModel, 'app'>, rows: readonly Row[]): string {
  const kinds = new Map<CollectionName, number>()
  for (const { collection } of rows) kinds.set(collection, (kinds.get(collection) ?? 0) + 1)
  return listWords(
    [...kinds].map(([kind, count]) => {
      const { one, many } = app.replica.facts.of(kind).words
      return counted(count, one, many)
    }),
  )
}

/**
 * The records that move along, after asking. Null if the move was canceled. Records may come and go while the question is open.
 * It's asked again if others would move than those that it was about.
 */
export async function movingAlong(model: CampaignsModel, keys: readonly string[]): Promise<readonly Row[] | null> {
  for (let rows = await insideOf(model, keys); ;) {
    if (rows.length === 0) return rows
    const along = await model.along.ask(model.app.replica, alongWords(model, rows))
    if (along === null) return null
    if (!along) return []
    const now = await insideOf(model, keys)
    if (sameRecords(model, rows, now)) return now
    rows = now
  }
}

function sameRecords({ app }: Pick<CampaignsModel, 'app'>, before: readonly Row[], now: readonly Row[]): boolean {
  // A new record gets another key when it's sent.
  const known = new Set(before.map(({ key }) => app.replica.realKey(key)))
  return known.size === now.length && now.every(({ key }) => known.has(key))
}
