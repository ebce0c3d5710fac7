import { describe, expect, it } from 'vitest'
import { tableOf } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import { now, refusal, traffic, type Traffic } from './world'

const hour = 3_600_000

/** A tracking activity of the first advertiser, and a valid conversion for it. */
async function activityAndRow(world: Traffic) {
  const [configuration] = (await world.list('trackingConfigurations')).body.trackingConfigurations
  world.ids.trackingConfigurationId = configuration.id
  const group = await world.make('TrackingActivityGroup', 'trackingActivityGroups', { type: 'SALE' })
  world.ids.trackingActivityGroupId = group.id
  const activity = await world.make('TrackingActivity', 'trackingActivities', { trackingTagType: 'IFRAME' })
  const row = {
    trackingConfigurationId: configuration.id as string,
    trackingActivityId: activity.id as string,
    gclid: 'click-1',
    ordinal: '1',
    timestampMicros: `${now - hour}000`,
    value: 12.5,
    quantity: '1',
  }
  return { configuration, group, activity, row }
}

const codes = (body: { status: Array<{ errors?: Array<{ code: string }> }> }): Array<string | undefined> =>
  body.status.map(({ errors }) => errors?.[0]?.code)

describe.each(['v3.4', 'v3.3'])('special operations of %s', (version) => {
  it('checks conversions one by one and responds in order', async () => {
    const world = await traffic(version)
    const { row } = await activityAndRow(world)
    const rows = [
      row,
      { ...row, ordinal: '2', timestampMicros: `${now + hour}000` },
      { ...row, ordinal: '3', timestampMicros: `${now - 29 * 24 * hour}000` },
      { ...row, ordinal: '4', trackingActivityId: '77' },
      { ...row, ordinal: '5', trackingConfigurationId: '77' },
      { ...row, ordinal: '6', gclid: undefined, encryptedUserId: 'secret' },
      { ...row, ordinal: '7' },
    ]
    const { status, body } = await world.post('conversions/batchinsert', { conversions: rows })
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'trafficking#conversionsBatchInsertResponse', hasFailures: true })
    expect(codes(body)).toEqual([
      undefined,
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'NOT_FOUND',
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      undefined,
    ])
    expect(body.status.map((one: { conversion: { ordinal: string } }) => one.conversion.ordinal)).toEqual(
      rows.map(({ ordinal }) => ordinal),
    )
    const stored = async (): Promise<Array<{ value: number }>> =>
      Object.values((await world.client.get('/sandbox/v1/state')).body.trafficking.conversions)
    expect(await stored()).toHaveLength(2)
    const again = await world.post('conversions/batchinsert', { conversions: [row] })
    expect(again.body.hasFailures).toBe(false)
    expect(await stored()).toHaveLength(2)
    const changed = await world.post('conversions/batchupdate', {
      conversions: [
        { ...row, value: 20 },
        { ...row, ordinal: '8' },
      ],
    })
    expect(codes(changed.body)).toEqual([undefined, 'NOT_FOUND'])
    expect((await stored()).map(({ value }) => value).sort()).toEqual([12.5, 20])
    const encrypted = await world.post('conversions/batchinsert', {
      conversions: [{ ...row, ordinal: '9', gclid: undefined, encryptedUserId: 'secret' }],
      encryptionInfo: {
        encryptionEntityType: 'DCM_ACCOUNT',
        encryptionEntityId: world.ids.accountId,
        encryptionSource: 'AD_SERVING',
      },
    })
    expect(encrypted.body.hasFailures).toBe(false)
  })

  it('reports invalid values per row and accepts the other rows', async () => {
    const world = await traffic(version)
    const { row } = await activityAndRow(world)
    const wrong: Array<[object | string | number | null, RegExp]> = [
      [{ ...row, timestampMicros: 'yesterday' }, /timestampMicros/],
      [{ ...row, timestampMicros: true }, /timestampMicros/],
      [{ ...row, timestampMicros: undefined }, /timestampMicros/],
      [{ ...row, trackingActivityId: 'abc' }, /trackingActivityId/],
      [{ ...row, ordinal: undefined }, /ordinal/],
      [{ ...row, quantity: 'many' }, /quantity/],
      [{ ...row, value: 'much' }, /value/],
      [{ ...row, kind: 'trafficking#ad' }, /kind/],
      [{ ...row, matchId: 'both' }, /matchId/],
      [{ ...row, gclid: undefined }, /One of .*gclid/],
      [{ ...row, customVariables: [{ type: 'U101', value: 'x' }] }, /customVariables\[0\]\.type/],
      [{ ...row, customVariables: [{ type: 'U1', value: 'x'.repeat(101) }] }, /customVariables\[0\]\.value/],
      ['no row', /object/],
      [7, /object/],
      [null, /object/],
    ]
    for (const operation of ['batchinsert', 'batchupdate']) {
      const conversions = [row, ...wrong.map(([one]) => one), { ...row, ordinal: '2' }]
      const { status, body } = await world.post(`conversions/${operation}`, { conversions })
      expect([status, body.hasFailures, body.status]).toEqual([200, true, expect.any(Array)])
      const messages = body.status.map(({ errors }: { errors?: Array<{ message: string }> }) => errors?.[0]?.message)
      expect(messages).toEqual([
        undefined,
        ...wrong.map(([, message]) => expect.stringMatching(message) as string),
        undefined,
      ])
      expect(new Set(codes(body))).toEqual(new Set([undefined, 'INVALID_ARGUMENT']))
      const answered = { ...body, kind: undefined }
      const schema = 'ConversionsBatchInsertResponse'
      expect(validate(tableOf('trafficking', version), schema, answered, { kind: 'response' })).toEqual([])
    }
  })

  it('rejects an invalid batch: no list, empty, over a thousand, unknown names', async () => {
    const world = await traffic(version)
    const { row } = await activityAndRow(world)
    const insert = (conversions: unknown) => world.post('conversions/batchinsert', { conversions })
    const many = Array.from({ length: 1001 }, (_, index) => ({ ...row, ordinal: String(index) }))
    expect(refusal(await insert(many))).toEqual([400, 'conversions', true])
    expect(refusal(await insert([]))).toEqual([400, 'conversions', true])
    expect((await insert({ 0: row })).status).toBe(400)
    const path = `/trafficking/${version}/userprofiles/${world.ids.profileId}/conversions/batchinsert`
    expect((await world.client.post(path, '{"conversions":[')).reason).toBe('parseError')
    expect((await insert([{ ...row, noSuchField: 1 }])).status).toBe(400)
    expect((await insert(many.slice(1))).body.hasFailures).toBe(false)
  })

  it('generates tags with placement, campaign, and size in each format', async () => {
    const world = await traffic(version)
    const placement = await world.make('Placement', 'placements', {
      name: 'Top banner',
      size: { width: 728, height: 90 },
    })
    const path = `placements/generatetags?campaignId=${world.ids.campaignId}`
    const formats = ['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_CLICK_COMMANDS', 'PLACEMENT_TAG_IFRAME_JAVASCRIPT']
    const { body } = await world.post(
      `${path}&placementIds=${placement.id}${formats.map((one) => `&tagFormats=${one}`).join('')}`,
    )
    expect(body.placementTags).toHaveLength(1)
    const { placementId, tagDatas } = body.placementTags[0]
    expect(placementId).toBe(placement.id)
    expect(tagDatas.map((data: { format: string }) => data.format)).toEqual(formats)
    for (const part of [
      'Top banner',
      'Lindqvist Outdoor: first flight',
      `${world.ids.campaignId}.${placement.id}`,
      'width="728"',
    ])
      expect(tagDatas[0].impressionTag).toContain(part)
    expect(tagDatas[1].clickTag).toContain('sz=728x90')
    expect((await world.post('placements/generatetags?campaignId=77')).status).toBe(400)
    expect((await world.post(`${path}&placementIds=77`)).location).toBe('placementIds')
  })

  it("generates an activity's tag", async () => {
    const world = await traffic(version)
    const { activity, group, configuration } = await activityAndRow(world)
    const { body } = await world.post(`trackingActivities/generatetag?trackingActivityId=${activity.id}`)
    expect(body.trackingActivityTag).toContain(
      `src=${configuration.id};type=${group.tagString};cat=${activity.tagString};qty=[quantity];cost=[revenue]`,
    )
    expect((await world.post('trackingActivities/generatetag?trackingActivityId=77')).status).toBe(404)
    expect((await world.post('trackingActivities/generatetag')).location).toBe('trackingActivityId')
  })

  it('creates a tracking configuration with each advertiser, which can be shared and restored', async () => {
    const world = await traffic(version)
    const made = await world.make('Advertiser', 'advertisers')
    const own = made.trackingConfigurationId
    const { body: configuration } = await world.get('trackingConfigurations', own)
    expect(configuration).toMatchObject({ advertiserId: made.id, firstDayOfWeek: 'MONDAY' })
    const { body: changed } = await world.patch('trackingConfigurations', own, { firstDayOfWeek: 'SUNDAY' })
    expect(changed.firstDayOfWeek).toBe('SUNDAY')
    expect((await world.update('trackingConfigurations', { ...changed, firstDayOfWeek: 'MONDAY' })).status).toBe(200)
    const first = (await world.get('advertisers', world.ids.advertiserId!)).body.trackingConfigurationId
    const shared = (await world.patch('advertisers', made.id, { trackingConfigurationId: first })).body
    expect([shared.trackingConfigurationId, shared.originalTrackingConfigurationId]).toEqual([first, own])
    expect(
      (await world.patch('advertisers', made.id, { trackingConfigurationId: null })).body.trackingConfigurationId,
    ).toBe(own)
  })

  it("passes a group's name on to its activities", async () => {
    const world = await traffic(version)
    const { activity, group } = await activityAndRow(world)
    await world.patch('trackingActivityGroups', group.id, { name: 'Renamed' })
    expect((await world.get('trackingActivities', activity.id)).body).toMatchObject({
      trackingActivityGroupName: 'Renamed',
      trackingActivityGroupType: 'SALE',
      advertiserId: world.ids.advertiserId,
    })
  })

  it('shares remarketing lists, which makes them targetable', async () => {
    const world = await traffic(version)
    const list = await world.make('RemarketingList', 'remarketingLists')
    expect(list.accountId, 'is shown by get alone').toBeUndefined()
    expect((await world.get('remarketingLists', list.id)).body.accountId).toBe(world.ids.accountId)
    const other = await world.make('Advertiser', 'advertisers')
    const targetable = async (): Promise<string[]> =>
      (await world.list('targetableRemarketingLists', { advertiserId: other.id })).body.targetableRemarketingLists.map(
        (one: { id: string }) => one.id,
      )
    expect(await targetable()).toEqual([])
    expect((await world.get('remarketingListShares', list.id)).body).toEqual({
      kind: 'trafficking#remarketingListShare',
      remarketingListId: list.id,
      sharedAccountIds: [],
      sharedAdvertiserIds: [],
    })
    await world.patch('remarketingListShares', list.id, { sharedAdvertiserIds: [other.id] })
    expect(await targetable()).toEqual([list.id])
    expect((await world.get('targetableRemarketingLists', list.id)).body.name).toBe(list.name)
    const { status } = await world.update('remarketingListShares', {
      remarketingListId: list.id,
      sharedAdvertiserIds: [],
    })
    expect([status, await targetable()]).toEqual([200, []])
    const path = `/trafficking/${version}/userprofiles/${world.ids.profileId}/remarketingListShares`
    const older = await world.client.patch(`${path}?remarketingListId=${list.id}`, { sharedAdvertiserIds: [other.id] })
    expect(older.body.sharedAdvertiserIds).toEqual([other.id])
    expect(refusal(await world.patch('remarketingListShares', list.id, { sharedAdvertiserIds: ['77'] }))).toEqual([
      400,
      'sharedAdvertiserIds[0]',
      true,
    ])
  })

  it('stores dynamic targeting keys by object in lower case, and deletes them by name', async () => {
    const world = await traffic(version)
    const objectId = world.ids.advertiserId!
    const key = { name: 'Season', objectId, objectType: 'OBJECT_ADVERTISER' }
    expect((await world.post('dynamicTargetingKeys', key)).body.name).toBe('season')
    const keys = async (params: Record<string, string>): Promise<number> =>
      (await world.list('dynamicTargetingKeys', params)).body.dynamicTargetingKeys.length
    expect(await keys({ advertiserId: objectId })).toBe(1)
    expect(await keys({ names: 'other' })).toBe(0)
    expect((await world.del(`dynamicTargetingKeys/${objectId}`)).status).toBe(400)
    const path = `dynamicTargetingKeys/${objectId}?objectType=OBJECT_ADVERTISER`
    expect((await world.del(`${path}&name=other`)).status).toBe(404)
    expect((await world.del(`${path}&name=SEASON`)).status).toBe(204)
    expect(await keys({})).toBe(0)
    expect((await world.post('dynamicTargetingKeys', { ...key, objectId: '77' })).location).toBe('objectId')
  })

  it('counts active ads', async () => {
    const world = await traffic(version)
    await world.make('Ad', 'ads', { active: true })
    await world.make('Ad', 'ads', { active: false })
    expect((await world.get('accountActiveAdSummaries', world.ids.accountId!)).body).toEqual({
      kind: 'trafficking#accountActiveAdSummary',
      accountId: world.ids.accountId,
      activeAds: '1',
      activeAdsLimitTier: 'ACTIVE_ADS_TIER_40K',
      availableAds: '39999',
    })
    expect((await world.get('accountActiveAdSummaries', '77')).status).toBe(404)
  })

  it("changes accounts and profiles, which can't be deleted", async () => {
    const world = await traffic(version)
    const { body: account } = await world.get('accounts', world.ids.accountId!)
    expect((await world.patch('accounts', account.id, { description: 'Renamed' })).body.description).toBe('Renamed')
    expect((await world.update('accounts', { ...account, locale: 'de' })).body.locale).toBe('de')
    expect((await world.patch('accounts', account.id, { currencyId: '99' })).location).toBe('currencyId')
    const { body: profile } = await world.get('accountUserProfiles', world.ids.profileId!)
    expect(refusal(await world.update('accountUserProfiles', { ...profile, email: 'new@flightplan.example' }))).toEqual(
      [400, 'email', true],
    )
  })

  it('has reference data under its API keys', async () => {
    const world = await traffic(version)
    const { countries } = (await world.list('countries')).body
    const germany = countries.find((one: { countryCode: string }) => one.countryCode === 'DE')
    expect((await world.get('countries', germany.legacyId)).body).toEqual(germany)
    expect(germany).toEqual({
      kind: 'trafficking#country',
      countryCode: 'DE',
      legacyId: germany.legacyId,
      name: 'Germany',
      sslEnabled: true,
    })
    const [postal] = (await world.list('postalCodes')).body.postalCodes
    expect((await world.get('postalCodes', postal.code)).body.code).toBe(postal.code)
    const [format] = (await world.list('videoFormats')).body.videoFormats
    expect((await world.get('videoFormats', String(format.id))).body).toEqual(format)
    expect(format.id).toBe(1)
    expect(
      (await world.list('cities', { countryLegacyIds: germany.legacyId, namePrefix: 'ham' })).body.cities,
    ).toMatchObject([{ name: 'Hamburg', countryCode: 'DE', regionCode: 'HH' }])
  })
})

