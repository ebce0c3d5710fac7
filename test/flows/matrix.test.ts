import { describe, expect, it } from 'vitest'
import { adTypeFor } from '#shared/checks/placement-fit'
import { isJsonObject, type JsonObject } from '#shared/json'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Replica } from '../../src-renderer/replica/api'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { assign, contested, unassign, type Chosen } from '../../src-renderer/views/campaigns/matrix/assigning'
import { stateOf, type CellState } from '../../src-renderer/views/campaigns/matrix/grid'
import { assignedIn, differs, pairKey, type Pair } from '../../src-renderer/views/campaigns/matrix/joins'
import { MatrixReader, readMatrix, type MatrixRecords } from '../../src-renderer/views/campaigns/matrix/matrix-records'
import { cellsForFile } from '../helpers/cells-for-file'
import { minasProfile } from '../helpers/whole-account'

const { cells, device, service } = cellsForFile()

interface Found {
  records: MatrixRecords
  all: { key: string; pair: Pair; state: CellState }[]
}
/** Every cell of the matrix of some placements, or of all. */
async function look(keys?: readonly string[]): Promise<Found> {
  const { model } = cells
  const wanted = keys ?? Array.from({ length: model.rows!.length }, (_unused, row) => model.rows!.key(row))
  const records = await readMatrix(model, wanted)
  const all = [...records.rows.values()].flatMap((row) =>
    records.creatives.map((creative) => {
      const pair = { placement: row.record.id, creative: creative.id }
      const state = stateOf({ ...row, placement: row.record.value }, creative, pair, records.joins)
      return { key: row.record.key, pair, state }
    }),
  )
  return { records, all }
}
const chosen = (found: Found['all']): Chosen => ({
  keys: [...new Set(found.map(({ key }) => key))],
  pairs: found.map(({ pair }) => pair),
})
const standard = 'AD_SERVING_STANDARD_AD'
/** Cells that a standard ad can join. */
const possible = ({ all, records }: Found): Found['all'] => {
  const types = new Map(records.creatives.map(({ id, value }) => [id, adTypeFor(value)]))
  return all.filter(({ state, pair }) => state.kind === 'possible' && types.get(pair.creative) === standard)
}
const assigned = ({ all }: Found): Found['all'] => all.filter(({ state }) => state.kind === 'assigned')
const named = (pairs: Found['all']): string[] => pairs.map(({ pair }) => `${pair.placement} ${pair.creative}`).sort()
/** A placement whose only ad joins nothing else, with a creative that fits. */
function single(found: Found): { one: Found['all'][number]; ad: string } {
  for (const one of possible(found)) {
    const ads = found.records.joins.ads.filter(({ value }) =>
      assignedIn(value, 'placement').includes(one.pair.placement),
    )
    const [ad] = ads.filter(({ value }) => value['type'] === standard)
    const isAlone = ad && assignedIn(ad.value, 'placement').length === 1 && ad.value['active'] === true
    if (isAlone) return { one, ad: ad.key }
  }
  throw new Error('No placement with an ad of its own')
}
const adValue = async (key: string): Promise<JsonObject> => (await device.replica.read(key))!.value!
const model = (): CampaignsModel => cells.model

it('extends the ad of a placement, and takes out again only what it added', async () => {
  const before = await look()
  const { one, ad } = single(before)
  const value = await adValue(ad)
  await assign(model(), chosen([one]))
  const after = await look()
  expect(device.replica.undoable.undo).toMatch(/^Assign \*.+\* to \*.+\*$/)
  expect(cells.messages.at(-1)).toMatch(/^Assigned “.+” to “.+”$/)
  expect(named(assigned(after))).toEqual([...named(assigned(before)), ...named([one])].sort())
  expect(assignedIn(await adValue(ad), 'creative')).toContain(one.pair.creative)
  const unposted = ({ all, records }: Found): Found['all'] =>
    all.filter(({ pair }) => differs(pair, records.joins, records.posted))
  expect(named(unposted(before))).toEqual([])
  expect(named(unposted(after))).toEqual(named([one]))
  await unassign(model(), chosen([one]), after.records)
  expect(device.replica.undoable.undo).toMatch(/^Remove \*.+\* from \*.+\*$/)
  expect(cells.messages.at(-1)).toMatch(/^Removed “.+” from “.+”$/)
  expect(await adValue(ad)).toEqual(value)
  await device.replica.undo()
  expect(named(assigned(await look()))).toEqual(named(assigned(after)))
  await device.replica.undo()
  expect(named(assigned(await look()))).toEqual(named(assigned(before)))
})

