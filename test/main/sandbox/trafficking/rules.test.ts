import { describe, expect, it } from 'vitest'
import { tableOf } from '#shared/wire/services'
import { validBody } from '../../../helpers/valid-body'
import { now, refusal, traffic, type Traffic } from './world'

const table = tableOf('trafficking')
const body = (schema: string, { ids }: Traffic, changes: object = {}) => ({
  ...validBody(table, schema, ids, { now }),
  ...changes,
})
const refusedAt = (location: string) => [400, location, true]
const schedule = (startDate: string, endDate: string) => ({ pricingType: 'PRICING_TYPE_CPM', startDate, endDate })

describe.each(['v3.4', 'v3.3'])('rules of %s', (version) => {
  it("fills in the service's fields and ignores an ID on insert", async () => {
    const world = await traffic(version)
    const made = (await world.insert('campaigns', body('Campaign', world, { id: '1', name: 'Spring' }))).body
    expect(made).toMatchObject({
      kind: 'trafficking#campaign',
      accountId: world.ids.accountId,
      subaccountId: expect.stringMatching(/^\d+$/) as string,
      archived: false,
      advertiserIdDimensionValue: {
        kind: 'trafficking#dimensionValue',
        dimensionName: 'trafficking:advertiser',
        id: world.ids.advertiserId,
        value: 'Lindqvist Outdoor',
        matchType: 'EXACT',
      },
      idDimensionValue: { dimensionName: 'trafficking:campaign', id: made.id, value: 'Spring' },
      createInfo: { time: String(now) },
      lastModifiedInfo: { time: String(now) },
    })
    expect(made.id).not.toBe('1')
    expect((await world.get('campaigns', made.id)).body).toEqual(made)
  })

  it('shows current names in dimension values', async () => {
    const world = await traffic(version)
    await world.patch('advertisers', world.ids.advertiserId!, { name: 'Lindqvist & Daughters' })
    const { body: campaign } = await world.get('campaigns', world.ids.campaignId!)
    expect(campaign.advertiserIdDimensionValue.value).toBe('Lindqvist & Daughters')
  })

  it('keeps names unique within their parent, also after a rename', async () => {
    const world = await traffic(version)
    const first = await world.make('Campaign', 'campaigns', { name: 'Same' })
    expect(refusal(await world.insert('campaigns', body('Campaign', world, { name: 'Same' })))).toEqual(
      refusedAt('name'),
    )
    const second = await world.make('Campaign', 'campaigns')
    expect(refusal(await world.patch('campaigns', second.id, { name: 'Same' }))).toEqual(refusedAt('name'))
    expect((await world.patch('campaigns', first.id, { name: 'Same' })).status).toBe(200)
    const { id } = await world.make('Advertiser', 'advertisers')
    expect((await world.insert('campaigns', body('Campaign', world, { name: 'Same', advertiserId: id }))).status).toBe(
      200,
    )
  })

  it('requires references to exist, belong together, and be unarchived', async () => {
    const world = await traffic(version)
    const placement = (changes: object) => world.insert('placements', body('Placement', world, changes))
    expect(refusal(await placement({ siteId: '77' }))).toEqual(refusedAt('siteId'))
    expect(refusal(await placement({ campaignId: '77' }))).toEqual(refusedAt('campaignId'))
    expect(refusal(await placement({ size: { id: '77' } }))).toEqual(refusedAt('size.id'))
    const ad = (changes: object) => world.insert('ads', body('Ad', world, changes))
    expect(refusal(await ad({ placementAssignments: [{ placementId: '77' }] }))).toEqual(
      refusedAt('placementAssignments[0].placementId'),
    )
    expect(refusal(await ad({ creativeRotation: { creativeAssignments: [{ creativeId: '77' }] } }))).toEqual(
      refusedAt('creativeRotation.creativeAssignments[0].creativeId'),
    )
    expect(refusal(await ad({ geoTargeting: { countries: [{ countryCode: 'XX' }] } }))).toEqual(
      refusedAt('geoTargeting.countries[0].countryCode'),
    )
    const other = await world.make('Advertiser', 'advertisers')
    const foreign = await world.make('Creative', 'creatives', { advertiserId: other.id })
    expect(refusal(await ad({ creativeRotation: { creativeAssignments: [{ creativeId: foreign.id }] } }))).toEqual(
      refusedAt('creativeRotation.creativeAssignments[0].creativeId'),
    )
    expect(refusal(await placement({ advertiserId: other.id }))[0]).toBe(400)
    await world.patch('campaigns', world.ids.campaignId!, { archived: true })
    expect(refusal(await placement({}))).toEqual(refusedAt('campaignId'))
    expect((await world.list('placements')).body.placements).toEqual([])
  })

  it('rejects changes to write-once fields but accepts the same value', async () => {
    const world = await traffic(version)
    const placement = await world.make('Placement', 'placements')
    expect(
      refusal(await world.patch('placements', placement.id, { paymentSource: 'PLACEMENT_PUBLISHER_PAID' })),
    ).toEqual(refusedAt('paymentSource'))
    expect(
      (await world.patch('placements', placement.id, { paymentSource: 'PLACEMENT_AGENCY_PAID', comment: 'c' })).status,
    ).toBe(200)
    const campaign = await world.make('Campaign', 'campaigns')
    expect(refusal(await world.patch('placements', placement.id, { campaignId: campaign.id }))).toEqual(
      refusedAt('campaignId'),
    )
    const group = await world.make('CreativeGroup', 'creativeGroups', { groupNumber: 1 })
    expect(refusal(await world.update('creativeGroups', { ...group, groupNumber: 2 }))).toEqual(
      refusedAt('groupNumber'),
    )
    expect((await world.update('creativeGroups', { ...group, name: 'Other' })).body.name).toBe('Other')
  })

  it('replaces on update, clears null on patch, and keeps required fields', async () => {
    const world = await traffic(version)
    const made = await world.make('Campaign', 'campaigns', { comment: 'kept', externalId: 'x-1' })
    const { body: cleared } = await world.patch('campaigns', made.id, { comment: null })
    expect([cleared.comment, cleared.externalId]).toEqual([undefined, 'x-1'])
    for (const [field, status] of [
      ['name', 400],
      ['endDate', 400],
      ['billingInvoiceCode', 200],
    ] as const)
      expect((await world.patch('campaigns', made.id, { [field]: null })).status, field).toBe(status)
    const { name, advertiserId, startDate, endDate, id } = made
    const { body: replaced } = await world.update('campaigns', { id, name, advertiserId, startDate, endDate })
    expect(replaced.externalId).toBeUndefined()
    expect(replaced.createInfo).toEqual(made.createInfo)
    expect(refusal(await world.update('campaigns', { name, advertiserId, startDate, endDate }))).toEqual(
      refusedAt('id'),
    )
    expect((await world.update('campaigns', { ...made, id: '77' })).status).toBe(404)
    expect((await world.patch('campaigns', '77', {})).status).toBe(404)
  })

  it('keeps dates in order and placements inside their campaign', async () => {
    const world = await traffic(version)
    const campaign = (startDate: string, endDate: string) =>
      world.insert('campaigns', body('Campaign', world, { startDate, endDate }))
    expect(refusal(await campaign('2026-06-01', '2026-05-31'))).toEqual(refusedAt('endDate'))
    expect(refusal(await campaign('2026-03-01', '2026-05-19'))).toEqual(refusedAt('endDate'))
    const { body: made } = await campaign('2026-05-01', '2026-07-31')
    const placement = (from: string, to: string) =>
      world.insert('placements', body('Placement', world, { campaignId: made.id, pricingSchedule: schedule(from, to) }))
    expect(refusal(await placement('2026-04-30', '2026-06-30'))).toEqual(refusedAt('pricingSchedule.startDate'))
    expect(refusal(await placement('2026-05-01', '2026-08-01'))).toEqual(refusedAt('pricingSchedule.endDate'))
    expect(refusal(await placement('2026-06-30', '2026-06-01'))).toEqual(refusedAt('pricingSchedule.endDate'))
    const { body: placed } = await placement('2026-05-01', '2026-07-31')
    expect(placed.pricingSchedule.pricingPeriods).toEqual([
      { startDate: '2026-05-01', endDate: '2026-07-31', rateOrCostNanos: '0', units: '0' },
    ])
    const ad = (startTime: string, endTime: string) => world.insert('ads', body('Ad', world, { startTime, endTime }))
    expect(refusal(await ad('2026-05-20T08:59:59Z', '2026-06-20T00:00:00Z'))).toEqual(refusedAt('startTime'))
    expect(refusal(await ad('2026-05-22T00:00:00Z', '2026-05-21T00:00:00Z'))).toEqual(refusedAt('endTime'))
  })

  it('accepts sizes by ID, by dimensions, and new ones', async () => {
    const world = await traffic(version)
    const leaderboard = (await world.list('sizes', { width: 728, height: 90 })).body.sizes[0]
    expect(leaderboard).toMatchObject({ width: 728, height: 90, iab: true })
    const byId = await world.make('Placement', 'placements', { size: { id: leaderboard.id } })
    expect(byId.size).toEqual(leaderboard)
    const { body: moved } = await world.patch('placements', byId.id, { size: { width: 123, height: 45 } })
    expect(moved.size).toMatchObject({ width: 123, height: 45, iab: false })
    expect((await world.get('sizes', moved.size.id)).body).toEqual(moved.size)
    const { body: inserted } = await world.insert('sizes', { width: 123, height: 45 })
    expect(inserted.id).toBe(moved.size.id)
    expect((await world.list('placements', { sizeIds: moved.size.id })).body.placements).toHaveLength(1)
  })

  it('creates default ads for matching sizes, and rejects inserted ones', async () => {
    const world = await traffic(version)
    const size = { width: 300, height: 250 }
    const placement = await world.make('Placement', 'placements', { size })
    const creative = await world.make('Creative', 'creatives', { size })
    expect((await world.list('ads')).body.ads).toEqual([])
    const associations = `campaigns/${world.ids.campaignId}/campaignCreativeAssociations`
    expect((await world.post(associations, { creativeId: creative.id })).body.creativeId).toBe(creative.id)
    expect((await world.list(associations)).body.campaignCreativeAssociations).toEqual([
      { kind: 'trafficking#campaignCreativeAssociation', creativeId: creative.id },
    ])
    expect((await world.list('creatives', { campaignId: world.ids.campaignId })).body.creatives).toHaveLength(1)
    const [ad] = (await world.list('ads', { type: 'AD_SERVING_DEFAULT_AD' })).body.ads
    expect(ad.size).toMatchObject(size)
    const later = await world.make('Placement', 'placements', { size })
    const { body: now } = await world.get('ads', ad.id)
    expect(now.placementAssignments.map((one: { placementId: string }) => one.placementId)).toEqual([
      placement.id,
      later.id,
    ])
    expect(refusal(await world.post(associations, { creativeId: creative.id }))).toEqual(refusedAt('creativeId'))
    expect(refusal(await world.insert('ads', body('Ad', world, { type: 'AD_SERVING_DEFAULT_AD' })))).toEqual(
      refusedAt('type'),
    )
  })

  it('logs changes per field, with user and time', async () => {
    const world = await traffic(version)
    const made = await world.make('Campaign', 'campaigns', { name: 'Before' })
    await world.patch('campaigns', made.id, { name: 'After', comment: 'new', archived: true })
    const { changeLogs } = (await world.list('changeLogs', { objectIds: made.id, action: 'ACTION_UPDATE' })).body
    expect(changeLogs).toHaveLength(3)
    const [renamed] = changeLogs.filter((log: { fieldName: string }) => log.fieldName === 'name')
    expect(renamed).toMatchObject({
      kind: 'trafficking#changeLog',
      objectType: 'OBJECT_CAMPAIGN',
      objectId: made.id,
      oldValue: 'Before',
      newValue: 'After',
      changeTime: new Date(now).toISOString(),
      userProfileId: world.ids.profileId,
      userProfileName: 'Alex.Morgan',
    })
    expect(new Set(changeLogs.map((log: { transactionId: string }) => log.transactionId)).size).toBe(1)
    expect((await world.get('changeLogs', renamed.id)).body).toEqual(renamed)
    const { id } = await world.make('ContentCategory', 'contentCategories', { name: 'Gone soon' })
    await world.del(`contentCategories/${id}`)
    const [deleted] = (await world.list('changeLogs', { action: 'ACTION_DELETE' })).body.changeLogs
    expect(deleted).toMatchObject({ objectId: id, objectType: 'OBJECT_CONTENT_CATEGORY', oldValue: 'Gone soon' })
    expect((await world.list('changeLogs', { objectType: 'OBJECT_CAMPAIGN' })).body.changeLogs.length).toBeGreaterThan(
      3,
    )
  })

  it("rejects deleting what's in use and changing built-in records", async () => {
    const world = await traffic(version)
    const group = await world.make('AdvertiserGroup', 'advertiserGroups')
    await world.patch('advertisers', world.ids.advertiserId!, { advertiserGroupId: group.id })
    expect(refusal(await world.del(`advertiserGroups/${group.id}`))).toEqual(refusedAt('id'))
    await world.patch('advertisers', world.ids.advertiserId!, { advertiserGroupId: null })
    expect((await world.del(`advertiserGroups/${group.id}`)).status).toBe(204)
    const [role] = (await world.list('userRoles')).body.userRoles
    expect(refusal(await world.del(`userRoles/${role.id}`))).toEqual(refusedAt('id'))
    const field = await world.make('CreativeField', 'creativeFields')
    const value = (await world.post(`creativeFields/${field.id}/creativeFieldValues`, { value: 'Red' })).body
    expect((await world.del(`creativeFields/${field.id}`)).status).toBe(204)
    expect((await world.get(`creativeFields/${field.id}/creativeFieldValues`, value.id)).status).toBe(404)
  })

  it('rejects unsupported calls', async () => {
    const world = await traffic(version)
    expect((await world.del(`campaigns/${world.ids.campaignId}`)).status).toBe(405)
    expect((await world.patch('directorySites', '2400101', { name: 'x' })).status).toBe(405)
    expect((await world.post('trackingConfigurations', {})).status).toBe(405)
    expect((await world.post('browsers', {})).status).toBe(405)
    expect((await world.list('noSuchCollection')).status).toBe(404)
  })
})

