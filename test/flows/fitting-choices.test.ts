import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { searchedChoices } from '../../src-renderer/views/campaigns/choices'
import { campaignsModel } from '../helpers/campaigns-model'
import { openWholeAccount, type OpenAccount } from '../helpers/whole-account'

let account: OpenAccount

beforeAll(async () => {
  account = await openWholeAccount()
}, 90_000)
afterAll(() => account?.close())

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