it('creates an inactive ad where no other may join the cells, and discards it without any', async () => {
  const before = await look()
  const { one, ad } = single(before)
  // Without an own ad left, a placement gets a new one.
  await unassign(model(), chosen(assigned(before).filter(({ key }) => key === one.key)), before.records)
  await device.replica.edit([{ kind: 'change', key: ad, patch: { archived: true } }], { label: 'Archive' })
  await assign(model(), chosen([one]))
  const { records } = await look()
  const [made] = records.joins.of(one.pair)
  expect(made!.base).toBeNull()
  expect(made!.value).toMatchObject({ active: false, type: standard })
  expect(Date.parse(String(made!.value['startTime']))).toBeLessThan(Date.parse(String(made!.value['endTime'])))
  await unassign(model(), chosen([one]), records)
  expect((await device.replica.read(made!.key))?.value ?? null).toBeNull()
})

it('asks before it ends other cells of an ad', async () => {
  const before = await look()
  const campaignOf = (key: string): unknown => before.records.rows.get(key)!.record.value['campaignId']
  const cellsOf = (found: Found, key: string): Found['all'] => possible(found).filter((one) => one.key === key)
  /** Two placements of a campaign, and two creatives that fit both. */
  const square = ((): Found['all'] => {
    for (const { key } of possible(before))
      for (const other of new Set(possible(before).map((one) => one.key))) {
        if (other === key || campaignOf(other) !== campaignOf(key)) continue
        const theirs = new Set(cellsOf(before, other).map(({ pair }) => pair.creative))
        const both = cellsOf(before, key)
          .map(({ pair }) => pair.creative)
          .filter((id) => theirs.has(id))
          .slice(0, 2)
        if (both.length === 2)
          return possible(before).filter((one) => [key, other].includes(one.key) && both.includes(one.pair.creative))
      }
    throw new Error('No two placements that fit two creatives')
  })()
  expect(square).toHaveLength(4)
  const campaign = campaignOf(square[0]!.key)
  const ads = before.records.joins.ads.filter(({ value }) => value['campaignId'] === campaign)
  await device.replica.edit(
    ads.map(({ key }) => ({ kind: 'change', key, patch: { archived: true } })),
    { label: 'Archive' },
  )
  await assign(model(), chosen(square), 'size')
  const after = await look()
  const [first] = square
  const shared = contested(after.records, [first!.pair])
  expect(shared).toHaveLength(1)
  expect(shared[0]!.ends.creative).toHaveLength(1)
  expect(shared[0]!.ends.placement).toHaveLength(1)
  await unassign(model(), chosen([first!]), after.records)
  expect(named(assigned(await look()))).toEqual(named(assigned(after)))
  await unassign(model(), chosen([first!]), after.records, 'creative')
  const left = named(assigned(await look()))
  expect(named(assigned(after)).filter((name) => !left.includes(name))).toEqual(
    named(square.filter(({ pair }) => pair.creative === first!.pair.creative)),
  )
})

it('removes nothing that someone else changed in the meantime, and posts beside their changes', async () => {
  const seen = await look()
  const { one, ad } = single(seen)
  const { id } = parseRecordKey(ad)
  const profileId = await minasProfile(service)
  const rotationOf = async (): Promise<JsonObject> =>
    (await service.client.call('trafficking.ads.get', { profileId: model().scope.profile, id })).body
      .creativeRotation as unknown as JsonObject
  const entriesOf = (rotation: JsonObject): JsonObject[] => rotation['creativeAssignments'] as JsonObject[]
  const weigh = async (weight: number): Promise<void> => {
    const rotation = await rotationOf()
    const [first, ...others] = entriesOf(rotation)
    const creativeRotation = { ...rotation, creativeAssignments: [{ ...first!, weight }, ...others] }
    await service.asMina('trafficking.ads.patch', { profileId, id }, { creativeRotation })
  }
  await weigh(7)
  device.replica.syncNow()
  const weights = async (): Promise<unknown[]> =>
    entriesOf((await adValue(ad))['creativeRotation'] as JsonObject).map(({ weight }) => weight)
  await expect.poll(weights).toContain(7)
  const [first] = entriesOf((await adValue(ad))['creativeRotation'] as JsonObject)
  const stale = seen.all.find(
    ({ pair }) => pair.placement === one.pair.placement && pair.creative === first!['creativeId'],
  )!
  await unassign(model(), chosen([stale]), seen.records)
  expect(cells.messages.at(-1)).toBe('1 assignment skipped because someone else changed the ad')
  expect(device.replica.outbox()).toEqual([])

  await assign(model(), chosen([one]))
  await weigh(9)
  await device.replica.post()
  await device.until('all is sent', ({ status }) => status.unsent === 0 || status.needsYou > 0)
  const posted = entriesOf(await rotationOf())
  expect(posted.map(({ weight }) => weight)).toContain(9)
  expect(posted.map(({ creativeId }) => creativeId)).toContain(one.pair.creative)
})

