import { expect, it } from 'vitest'
import { sizeOf } from '#shared/checks/size'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { searchedChoices } from '../../src-renderer/views/campaigns/choices'
import { campaignsModel } from '../helpers/campaigns-model'
import { accountForFile } from '../helpers/whole-account'

const account = accountForFile()

it("a picker offers only what belongs to the record's own campaign and advertiser", async () => {
  const { profile } = account
  const { replica } = account.device
  const { model } = await campaignsModel(replica, profile, 'ads')
  const ad = (await replica.read(model.rows!.key(0)))!.value!
  const offered = async (path: string, collection: 'placements' | 'creatives'): Promise<JsonObject[]> => {
    const found = await searchedChoices(model, { path, record: ad }, profile, undefined, model.kind)('')
    expect(found.length).toBeGreaterThan(0)
    const rows = await replica.readAll(found.map(({ value }) => recordKey(collection, profile, value)))
    return [...rows.values()].map(({ value }) => value!)
  }
  const placements = await offered('placementAssignments.0.placementId', 'placements')
  expect(new Set(placements.map(({ campaignId }) => campaignId))).toEqual(new Set([ad['campaignId']]))
  const creatives = await offered('creativeRotation.creativeAssignments.0.creativeId', 'creatives')
  expect(new Set(creatives.map(({ advertiserId }) => advertiserId))).toEqual(new Set([ad['advertiserId']]))
  // Without a record, such as in a filter, everything is offered.
  const all = await searchedChoices(
    model,
    { path: 'placementAssignments.0.placementId' },
    profile,
    undefined,
    model.kind,
  )('')
  expect(all.length).toBeGreaterThan(placements.length)
})

it('what has the size of the ad’s placements or creatives is offered first', async () => {
  const { profile } = account
  const { replica } = account.device
  const { model } = await campaignsModel(replica, profile, 'ads')
  const first = (await replica.read(model.rows!.key(0)))!.value!
  const offer = async (path: string, record: JsonObject, collection: 'placements' | 'creatives') => {
    const found = await searchedChoices(model, { path, record }, profile, undefined, model.kind)('')
    const rows = await replica.readAll(found.map(({ value }) => recordKey(collection, profile, value)))
    return found.map(({ value, group }) => ({
      id: value,
      group,
      size: sizeOf(rows.get(recordKey(collection, profile, value))!.value!),
    }))
  }
  const creativePath = 'creativeRotation.creativeAssignments.0.creativeId'
  const bare: JsonObject = { ...first, placementAssignments: [], creativeRotation: {} }
  const placements = await offer('placementAssignments.0.placementId', bare, 'placements')
  expect(placements.every(({ group }) => group !== 'Other sizes')).toBe(true)
  const { id, size } = placements.find(({ size }) => size !== undefined)!
  const withPlacement = { ...bare, placementAssignments: [{ placementId: id, active: true }] }
  const creatives = await offer(creativePath, withPlacement, 'creatives')
  const fitting = creatives.filter((one) => one.group === undefined)
  expect(fitting.length).toBeGreaterThan(0)
  expect(creatives.length).toBeGreaterThan(fitting.length)
  expect(creatives.slice(0, fitting.length)).toEqual(fitting)
  expect(fitting.every((one) => one.size === size || one.size === undefined)).toBe(true)
  expect(creatives.some((one) => one.group === 'Other sizes' && one.size === size)).toBe(false)
  const other = creatives.find((one) => one.group === 'Other sizes')!
  const withCreative = { ...bare, creativeRotation: { creativeAssignments: [{ creativeId: other.id }] } }
  const offered = await offer('placementAssignments.0.placementId', withCreative, 'placements')
  expect(offered.filter(({ group }) => group === undefined).every((one) => one.size === other.size)).toBe(true)
})