it("accounts are separate: other profiles see nothing, and someone else's is rejected", async () => {
  const world = await traffic('v3.4', { seed: 'demo' })
  const { items } = (await world.client.get('/trafficking/v3.4/userprofiles')).body
  expect(items).toHaveLength(2)
  const other = items.find((profile: { profileId: string }) => profile.profileId !== world.ids.profileId)
  const path = `/trafficking/v3.4/userprofiles/${other.profileId}`
  expect((await world.client.get(`${path}/campaigns`)).body.campaigns).toEqual([])
  expect((await world.client.get(`${path}/campaigns/${world.ids.campaignId}`)).status).toBe(404)
  expect((await world.client.patch(`${path}/campaigns?id=${world.ids.campaignId}`, { comment: 'x' })).status).toBe(404)
  const { body: mina } = await world.client.as('mina', 'trafficking.userProfiles.list', {})
  expect((await world.client.get(`/trafficking/v3.4/userprofiles/${mina.items[0].profileId}`)).status).toBe(403)
  expect((await world.client.get('/trafficking/v3.4/userprofiles/77')).status).toBe(404)
  const patched = await world.client.as(
    'mina',
    'trafficking.campaigns.patch',
    { profileId: mina.items[0].profileId, id: world.ids.campaignId },
    { comment: 'from Mina' },
  )
  expect(patched.body.comment).toBe('from Mina')
})
