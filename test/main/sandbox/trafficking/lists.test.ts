import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { tableOf, versionsOf } from '#shared/wire/services'
import type { Method, Parameter } from '#shared/wire/table'
import { validate } from '#shared/wire/validate'
import { startSandbox, type Sandbox } from '../../../../src-main/sandbox/start'
import { valuesAt } from '../../../../src-main/sandbox/trafficking/shapes'
import { clientOf, type Client } from '../client'
import { cases, drawn } from '../../../helpers/ring'

const now = Date.UTC(2026, 4, 20, 9)
const reporting = /^trafficking\.(reports|files|dimensionValues)/
const shaping = new Set(['maxResults', 'pageToken', 'sortField', 'sortOrder'])

/** Where to find a parameter's value in objects, if its name doesn't say. */
const places: Record<string, string> = {
  'accountUserProfiles searchString': 'email',
  'ads creativeIds': 'creativeRotation.creativeAssignments.creativeId',
  'ads creativeOptimizationConfigurationIds': 'creativeRotation.creativeOptimizationConfigurationId',
  'ads landingPageIds': 'creativeRotation.creativeAssignments.clickThroughUrl.landingPageId',
  'ads overriddenEventTagId': 'eventTagOverrides.id',
  'ads placementIds': 'placementAssignments.placementId',
  'ads remarketingListIds': 'remarketingListExpression.expression',
  'ads sizeIds': 'size.id',
  'campaigns overriddenEventTagId': 'eventTagOverrides.id',
  'changeLogs searchString': 'newValue',
  'cities namePrefix': 'name',
  'creativeFieldValues searchString': 'value',
  'creatives companionCreativeIds': 'companionCreatives',
  'creatives creativeFieldIds': 'creativeFieldAssignments.creativeFieldId',
  'creatives sizeIds': 'size.id',
  'directorySites dfpNetworkCode': 'settings.dfpSettings.dfpNetworkCode',
  'eventTags eventTagTypes': 'type',
  'mobileApps directories': 'directory',
  'mobileApps searchString': 'title',
  'orderDocuments searchString': 'title',
  'placementGroups pricingTypes': 'pricingSchedule.pricingType',
  'placements compatibilities': 'compatibility',
  'placements groupIds': 'placementGroupId',
  'placements pricingTypes': 'pricingSchedule.pricingType',
  'placements sizeIds': 'size.id',
  'remarketingLists trackingActivityId': 'listPopulationRule.trackingActivityId',
  'sizes iabStandard': 'iab',
}

/** Values for parameters that don't filter by the objects themselves. */
type Elsewhere = (world: World) => Promise<string[]>
const elsewhere: Record<string, Elsewhere> = {
  'ads remarketingListIds': ({ some }) => some('remarketingLists', 'id', { advertiserId: 'first' }),
  'advertiserLandingPages campaignIds': ({ some }) => some('campaigns', 'id'),
  'advertiserLandingPages subaccountId': ({ some }) => some('subaccounts', 'id'),
  'campaigns atLeastOneOptimizationActivity': truths,
  'campaigns excludedIds': ({ some }) => some('campaigns', 'id'),
  'changeLogs maxChangeTime': ({ some }) => some('changeLogs', 'changeTime'),
  'changeLogs minChangeTime': ({ some }) => some('changeLogs', 'changeTime'),
  'creatives campaignId': ({ some }) => some('campaigns', 'id'),
  'directorySites acceptsInStreamVideoPlacements': truths,
  'directorySites acceptsInterstitialPlacements': truths,
  'directorySites acceptsPublisherPaidPlacements': truths,
  'directorySites active': truths,
  'dynamicTargetingKeys advertiserId': ({ some }) => some('advertisers', 'id'),
  'eventTags adId': ({ some }) => some('ads', 'id'),
  'eventTags advertiserId': ({ some }) => some('advertisers', 'id'),
  'eventTags campaignId': ({ some }) => some('campaigns', 'id'),
  'eventTags enabled': truths,
  'orderDocuments approved': truths,
  'orderDocuments siteId': ({ some }) => some('sites', 'id'),
  'placementGroups maxEndDate': dates('endDate'),
  'placementGroups maxStartDate': dates('startDate'),
  'placementGroups minEndDate': dates('endDate'),
  'placementGroups minStartDate': dates('startDate'),
  'placements maxEndDate': dates('endDate'),
  'placements maxStartDate': dates('startDate'),
  'placements minEndDate': dates('endDate'),
  'placements minStartDate': dates('startDate'),
  'sites acceptsInStreamVideoPlacements': truths,
  'sites acceptsInterstitialPlacements': truths,
  'sites acceptsPublisherPaidPlacements': truths,
  'sites adWordsSite': truths,
  'sites campaignIds': ({ some }) => some('campaigns', 'id'),
  'sites unmappedSite': truths,
  'subaccounts searchString': () => Promise.resolve(['nordics']),
  'targetableRemarketingLists advertiserId': ({ some }) => some('advertisers', 'id'),
  'userRoles subaccountId': ({ some }) => some('subaccounts', 'id'),
  'trackingActivities trackingConfigurationId': ({ some }) => some('trackingConfigurations', 'id'),
}