it('accepts custom events one by one, in the newer version', async () => {
  const world = await traffic()
  const { row } = await activityAndRow(world)
  const event = { trackingConfigurationId: row.trackingConfigurationId, timestampMicros: row.timestampMicros }
  const { body } = await world.post('customEvents/batchinsert', {
    customEvents: [
      {
        ...event,
        ordinal: '1',
        eventType: 'INSERT',
        insertEvent: { matchId: 'm', insertEventType: 'CLICK', cmDimensions: { campaignId: world.ids.campaignId } },
      },
      {
        ...event,
        ordinal: '2',
        eventType: 'INSERT',
        insertEvent: { matchId: 'm', insertEventType: 'CLICK', cmDimensions: { campaignId: '77' } },
      },
      { ...event, ordinal: '3', eventType: 'ANNOTATE', annotateClickEvent: {} },
    ],
  })
  expect(body).toMatchObject({ kind: 'trafficking#customEventsBatchInsertResponse', hasFailures: true })
  expect(codes(body)).toEqual([undefined, 'NOT_FOUND', 'INVALID_ARGUMENT'])
})

it('uses public naming on request', async () => {
  const { client } = await traffic('v3.4', { words: 'public' })
  const { profileId, advertiserId } = client.sandbox.ids
  const path = `/dfareporting/v3.4/userprofiles/${profileId}`
  const { body } = await client.get(`${path}/floodlightConfigurations`)
  expect(body).toMatchObject({
    kind: 'dfareporting#floodlightConfigurationsListResponse',
    floodlightConfigurations: [{ advertiserId, advertiserIdDimensionValue: { dimensionName: 'dfa:advertiser' } }],
  })
  const { body: group } = await client.post(`${path}/floodlightActivityGroups`, {
    name: 'Sales',
    type: 'SALE',
    floodlightConfigurationId: body.floodlightConfigurations[0].id,
  })
  expect(group).toMatchObject({ kind: 'dfareporting#floodlightActivityGroup', advertiserId })
  const taken = await client.patch(`${path}/floodlightActivityGroups?id=${group.id}`, {
    floodlightConfigurationId: '77',
  })
  expect([taken.status, taken.location]).toEqual([400, 'floodlightConfigurationId'])
  expect(taken.body.error.message).toMatch(/^\d+ : floodlightConfigurationId/)
})

it('reports invalid custom events per row, too', async () => {
  const world = await traffic()
  const { status, body } = await world.post('customEvents/batchinsert', { customEvents: [{ ordinal: '1' }, 'no row'] })
  expect([status, body.hasFailures, codes(body)]).toEqual([200, true, ['INVALID_ARGUMENT', 'INVALID_ARGUMENT']])
})