it('the service accepts every cell that is offered', async () => {
  const { all } = await look()
  const { model: shown } = cells
  const advertisers = new Set<string>()
  const wanted = all.filter(({ key, state }) => {
    const row = shown.rows!.find(key)
    const advertiser = String(shown.cell(row)('advertiserId'))
    if (state.kind !== 'possible' || (advertisers.size >= 2 && !advertisers.has(advertiser))) return false
    advertisers.add(advertiser)
    return true
  })
  expect(wanted.length).toBeGreaterThan(100)
  const [pers, third] = [['placement', 'creative', 'size'] as const, Math.ceil(wanted.length / 3)]
  for (const [at, per] of pers.entries()) await assign(shown, chosen(wanted.slice(at * third, (at + 1) * third)), per)
  const drafted = named(assigned(await look([...new Set(wanted.map(({ key }) => key))])))
  for (const name of named(wanted)) expect(drafted).toContain(name)
  const types = new Set(
    device.replica.outbox().map(({ base, patch }) => String((isJsonObject(base) ? base : patch)['type'])),
  )
  expect(types.size).toBeGreaterThan(1)
  await device.replica.post()
  await device.until('all is sent', ({ status }) => status.unsent === 0 || status.needsYou > 0)
  expect(device.replica.outbox().map(({ fault }) => fault?.message)).toEqual([])
})

describe('reading again', () => {
  /** Everything that cells show. */
  const factsOf = ({ rows, creatives, associated, shown, joins, posted, seqs }: MatrixRecords): unknown => ({
    rows: [...rows].map(([key, { record, flight, hasTime }]) => [key, record.value, flight, hasTime]),
    creatives: creatives.map(({ key, value }) => [key, value]),
    ids: [[...associated].sort(), [...shown].sort()],
    ads: joins.ads.map(({ key, value, base }) => [key, value, base, seqs.get(key)]),
    unposted: [...rows.values()].flatMap(({ record }) =>
      creatives.flatMap(({ id }) => {
        const pair = { placement: record.id, creative: id }
        return differs(pair, joins, posted) ? [pairKey(pair)] : []
      }),
    ),
  })
  const keysOf = (): string[] => Array.from({ length: model().rows!.length }, (_unused, row) => model().rows!.key(row))

  it('reads what changed since, and finds what a first reading finds', async () => {
    const asked: string[] = []
    const replica: Replica = Object.create(device.replica, {
      readAll: {
        value: (keys: readonly string[]) => {
          asked.push(...keys)
          return device.replica.readAll(keys)
        },
      },
    }) as Replica
    const { scope, context } = model()
    const reader = new MatrixReader({ scope, context, app: { ...model().app, replica } })
    const keys = keysOf()
    /** Reads again, as it must be after a change. Returns the keys that were read from disk. */
    const again = async (): Promise<string[]> => {
      asked.length = 0
      const found = await reader.read(keys)
      const fromDisk = asked.filter((key) => !key.startsWith('campaigns'))
      expect(factsOf(found)).toEqual(factsOf(await readMatrix(model(), keys)))
      return fromDisk
    }
    // Polled, because what earlier tests sent still comes back changed.
    const readsLittle = (): Promise<void> => expect.poll(async () => (await again()).length).toBeLessThan(5)
    const keepsSame = (): Promise<void> =>
      expect
        .poll(async () => {
          const [one, other] = [await reader.read(keys), await reader.read(keys)]
          return one.rows === other.rows && one.creatives === other.creatives
        })
        .toBe(true)
    await readsLittle()
    await keepsSame()
    const { one } = single(await look())
    const note = (): void =>
      reader.forget(
        device.replica.outbox().map(({ collection, parent, recordId }) => recordKey(collection, parent, recordId)),
      )

    await assign(model(), chosen([one]))
    note()
    // A record with a pending change is in memory.
    await readsLittle()
    await keepsSame()
    const second = await reader.read(keys)
    await device.replica.undo()
    await readsLittle()

    // Confirmed between two readings, which changes nothing that it shows. Memory may still have what was sent.
    await device.replica.redo()
    note()
    await device.replica.post()
    await device.until('all is sent', ({ status }) => status.unsent === 0 || status.needsYou > 0)
    await readsLittle()

    const { id } = parseRecordKey(keys[0]!)
    await service.asMina(
      'trafficking.placements.patch',
      { profileId: await minasProfile(service), id },
      { name: 'Other' },
    )
    device.replica.syncNow()
    await expect.poll(async () => (await device.replica.read(keys[0]!))?.value?.['name']).toBe('Other')
    await readsLittle()
    const { rows } = await reader.read(keys)
    expect(rows.get(keys[0]!)?.record.value['name']).toBe('Other')
    expect(rows.get(keys[1]!)).toBe(second.rows.get(keys[1]!))
  })
})
