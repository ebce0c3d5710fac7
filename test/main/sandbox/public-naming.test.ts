import { beforeEach, describe, expect, it } from 'vitest'
import { connect, type Client, type Reply } from './client'

const blamed = ({ status, reason, location }: Reply): unknown[] => [status, reason, location]

describe('a service with public naming', () => {
  let client: Client
  let base: string
  let activity: Record<string, string>

  beforeEach(async () => {
    client = await connect({ seed: 'demo', words: 'public' })
    const { profileId, advertiserId } = client.sandbox.ids
    base = `/dfareporting/v3.4/userprofiles/${profileId}`
    const list = await client.get(`${base}/floodlightActivities?advertiserId=${advertiserId}`)
    activity = list.body.floodlightActivities[0]
  })
  const patch = (body: object): Promise<Reply> => client.patch(`${base}/floodlightActivities?id=${activity.id}`, body)

  it('accepts no other names', async () => {
    expect(blamed(await client.get(`${base}/floodlightActivities?trackingConfigurationId=1`))).toEqual([
      400,
      'invalidParameter',
      'trackingConfigurationId',
    ])
    expect(blamed(await patch({ trackingTagType: 'IFRAME' }))).toEqual([400, 'invalid', 'trackingTagType'])
    const rule = { listPopulationRule: { trackingActivityId: activity.id } }
    expect(blamed(await client.post(`${base}/remarketingLists`, rule))).toEqual([
      400,
      'invalid',
      'listPopulationRule.trackingActivityId',
    ])
    expect((await patch({ floodlightTagType: 'IFRAME' })).status).toBe(200)
  })

  it('rejects unknown names and nesting beyond the schemas', async () => {
    const nested = (levels: number): Promise<Reply> => {
      const body = `{"foo":${'['.repeat(levels)}${']'.repeat(levels)}}`
      return client.call('PATCH', `${base}/floodlightActivities?id=${activity.id}`, body)
    }
    expect(blamed(await nested(90))).toEqual([400, 'invalid', 'foo'])
    expect(blamed(await nested(50_000))).toEqual([400, 'badRequest', undefined])
  })

  it('uses it in change logs', async () => {
    await patch({ floodlightTagType: 'IFRAME' })
    const logs = await client.get(`${base}/changeLogs?objectIds=${activity.id}`)
    expect(logs.body.changeLogs).toEqual([
      expect.objectContaining({
        kind: 'dfareporting#changeLog',
        objectType: 'OBJECT_FLOODLIGHT_ACTVITY',
        fieldName: 'floodlightTagType',
      }),
    ])
  })

  it('uses it in errors', async () => {
    const missing = await client.get(`${base}/floodlightActivities/5`)
    expect(missing.body.error.message).toBe('11019 : floodlightActivities has nothing with the id 5.')
    const listed = await client.get(`${base}/changeLogs?objectType=OBJECT_X`)
    expect(listed.body.error.message).not.toContain('TRACKING')
    const report = await client.post(`${base}/reports`, { name: 'R', type: 'FLOODLIGHT' })
    expect(report.body.error.message).toContain('type FLOODLIGHT needs floodlightCriteria')
  })
})
