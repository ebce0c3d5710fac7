import { textAt, objectsAt } from '#shared/checks/checked-values'
import type { Checked } from '#shared/checks/rule'
import { isLocalId, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change, PlaceEdit } from '../../../replica/api'
import { momentsOf, usualIn } from '../starts'
import { adLists } from '../ad-lists'
import { assignedIn, entryIn, type Side } from './joins'
import type { MatrixRecords, Reader } from './matrix-records'
import type { AdChange, Assignment, NewAd, Per } from './plan'

const rotationOf = (ad: JsonObject): string => textAt(ad, 'creativeRotation.type') ?? ''
const custom = 'WEIGHT_STRATEGY_CUSTOM'

/** The entries that assign records to an ad, as its rotation needs them. */
function entriesFor(ad: JsonObject, side: Side, ids: readonly string[]): JsonObject[] {
  const { field, list } = adLists[side]
  if (side === 'placement') return ids.map((id) => ({ [field]: id, active: true }))
  const numbers = objectsAt(ad, list).map(({ sequence }) => Number(sequence ?? 0))
  const last = Math.max(0, ...numbers)
  return ids.map((id, at) => ({
    ...{ [field]: id, active: true, clickThroughUrl: { defaultLandingPage: true } },
    ...(rotationOf(ad).endsWith('SEQUENTIAL') && { sequence: last + at + 1 }),
    ...(textAt(ad, 'creativeRotation.weightCalculationStrategy') === custom && { weight: 1 }),
  }))
}

interface Names {
  /** The name of a record by ID. */
  nameOf: (side: Side, id: string) => string
  /** Names of the ads of a campaign. */
  taken: (campaign: string) => Set<string>
}

/** Names an ad by what it's for, with a number if another ad has the name. */
function nameFor(
  { campaign, size, placements, creatives }: NewAd,
  per: Per,
  { nameOf, taken }: Names,
  max: number,
): string {
  const own =
    per === 'size' && size !== ''
      ? size
      : per === 'creative'
        ? nameOf('creative', creatives[0]!)
        : nameOf('placement', placements[0]!)
  const names = taken(campaign)
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` (${number})`
    const name = own.slice(0, max - end.length) + end
    if (names.has(name)) continue
    names.add(name)
    return name
  }
}

/** The changes that assign pairs, with the names of new ads. */
export function changesFor(
  reader: Reader,
  { created, changed }: Assignment,
  per: Per,
  { rows, creatives, joins, seqs }: MatrixRecords,
): Change[] {
  const { app, scope, context } = reader
  const { replica } = app
  const facts = replica.facts.of('ads')
  const max = facts.table.schemas[facts.schema]!.fields['name']?.maxLength ?? 255
  const placements = new Map([...rows.values()].map(({ record }) => [record.id, record]))
  const known = { placement: placements, creative: new Map(creatives.map((one) => [one.id, one])) }
  const takenIn = new Map<string, Set<string>>()
  const names: Names = {
    nameOf: (side, id) => textAt(known[side].get(id)?.value ?? {}, 'name') ?? 'New ad',
    taken(campaign) {
      let own = takenIn.get(campaign)
      if (!own) {
        const ads = joins.ads.filter(({ value }) => value['campaignId'] === campaign)
        takenIn.set(campaign, (own = new Set(ads.map(({ value }) => textAt(value, 'name') ?? ''))))
      }
      return own
    },
  }
  const usual = new Map<string, JsonObject>()
  const usualOf = (campaign: string): JsonObject => {
    let own = usual.get(campaign)
    if (!own) {
      const within = recordKey('campaigns', scope.profile, campaign)
      own = usualIn(reader as Parameters<typeof usualIn>[0], facts, { profile: scope.profile, within })
      usual.set(campaign, own)
    }
    return own
  }
  const creations = created.map((ad): Change => {
    const { campaign, type, flight } = ad
    const value: JsonObject = {
      ...usualOf(campaign),
      ...{ name: nameFor(ad, per, names, max), type, campaignId: campaign },
      advertiserId: known.placement.get(ad.placements[0]!)?.value['advertiserId'] ?? null,
      ...momentsOf(flight, app.clock.now, context.zone),
    }
    return {
      kind: 'create',
      collection: 'ads',
      parent: scope.profile,
      value: {
        ...value,
        placementAssignments: entriesFor(value, 'placement', ad.placements),
        creativeRotation: {
          ...(value['creativeRotation'] as JsonObject),
          creativeAssignments: entriesFor(value, 'creative', ad.creatives),
        },
      },
    }
  })
  const additions = changed.map(({ ad, ...added }): Change => {
    const edits = (['placement', 'creative'] as const).flatMap((side) =>
      entriesFor(ad.value, side, added[`${side}s`]).map((add): PlaceEdit => ({ path: adLists[side].list, add })),
    )
    return { kind: 'places', key: ad.key, edits, upon: uponOf(ad, seqs) }
  })
  return [...creations, ...additions]
}

const uponOf = (ad: Checked, seqs: MatrixRecords['seqs']): { seq: number | undefined; record: JsonObject } => ({
  seq: seqs.get(ad.key),
  record: ad.value,
})

/**
 * The changes that remove assignments. A new ad that would be left without any is discarded.
 * @param seen the ads as their author saw them
 */
export function removalsFor(changed: readonly AdChange[], seqs: MatrixRecords['seqs']): Change[] {
  const byAd = new Map<Checked, { placements: Set<string>; creatives: Set<string> }>()
  for (const { ad, placements, creatives } of changed) {
    const own = byAd.get(ad) ?? { placements: new Set(), creatives: new Set() }
    for (const id of placements) own.placements.add(id)
    for (const id of creatives) own.creatives.add(id)
    byAd.set(ad, own)
  }
  return [...byAd].map(([ad, removed]): Change => {
    const isEmpty = (side: Side): boolean => assignedIn(ad.value, side).every((id) => removed[`${side}s`].has(id))
    if (isLocalId(ad.id) && ad.base === null && (isEmpty('placement') || isEmpty('creative')))
      return { kind: 'delete', key: ad.key }
    const edits = (['placement', 'creative'] as const).flatMap((side) =>
      [...removed[`${side}s`]].flatMap((id): PlaceEdit[] => {
        const entry = entryIn(ad.value, side, id)
        return entry ? [{ path: adLists[side].list, remove: entry }] : []
      }),
    )
    return { kind: 'places', key: ad.key, edits, upon: uponOf(ad, seqs) }
  })
}