function truths(): Promise<string[]> {
  return Promise.resolve(['true', 'false'])
}
function dates(field: string): Elsewhere {
  return async ({ some }) => (await some('placements', `pricingSchedule.${field}`)).sort()
}

/** Parameters that depend on others or switch only one way, tested below. */
const triedBelow = new Set([
  'advertisers includeAdvertisersWithoutGroupsOnly',
  'advertisers onlyParent',
  'ads audienceSegmentIds',
  'ads creativeOptimizationConfigurationIds',
  'ads overriddenEventTagId',
  'creatives studioCreativeId',
  'eventTags definitionsOnly',
  'userRoles accountUserRoleOnly',
])

/** Values that nothing in the demo has, if a parameter allows one. */
function unusedValues({ enum: list, type, format }: Parameter): string[] {
  if (list) return list.map(String)
  return type === 'string' ? [format === 'int64' ? '1' : '9999-12-31'] : []
}

interface World {
  some(collection: string, path: string, query?: Record<string, string>): Promise<string[]>
}

describe.each(drawn(versionsOf('trafficking'), 1))('lists of %s', (version) => {
  const table = tableOf('trafficking', version)
  const lists = table.methods.filter(
    (method) => method.items && method.httpMethod === 'GET' && !reporting.test(method.id),
  )
  let sandbox: Sandbox
  let client: Client
  let ids: Record<string, string>
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 'demo', now: () => now })
    client = clientOf(sandbox)
    ids = { ...sandbox.ids, summaryAccountId: sandbox.ids.accountId! }
    ids.projectId = (await rows(methodOf('projects'), {}))[0]!.id as string
    ids.creativeFieldId = (await rows(methodOf('creativeFields'), {}))[0]!.id as string
    ids.trackingConfigurationId = (await rows(methodOf('trackingConfigurations'), {}))[0]!.id as string
  })
  afterAll(() => sandbox.stop())

  const methodOf = (collection: string): Method => lists.find(({ id }) => id === `trafficking.${collection}.list`)!
  const collectionOf = (method: Method): string => method.id.split('.')[1]!
  const addressOf = (method: Method): string => method.path.replace(/\{(\w+)\}/g, (_place, name: string) => ids[name]!)

  /** Parameters a list requires. */
  function needed(method: Method): Record<string, string> {
    const collection = collectionOf(method)
    if (method.queryParams.advertiserId?.required) return { advertiserId: ids.advertiserId! }
    return collection === 'trackingActivities' ? { trackingConfigurationId: ids.trackingConfigurationId! } : {}
  }

  async function ask(method: Method, params: Record<string, string | string[]>) {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) search.append(name, one)
    return client.get(`${addressOf(method)}?${search.toString()}`)
  }

  async function rows(method: Method, params: Record<string, string | string[]>): Promise<JsonObject[]> {
    const reply = await ask(method, params)
    expect(reply.status, `${method.id} ${JSON.stringify(params)} ${JSON.stringify(reply.body)}`).toBe(200)
    return reply.body[method.items!] as JsonObject[]
  }

  const world: World = {
    async some(collection, path, query = {}) {
      const method = methodOf(collection)
      const given = { ...needed(method), ...query }
      if (given.advertiserId === 'first') given.advertiserId = ids.advertiserId!
      const all = await rows(method, given)
      return [...new Set(all.flatMap((row) => valuesAt(row, path.split('.')).map(String)))]
    },
  }

  async function candidates(method: Method, name: string, parameter: Parameter): Promise<string[]> {
    const key = `${collectionOf(method)} ${name}`
    const other = elsewhere[key]
    if (other) return other(world)
    const { fields } = table.schemas[table.schemas[method.response!]!.fields[method.items!]!.of!.ref!]!
    const singular = name === 'names' ? 'name' : name.replace(/s$/, '')
    const path =
      places[key] ?? (name === 'searchString' ? 'name' : fields[name] ? name : fields[singular] ? singular : undefined)
    if (!path) return []
    if (parameter.type === 'boolean') return ['true', 'false']
    const all = await rows(method, needed(method))
    const found = all.flatMap((row) => valuesAt(row, path.split('.')).map(String))
    return [...new Set(found)]
  }

  const tried = lists.flatMap((method) =>
    Object.entries(method.queryParams)
      .filter(([name]) => !shaping.has(name) && !triedBelow.has(`${collectionOf(method)} ${name}`))
      .map(([name, parameter]) => [`${collectionOf(method)} ${name}`, method, name, parameter] as const),
  )

  it.each(tried)('%s filters', async (key, method, name, parameter) => {
    const base = needed(method)
    const { [name]: _own, ...rest } = base
    const whole = collectionOf(method) === 'trackingActivities' && name !== 'trackingConfigurationId' ? base : rest
    const values = await candidates(method, name, parameter)
    expect(values.length, 'there is something to select').toBeGreaterThan(0)
    // A parameter without effect returns the same for every value, even an unused one.
    const seen = new Map<string, number>()
    const ends = cases(2, 10)
    const first = new Set([...values.slice(0, ends), ...values.slice(-ends), ...unusedValues(parameter)])
    const others = [...values.slice(0, 10), ...values.slice(-10)]
    for (const value of new Set([...first, ...others])) {
      // Most parameters show their effect at once. Rare values need more tries.
      if (!first.has(value) && seen.size > 1) break
      const found = await rows(method, { ...whole, [name]: value })
      seen.set(JSON.stringify(found.map((row) => row.id ?? row.legacyId ?? row.name)), found.length)
    }
    expect(seen.size, `${key} of ${values.slice(0, 5).join(', ')}`).toBeGreaterThan(1)
    expect(Math.max(...seen.values())).toBeGreaterThan(0)
    if (!parameter.repeated || values.length < 2 || elsewhere[key]) return
    const [one, two] = values as [string, string]
    const given = async (value: string | string[]) =>
      (await rows(method, { ...whole, [name]: value })).map((row) => JSON.stringify(row))
    expect(new Set(await given([one, two]))).toEqual(new Set([...(await given(one)), ...(await given(two))]))
  })

  it('match the schema, in both orders, in pages without gaps', async () => {
    for (const method of lists) {
      const reply = await ask(method, needed(method))
      expect(reply.status, method.id).toBe(200)
      expect(
        validate(table, method.response!, reply.body, { operation: method.id, kind: 'response' }),
        method.id,
      ).toEqual([])
      const all = reply.body[method.items!] as JsonObject[]
      expect(all.length, method.id).toBeGreaterThan(0)
      if (!method.paged) continue
      const key = (row: JsonObject): unknown => row.id ?? row.creativeId
      for (const order of method.queryParams.sortOrder ? ['ASCENDING', 'DESCENDING'] : [undefined]) {
        for (const field of method.queryParams.sortField?.enum ?? [undefined]) {
          const shape = { ...(order ? { sortOrder: order } : {}), ...(field ? { sortField: String(field) } : {}) }
          const size = String(Math.max(1, Math.ceil(all.length / 4)))
          const found: unknown[] = []
          let pageToken: string | undefined
          do {
            const page = await ask(method, {
              ...needed(method),
              ...shape,
              maxResults: size,
              ...(pageToken ? { pageToken } : {}),
            })
            found.push(...(page.body[method.items!] as JsonObject[]).map(key))
            pageToken = page.body.nextPageToken
          } while (pageToken)
          expect(new Set(found).size, method.id).toBe(all.length)
          if (field === 'ID') expect(found).toEqual(order === 'DESCENDING' ? all.map(key).reverse() : all.map(key))
        }
      }
    }
  })

  it('bind page tokens to their filters and expire them', async () => {
    const method = methodOf('campaigns')
    const { body } = await ask(method, { maxResults: '3' })
    const token = { maxResults: '3', pageToken: String(body.nextPageToken) }
    expect((await ask(method, token)).status).toBe(200)
    const other = await ask(method, { ...token, archived: 'true' })
    expect([other.status, other.location]).toEqual([400, 'pageToken'])
    expect((await ask(method, { pageToken: 'made-up' })).status).toBe(400)
    const elsewhere = methodOf('placements')
    expect((await ask(elsewhere, token)).status).toBe(400)
  })

  it('find names in any case, with wildcards, and by ID', async () => {
    const method = methodOf('campaigns')
    const [first] = await rows(method, {})
    const name = String(first!.name)
    const pattern = `${name.slice(0, 3).toUpperCase()}*${name.slice(-3)}`
    for (const text of [name.toUpperCase(), pattern, String(first!.id)])
      expect((await rows(method, { searchString: text })).map((row) => row.id)).toContain(first!.id)
    expect(await rows(method, { searchString: '(no such name' })).toEqual([])
  })

  it('require companions for some parameters', async () => {
    const advertisers = methodOf('advertisers')
    const without = await rows(advertisers, { includeAdvertisersWithoutGroupsOnly: 'true' })
    expect(without.map((row) => row.advertiserGroupId)).toEqual([undefined])
    expect(await rows(advertisers, { includeAdvertisersWithoutGroupsOnly: 'false' })).toHaveLength(6)
    const sharing = await rows(advertisers, { onlyParent: 'true' })
    expect(sharing.map((row) => row.trackingConfigurationId === row.originalTrackingConfigurationId)).toEqual([false])
    const tags = methodOf('eventTags')
    const campaignTag = (await rows(tags, {})).find((row) => row.campaignId)!
    const campaignId = String(campaignTag.campaignId)
    expect(await rows(tags, { campaignId, definitionsOnly: 'true' })).toEqual([campaignTag])
    expect(await rows(tags, { campaignId, definitionsOnly: 'false' })).toHaveLength(2)
    const [ad] = await rows(methodOf('ads'), { campaignIds: campaignId })
    expect((await ask(tags, { adId: String(ad!.id), definitionsOnly: 'true' })).location).toBe('definitionsOnly')
    const roles = methodOf('userRoles')
    expect((await rows(roles, { accountUserRoleOnly: 'true' })).length).toBeGreaterThan(0)
    const [creative] = (await rows(methodOf('creatives'), {})).filter((row) => row.studioCreativeId)
    expect(await rows(methodOf('creatives'), { studioCreativeId: String(creative!.studioCreativeId) })).toEqual([
      creative,
    ])
  })

  it('are empty without a required filter, and reject more IDs than a page', async () => {
    expect(await rows(methodOf('trackingActivities'), {})).toEqual([])
    expect((await ask(methodOf('remarketingLists'), {})).location).toBe('advertiserId')
    const many = Array.from({ length: 801 }, (_, index) => String(index + 1))
    expect((await ask(methodOf('placementGroups'), { ids: many })).location).toBe('ids')
    expect((await ask(methodOf('campaigns'), { maxResults: '1001' })).location).toBe('maxResults')
  })
})
