import { describe, expect, it } from 'vitest'
import type { Conversion } from '#shared/wire/search/types'
import { connect, query, type Client, type Reply } from '../client'
import { running, standard, type Running } from '../reporting/running'

const path = '/search/v2/conversion'
const month = { startDate: 20260401, endDate: 20260430, startRow: 0, rowCount: 1000 }

const read = (client: Client, ids: Record<string, string>, more: object = {}): Promise<Reply> =>
  client.get(
    `/search/v2/agency/${ids.agencyId}/advertiser/${ids.advertiserId}/engine/${ids.engineAccountId}/conversion${query({ ...month, ...more })}`,
  )

/** A day-old conversion under the ready line's keyword. */
function sent(world: Running, more: Partial<Conversion> = {}): Conversion {
  const { agencyId, advertiserId, engineAccountId, campaignId, adGroupId, criterionId } = world.ids
  return {
    agencyId,
    advertiserId,
    engineAccountId,
    campaignId,
    adGroupId,
    criterionId,
    conversionId: 'order-1',
    conversionTimestamp: String(world.clock.now - 86_400_000),
    segmentationType: 'TRACKING',
    segmentationId: world.activityIds[0],
    type: 'ACTION',
    ...more,
  }
}

const sale = { type: 'TRANSACTION', revenueMicros: '12500000', currencyCode: 'EUR' } as const

describe('conversions', () => {
  it('are read in windows and match the reports', async () => {
    const { client, ids, rows } = await running()
    const all = (await read(client, ids)).body
    expect(all.kind).toBe('search#conversionList')
    const counted = await rows(
      standard(['campaign'], ['activityClickThroughConversions', 'activityClickThroughRevenue'], {}, [
        '2026-04-01',
        '2026-04-30',
      ]),
    )
    const list = all.conversion as Conversion[]
    expect(String(list.length)).toBe(counted[1]![1])
    expect(list.reduce((total, { revenueMicros = '0' }) => total + Number(revenueMicros), 0) / 1e6).toBeCloseTo(
      Number(counted[1]![2]),
      6,
    )
    const windows: Conversion[] = []
    for (let startRow = 0; ; startRow += 25) {
      const page = (await read(client, ids, { startRow, rowCount: 25 })).body.conversion as Conversion[]
      windows.push(...page)
      if (page.length < 25) break
    }
    expect(windows).toEqual(list)
    expect(list[0]).toMatchObject({
      campaignId: ids.campaignId,
      state: 'ACTIVE',
      segmentationType: 'TRACKING',
      customerId: ids.customerId,
    })
    const byCustomer = await client.get(`/search/v2/customer/${ids.customerId}/conversion${query(month)}`)
    expect(byCustomer.body.conversion).toEqual(list)
  })

  it('are filtered by nested IDs, each with its parents', async () => {
    const { client, ids } = await running()
    const { campaignId, adGroupId, criterionId, customerId } = ids
    const all = (await read(client, ids)).body.conversion as Conversion[]
    expect((await read(client, ids, { campaignId, adGroupId, criterionId })).body.conversion).toEqual(
      all.filter((one) => one.criterionId === criterionId),
    )
    const { adId } = all[0]!
    expect((await read(client, ids, { campaignId, adGroupId: all[0]!.adGroupId, adId })).body.conversion).toEqual(
      all.filter((one) => one.adId === adId),
    )
    const refused = async (more: object): Promise<unknown> => {
      const answer = await read(client, ids, more)
      return [answer.status, answer.location]
    }
    expect(await refused({ adGroupId })).toEqual([400, 'adGroupId'])
    expect(await refused({ campaignId, criterionId })).toEqual([400, 'criterionId'])
    expect(await refused({ campaignId: '1' })).toEqual([400, 'campaignId'])
    expect(await refused({ startDate: 20260501 })).toEqual([400, 'startDate'])
    expect(await refused({ startDate: 20260231 })).toEqual([400, 'startDate'])
    expect(await refused({ rowCount: 1001 })).toEqual([400, 'rowCount'])
    expect(await refused({ rowCount: 0 })).toEqual([400, 'rowCount'])
    expect(await refused({ startRow: undefined })).toEqual([400, 'startRow'])
    expect((await read(client, { ...ids, engineAccountId: '1' })).status).toBe(404)
    expect((await client.get(`/search/v2/customer/1/conversion${query(month)}`)).status).toBe(404)
    expect(
      (
        await client.get(
          `/search/v2/customer/${customerId}/conversion${query({ ...month, campaignId, adGroupId, criterionId })}`,
        )
      ).status,
    ).toBe(200)
  })

  it('get IDs when inserted, can be read back, and count in both services', async () => {
    const world = await running()
    const { client, ids, clock, rows } = world
    const days: [string, string] = ['2026-04-30', '2026-04-30']
    const metrics = ['activityClickThroughConversions', 'clickThroughTransactionCount', 'activityClickThroughRevenue']
    const before = (await rows(standard(['campaign'], metrics, {}, days))).at(-1)!.slice(1).map(Number)
    const answer = await client.post(path, {
      kind: 'search#conversionList',
      conversion: [
        sent(world),
        sent(world, { ...sale, conversionId: 'order-2', segmentationId: undefined, segmentationName: 'Activity SALE' }),
      ],
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body.conversion[0]).toMatchObject({
      conversionId: 'order-1',
      dsConversionId: expect.stringMatching(/^\d+$/),
      conversionModifiedTimestamp: String(clock.now),
      segmentationName: 'Activity COUNTER',
      customerId: ids.customerId,
      state: 'ACTIVE',
    })
    expect(answer.body.conversion[1].segmentationId).toBe(world.activityIds[1])
    const list = (await read(client, ids, { startDate: 20260430 })).body.conversion as Conversion[]
    expect(list.slice(-2)).toEqual(answer.body.conversion)
    const after = (await rows(standard(['campaign'], metrics, {}, days))).at(-1)!.slice(1).map(Number)
    expect(after.map((value, index) => value - before[index]!)).toEqual([2, 1, 12.5])
    const generated = await client.post('/search/v2/reports/generate', {
      reportType: 'advertiser',
      columns: ['dfaActions', 'dfaTransactions', 'dfaRevenue'].map((columnName) => ({ columnName })),
      reportScope: { agencyId: ids.agencyId },
      timeRange: { startDate: days[0], endDate: days[1] },
      statisticsCurrency: 'agency',
      startRow: 0,
      rowCount: 10,
    })
    expect(generated.body.rows).toEqual([
      { dfaActions: after[0]! - after[1]!, dfaTransactions: after[1], dfaRevenue: after[2] },
    ])
  })

  it('need only a click, which always maps to the same keyword', async () => {
    const world = await running()
    const bare = (conversionId: string): Conversion => {
      const { conversionTimestamp, segmentationId, segmentationType } = sent(world)
      return { conversionId, clickId: 'CLICK', conversionTimestamp, segmentationId, segmentationType }
    }
    const { body } = await world.client.post(path, { conversion: [bare('a'), bare('b')] })
    expect(body.conversion[0]).toMatchObject({
      advertiserId: world.ids.advertiserId,
      campaignId: world.ids.campaignId,
      type: 'ACTION',
    })
    expect(body.conversion[0].criterionId).toBe(body.conversion[1].criterionId)
  })

  it('are stored if valid, with an error for each invalid one', async () => {
    const world = await running()
    const { client, ids } = world
    const batch: Array<[Partial<Conversion>, string?, string?]> = [
      [{ conversionId: 'good-1' }],
      [{ conversionId: 'a', conversionTimestamp: '1' }, 'invalid', 'conversionTimestamp'],
      [
        { conversionId: 'b', conversionTimestamp: String(world.clock.now + 3_600_000) },
        'invalid',
        'conversionTimestamp',
      ],
      [{ conversionId: 'c', criterionId: '1' }, 'notFound', 'criterionId'],
      [{ conversionId: 'd', segmentationId: '1' }, 'notFound', 'segmentationId'],
      [{ conversionId: 'e', segmentationId: undefined }, 'required', 'segmentationId'],
      [{ conversionId: 'f', segmentationType: 'OTHER' }, 'invalid', 'segmentationType'],
      [{ conversionId: 'g', type: 'TRANSACTION' }, 'required', 'revenueMicros'],
      [{ conversionId: 'h', ...sale, currencyCode: undefined }, 'required', 'currencyCode'],
      [{ conversionId: 'i', quantityMillis: '-1' }, 'invalid', 'quantityMillis'],
      [
        {
          conversionId: 'j',
          agencyId: undefined,
          advertiserId: undefined,
          engineAccountId: undefined,
          campaignId: undefined,
          adGroupId: undefined,
          criterionId: undefined,
        },
        'required',
        'clickId',
      ],
      [{ conversionId: 'k', criterionId: undefined, campaignId: undefined }, 'required', 'campaignId'],
      [{ conversionId: 'good-1' }, 'duplicate', 'conversionId'],
      [{ conversionId: 'good-2' }],
    ]
    const answer = await client.post(path, { conversion: batch.map(([more]) => sent(world, more)) })
    expect(answer.status).toBe(400)
    const failed = batch.flatMap(([, reason, field], index) =>
      reason ? [{ reason, location: `conversion[${index}].${field}` }] : [],
    )
    expect(answer.body.error.errors).toMatchObject(failed)
    expect(answer.body.error.errors).toHaveLength(failed.length)
    const kept = (await read(client, ids, { startDate: 20260430 })).body.conversion as Conversion[]
    expect(kept.slice(-2).map(({ conversionId }) => conversionId)).toEqual(['good-1', 'good-2'])
    expect(kept.filter(({ conversionId }) => conversionId!.length === 1)).toEqual([])
  })

  it('that violate the schema change nothing', async () => {
    const world = await running()
    const { client, ids } = world
    const before = (await read(client, ids)).body
    expect(
      (await client.post(path, { conversion: [sent(world), { ...sent(world), conversionId: undefined }] })).location,
    ).toBe('conversion[1].conversionId')
    expect((await client.post(path, { conversion: [] })).location).toBe('conversion')
    expect((await read(client, ids)).body).toEqual(before)
  })

  it('can be changed and removed, except for their attribution', async () => {
    const world = await running()
    const { client, ids, clock } = world
    const original = sent(world, { ...sale, segmentationId: world.activityIds[1] })
    await client.post(path, { conversion: [original] })
    clock.now += 60_000
    const put = (more: Partial<Conversion>): Promise<Reply> =>
      client.put(path, { conversion: [{ ...original, ...more }] })
    const changed = await put({ revenueMicros: '7000000' })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(changed.body.conversion[0]).toMatchObject({
      revenueMicros: '7000000',
      conversionModifiedTimestamp: String(clock.now),
    })
    for (const [more, field] of [
      [{ type: 'ACTION' }, 'type'],
      [{ segmentationId: world.activityIds[0] }, 'segmentationId'],
      [{ revenueMicros: undefined }, 'revenueMicros'],
      [{ conversionTimestamp: String(clock.now - 5) }, 'conversionId'],
      [
        {
          criterionId: undefined,
          adGroupId: undefined,
          campaignId: undefined,
          engineAccountId: undefined,
          advertiserId: undefined,
          agencyId: undefined,
        },
        'clickId',
      ],
    ] as const) {
      const refused = await put(more as Partial<Conversion>)
      expect([refused.status, refused.location]).toEqual([400, `conversion[0].${field}`])
    }
    const removed = await put({ state: 'REMOVED' })
    expect(removed.body.conversion[0].state).toBe('REMOVED')
    expect(((await read(client, ids, { startDate: 20260430 })).body.conversion as Conversion[]).at(-1)).toMatchObject({
      conversionId: 'order-1',
      state: 'REMOVED',
    })
  })

  it('repeat a quantity in each change if it was ever set', async () => {
    const world = await running()
    const { client } = world
    const original = sent(world)
    await client.post(path, { conversion: [original] })
    const put = async (more: Partial<Conversion>): Promise<unknown> => {
      const { status, location } = await client.put(path, { conversion: [{ ...original, ...more }] })
      return status === 200 ? status : location
    }
    expect(await put({})).toBe(200)
    expect(await put({ quantityMillis: '3000' })).toBe(200)
    expect(await put({})).toBe('conversion[0].quantityMillis')
    expect(await put({ quantityMillis: '3000' })).toBe(200)
    const other = { conversionId: 'order-2', quantityMillis: '1000' }
    await client.post(path, { conversion: [{ ...original, ...other }] })
    expect(await put({ conversionId: 'order-2' })).toBe('conversion[0].quantityMillis')
    expect(await put({ conversionId: 'order-2', state: 'REMOVED' })).toBe(200)
  })

  it('that were generated can be changed, too, and reports follow', async () => {
    const world = await running()
    const { client, ids, rows } = world
    const report = standard(['placementId', 'activityId'], ['totalConversions', 'totalRevenue'], {}, [
      '2026-04-01',
      '2026-04-30',
    ])
    const before = (await rows(report)).at(-1)!.slice(2).map(Number)
    const list = (await read(client, ids)).body.conversion as Conversion[]
    const one = list.find(({ type }) => type === 'TRANSACTION')!
    const answer = await client.put(path, {
      conversion: [{ ...one, clickId: undefined, dsConversionId: undefined, state: 'REMOVED' }],
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const after = (await rows(report)).at(-1)!.slice(2).map(Number)
    expect(after[0]).toBe(before[0]! - 1)
    expect(after[1]).toBeCloseTo(before[1]! - Number(one.revenueMicros) / 1e6, 6)
    const now = (await read(client, ids)).body.conversion as Conversion[]
    expect(now).toHaveLength(list.length)
    expect(now.filter(({ state }) => state === 'REMOVED').map(({ conversionId }) => conversionId)).toEqual([
      one.conversionId,
    ])
  })
})

describe('availabilities', () => {
  it('return as sent and are rejected when inconsistent', async () => {
    const world = await running()
    const { agencyId, advertiserId } = world.ids
    const good = {
      agencyId,
      advertiserId,
      segmentationType: 'TRACKING',
      segmentationId: world.activityIds[0],
      availabilityTimestamp: String(world.clock.now - 1000),
    }
    const send = (...availabilities: object[]): Promise<Reply> =>
      world.client.post(`${path}/updateAvailability`, { availabilities })
    expect((await send(good)).body).toEqual({ availabilities: [good] })
    const at = async (more: object): Promise<string | undefined> => (await send(good, { ...good, ...more })).location
    expect(await at({ advertiserId: '1' })).toBe('availabilities[1].advertiserId')
    expect(await at({ segmentationType: 'OTHER' })).toBe('availabilities[1].segmentationType')
    expect(await at({ segmentationId: '1' })).toBe('availabilities[1].segmentationId')
    expect(await at({ segmentationId: undefined })).toBe('availabilities[1].segmentationId')
    expect(await at({ availabilityTimestamp: String(world.clock.now + 3_600_000) })).toBe(
      'availabilities[1].availabilityTimestamp',
    )
    expect((await send()).location).toBe('availabilities')
  })

  it('use public naming for such clients', async () => {
    const client = await connect({ words: 'public' })
    const { agencyId, advertiserId } = client.sandbox.ids
    const answer = await client.post('/doubleclicksearch/v2/conversion/updateAvailability', {
      availabilities: [
        { agencyId, advertiserId, segmentationType: 'FLOODLIGHT', segmentationName: 'x', availabilityTimestamp: '1' },
      ],
    })
    expect(answer.location).toBe('availabilities[0].segmentationName')
  })
})
