import { expect } from 'vitest'
import type { JsonObject } from '#shared/json'
import { tableOf, type OperationId, type Operations } from '#shared/wire/services'
import type { Method } from '#shared/wire/table'
import type { File, Report } from '#shared/wire/trafficking/types'
import { validBody } from '../helpers/valid-body'
import type { World } from './world'

type Call = (params: JsonObject, extra?: { body?: JsonObject }) => Promise<{ status: number; body: JsonObject }>

/** Values for a patch if a resource has no name. */
const changes: Record<string, (object: JsonObject) => JsonObject> = {
  creativeFieldValues: ({ id }) => ({ value: `Evening ${String(id)}` }),
  trackingConfigurations: ({ firstDayOfWeek }) => ({
    firstDayOfWeek: firstDayOfWeek === 'SUNDAY' ? 'MONDAY' : 'SUNDAY',
  }),
  accountUserProfiles: () => ({ comments: 'Plans the spring' }),
}

/** Lists that are empty without a filter. */
const narrowedBy: Record<string, string[]> = { trackingActivities: ['advertiserId'] }

/** Values an insert needs beyond the schema's required ones. */
const extraValues: Record<string, (number: number) => JsonObject> = {
  sizes: (number) => ({ width: 1_000 + number, height: 251 }),
}

/**
 * A case for every operation of a version's trafficking table. The row determines the operation: an insert is read back, a
 * list has what was inserted, a patch changes only what it names. Only special operations have their own cases.
 */
export function traffickingCases(world: World): Partial<Record<OperationId, () => Promise<unknown>>> {
  const { caller } = world
  const table = tableOf('trafficking', caller.versions.trafficking)
  const rows = new Map(table.methods.map((method) => [method.id, method]))
  const base: JsonObject = { profileId: world.ids.profileId }

  const ask = (id: string): Call => world.call.bind(world, id as never) as unknown as Call
  const row = (id: string): Method | undefined => rows.get(`trafficking.${id}`)
  const has = (resource: string, verb: string): boolean => row(`${resource}.${verb}`) !== undefined
  const paramsOf = (method: Method, more: JsonObject): JsonObject => {
    const wanted = [...Object.keys(method.pathParams), ...Object.keys(method.queryParams)]
    return Object.fromEntries(Object.entries({ ...base, ...more }).filter(([name]) => wanted.includes(name)))
  }
  let count = 0
  const keyOf = (method: Method): string => /\{(\w+)\}$/.exec(method.path)?.[1] ?? 'id'

  /** Existing IDs by the field that refers to them. */
  const known: Record<string, string> = { ...world.ids }
  const parents: Record<string, string> = {
    directorySiteId: 'directorySites',
    userRoleId: 'userRoles',
    creativeFieldId: 'creativeFields',
    trackingConfigurationId: 'trackingConfigurations',
    trackingActivityGroupId: 'trackingActivityGroups',
    trackingActivityId: 'trackingActivities',
    projectId: 'projects',
    orderId: 'orders',
    creativeId: 'creatives',
    placementId: 'placements',
    remarketingListId: 'remarketingLists',
    parentUserRoleId: 'userRoles',
  }
  async function findKnownIds(): Promise<Record<string, string>> {
    for (const [name, resource] of Object.entries(parents)) {
      const { pathParams } = row(`${resource}.list`)!
      if (known[name] !== undefined || Object.keys(pathParams).some((param) => known[param] === undefined)) continue
      const [first] = await listed(resource)
      if (first?.id !== undefined) known[name] = String(first.id)
    }
    return known
  }

  async function listed(resource: string, more: JsonObject = {}): Promise<JsonObject[]> {
    const method = row(`${resource}.list`)!
    const needed = [...Object.keys(method.pathParams), ...(narrowedBy[resource] ?? [])]
    for (const [name, parameter] of Object.entries(method.queryParams)) if (parameter.required) needed.push(name)
    const own = Object.fromEntries(Object.entries(known).filter(([name]) => needed.includes(name)))
    const { body } = await ask(method.id)(paramsOf(method, { ...own, ...more }))
    return (body[method.items!] ?? []) as JsonObject[]
  }

  async function made(resource: string): Promise<JsonObject> {
    const method = row(`${resource}.insert`)!
    await findKnownIds()
    const body = {
      ...validBody(table, method.request!, known, { now: world.now(), operation: method.id }),
      ...extraValues[resource]?.(++count),
    }
    return (await ask(method.id)(paramsOf(method, known), { body })).body
  }

  /** A new object if possible, or an existing one. */
  async function existing(resource: string): Promise<JsonObject> {
    if (has(resource, 'insert')) return made(resource)
    await findKnownIds()
    const [first] = await listed(resource)
    expect(first, `${resource} has something to get`).toBeDefined()
    return first!
  }

  async function got(resource: string, object: JsonObject): Promise<JsonObject> {
    const method = row(`${resource}.get`)
    if (!method) {
      const found = (await listed(resource)).find((one) => one.id === object.id)
      expect(found, `${resource} lists what was made`).toBeDefined()
      return found!
    }
    const key = keyOf(method)
    return (await ask(method.id)(paramsOf(method, { ...known, [key]: object[key] ?? object.id }))).body
  }

  const changeOf = (resource: string, object: JsonObject): JsonObject =>
    changes[resource]?.(object) ?? {
      name: `${String(object.name).slice(0, 40)} x`.replaceAll(' ', resource === 'accountUserProfiles' ? '.' : ' '),
    }

  const byVerb: Record<string, (resource: string) => Promise<unknown>> = {
    get: async (resource) => {
      const object = await existing(resource)
      const key = keyOf(row(`${resource}.get`)!)
      expect((await got(resource, object))[key]).toBe(object[key])
    },
    list: async (resource) => {
      const object = await existing(resource)
      const ids = row(`${resource}.list`)!.queryParams.ids ? { ids: [object.id] } : {}
      const rowsFound = await listed(resource, ids as JsonObject)
      expect(rowsFound.map(({ id, legacyId, code }) => id ?? legacyId ?? code)).toContain(
        object.id ?? object.legacyId ?? object.code,
      )
      if ('ids' in ids) expect(rowsFound).toHaveLength(1)
    },
    insert: async (resource) => {
      const object = await made(resource)
      expect(object.id).toMatch(/^\d+$/)
      expect((await got(resource, object)).name).toBe(object.name)
    },
    patch: async (resource) => {
      const object = await existing(resource)
      const method = row(`${resource}.patch`)!
      const change = changeOf(resource, object)
      await ask(method.id)(paramsOf(method, { ...known, id: object.id }), { body: change })
      const after = await got(resource, object)
      expect(after).toMatchObject(change)
      const kept = Object.keys(object).filter(
        (name) => !(name in change) && !/lastModified|etag|version|DimensionValue/i.test(name),
      )
      for (const name of kept) expect(after[name], `${resource}.${name} is as before`).toEqual(object[name])
    },
    update: async (resource) => {
      const object = await existing(resource)
      const method = row(`${resource}.update`)!
      const change = changeOf(resource, object)
      await ask(method.id)(paramsOf(method, known), { body: { ...object, ...change } })
      expect(await got(resource, object)).toMatchObject(change)
    },
    delete: async (resource) => {
      const object = await made(resource)
      const method = row(`${resource}.delete`)!
      await ask(method.id)(paramsOf(method, { ...known, [keyOf(method)]: object.id }))
      expect(await world.gone(got(resource, object))).toBe(true)
    },
  }

  const special = specialCases(world, { made, got, findKnownIds, known })
  const cases: Partial<Record<OperationId, () => Promise<unknown>>> = {}
  for (const { id } of table.methods) {
    const [, ...names] = id.split('.')
    const verb = names.pop()!
    const own = special[id as OperationId]
    const rule = byVerb[verb]
    if (own) cases[id as OperationId] = own
    else if (rule) cases[id as OperationId] = () => rule(names.join('.'))
  }
  return cases
}

interface Ways {
  made: (resource: string) => Promise<JsonObject>
  got: (resource: string, object: JsonObject) => Promise<JsonObject>
  findKnownIds: () => Promise<Record<string, string>>
  known: Record<string, string>
}

function specialCases(
  world: World,
  { made, findKnownIds, known }: Ways,
): Partial<Record<OperationId, () => Promise<unknown>>> {
  const { call, caller } = world
  const { profileId, advertiserId, campaignId, accountId } = world.ids as Record<
    'profileId' | 'advertiserId' | 'campaignId' | 'accountId',
    string
  >
  const profile = { profileId }

  const report = async (): Promise<Report & { id: string }> => {
    const body: Report = {
      name: world.unique(),
      type: 'STANDARD',
      format: 'CSV',
      criteria: {
        dateRange: { relativeDateRange: 'LAST_30_DAYS' },
        dimensions: [{ name: 'trafficking:campaign' }],
        metricNames: ['trafficking:impressions', 'trafficking:clicks'],
      },
    }
    return (await call('trafficking.reports.insert', profile, { body })).body as never
  }
  const finished = async (reportId: string, fileId: string): Promise<File> => {
    for (let tries = 0; tries < 1200; tries++) {
      const { body } = await caller.call('trafficking.reports.files.get', { ...profile, reportId, fileId })
      if (body.status !== 'PROCESSING') return body
      await new Promise((done) => setTimeout(done, 25))
    }
    throw new Error('The report did not end')
  }
  const run = async (): Promise<{ reportId: string; fileId: string }> => {
    const { id } = await report()
    const { body } = await call('trafficking.reports.run', { ...profile, reportId: id })
    expect(body).toMatchObject({ reportId: id, status: 'PROCESSING' })
    expect((await finished(id, body.id!)).status).toBe('REPORT_AVAILABLE')
    return { reportId: id, fileId: body.id! }
  }
  const readFile = async (id: 'trafficking.files.get' | 'trafficking.reports.files.get'): Promise<void> => {
    const at = await run()
    // One of them is outside the profiles.
    const params = (id === 'trafficking.files.get' ? at : { ...profile, ...at }) as Operations[typeof id]['params']
    const { body } = await call(id, params)
    expect(body).toMatchObject({ id: at.fileId, reportId: at.reportId, status: 'REPORT_AVAILABLE' })
    const file = await caller.download(id, params)
    expect(file.contentType).toContain('text/csv')
    expect(file.bytes.toString()).toContain('Grand Total:')
  }
  const activity = async (): Promise<string> => String((await made('trackingActivities')).id)
  const conversion = async (): Promise<
    NonNullable<Operations['trafficking.conversions.batchinsert']['request']['conversions']>[number]
  > => ({
    trackingActivityId: await activity(),
    trackingConfigurationId: known.trackingConfigurationId,
    gclid: `click-${world.unique()}`,
    ordinal: world.unique(),
    timestampMicros: `${world.now() - 3_600_000}000`,
    quantity: '1',
    value: 12.5,
  })
  const sharesOf = async (): Promise<string> => String((await made('remarketingLists')).id)
  const otherAdvertiser = async (): Promise<string> => String((await made('advertisers')).id)
  const targetingKey = async (): Promise<{ name: string; objectId: string; objectType: 'OBJECT_ADVERTISER' }> => {
    const body = { name: world.unique(), objectId: advertiserId, objectType: 'OBJECT_ADVERTISER' } as const
    await caller.call('trafficking.dynamicTargetingKeys.insert', profile, { body })
    return body
  }

  return {
    'trafficking.accountActiveAdSummaries.get': async () => {
      const { body } = await call('trafficking.accountActiveAdSummaries.get', {
        ...profile,
        summaryAccountId: accountId,
      })
      expect(body).toMatchObject({ accountId, activeAds: expect.stringMatching(/^\d+$/) as string })
    },
    'trafficking.userProfiles.get': async () =>
      expect((await call('trafficking.userProfiles.get', profile)).body.profileId).toBe(profileId),
    'trafficking.userProfiles.list': async () =>
      expect((await call('trafficking.userProfiles.list', {})).body.items!.map((one) => one.profileId)).toContain(
        profileId,
      ),
    'trafficking.campaignCreativeAssociations.insert': async () => {
      const creativeId = String((await made('creatives')).id)
      const body = { creativeId }
      await call('trafficking.campaignCreativeAssociations.insert', { ...profile, campaignId }, { body })
      const list = await caller.call('trafficking.campaignCreativeAssociations.list', { ...profile, campaignId })
      expect(list.body.campaignCreativeAssociations!.map((one) => one.creativeId)).toContain(creativeId)
    },
    'trafficking.campaignCreativeAssociations.list': async () => {
      const creativeId = String((await made('creatives')).id)
      await caller.call(
        'trafficking.campaignCreativeAssociations.insert',
        { ...profile, campaignId },
        { body: { creativeId } },
      )
      const { body } = await call('trafficking.campaignCreativeAssociations.list', { ...profile, campaignId })
      expect(body.campaignCreativeAssociations!.map((one) => one.creativeId)).toContain(creativeId)
    },
    'trafficking.changeLogs.get': async () => {
      const objectIds = [String((await made('campaigns')).id)]
      const [log] = (await caller.call('trafficking.changeLogs.list', { ...profile, objectIds })).body.changeLogs!
      expect((await call('trafficking.changeLogs.get', { ...profile, id: log!.id! })).body).toEqual(log)
    },
    'trafficking.changeLogs.list': async () => {
      const id = String((await made('campaigns')).id)
      await caller.call('trafficking.campaigns.patch', { ...profile, id }, { body: { comment: 'Moved to spring' } })
      const { body } = await call('trafficking.changeLogs.list', {
        ...profile,
        objectIds: [id],
        action: 'ACTION_UPDATE',
      })
      expect(body.changeLogs).toContainEqual(expect.objectContaining({ objectId: id, newValue: 'Moved to spring' }))
    },
    'trafficking.conversions.batchinsert': async () => {
      const good = await conversion()
      const body = { conversions: [good, { ...good, ordinal: world.unique(), trackingActivityId: '999999999' }] }
      const answer = (await call('trafficking.conversions.batchinsert', profile, { body })).body
      expect(answer.hasFailures).toBe(true)
      expect(answer.status!.map(({ errors }) => errors?.length ?? 0)).toEqual([0, 1])
    },
    'trafficking.conversions.batchupdate': async () => {
      const good = await conversion()
      await caller.call('trafficking.conversions.batchinsert', profile, { body: { conversions: [good] } })
      const unknown = { ...good, gclid: 'click-never-seen' }
      const body = { conversions: [{ ...good, value: 20 }, unknown] }
      const answer = (await call('trafficking.conversions.batchupdate', profile, { body })).body
      expect(answer.status!.map(({ errors }) => errors?.[0]?.code)).toEqual([undefined, 'NOT_FOUND'])
    },
    'trafficking.customEvents.batchinsert': async () => {
      const event = {
        eventType: 'INSERT' as const,
        ordinal: world.unique(),
        timestampMicros: `${world.now() - 3_600_000}000`,
        trackingConfigurationId: (await findKnownIds()).trackingConfigurationId,
        insertEvent: {
          matchId: world.unique(),
          cmDimensions: { campaignId, adId: '1', creativeId: '1', placementId: '1', siteId: '1' },
        },
      }
      const answer = await call('trafficking.customEvents.batchinsert', profile, {
        body: { customEvents: [event] },
      })
      expect(answer.body.status).toHaveLength(1)
    },
    'trafficking.creativeAssets.insert': async () => {
      const name = `${world.unique()}.png`
      const body = { assetIdentifier: { name, type: 'IMAGE' } } as const
      const file = { contentType: 'image/png', bytes: onePixel }
      const params = { ...profile, advertiserId }
      const answer = (await call('trafficking.creativeAssets.insert', params, { body, file })).body
      expect(answer.assetIdentifier).toMatchObject({ type: 'IMAGE', name })
      const again = (await call('trafficking.creativeAssets.insert', params, { body, file })).body
      expect(again.assetIdentifier!.name).not.toBe(name)
    },
    'trafficking.dimensionValues.query': async () => {
      const dateIn = (days: number): string => new Date(world.now() + days * 86_400_000).toISOString().slice(0, 10)
      const body = { dimensionName: 'trafficking:campaign', startDate: dateIn(-180), endDate: dateIn(180) }
      const { items } = (await call('trafficking.dimensionValues.query', profile, { body })).body
      expect(items!.map(({ id }) => id)).toContain(campaignId)
    },
    'trafficking.dynamicTargetingKeys.insert': async () => {
      const body = {
        name: world.unique().toUpperCase(),
        objectId: advertiserId,
        objectType: 'OBJECT_ADVERTISER',
      } as const
      const answer = (await call('trafficking.dynamicTargetingKeys.insert', profile, { body })).body
      expect(answer.name).toBe(body.name.toLowerCase())
    },
    'trafficking.dynamicTargetingKeys.list': async () => {
      const { name } = await targetingKey()
      const params = { ...profile, objectId: advertiserId, objectType: 'OBJECT_ADVERTISER' } as const
      const { body } = await call('trafficking.dynamicTargetingKeys.list', params)
      expect(body.dynamicTargetingKeys!.map((key) => key.name)).toContain(name)
    },
    'trafficking.dynamicTargetingKeys.delete': async () => {
      const { name, objectId, objectType } = await targetingKey()
      await call('trafficking.dynamicTargetingKeys.delete', { ...profile, objectId, name, objectType })
      const { body } = await caller.call('trafficking.dynamicTargetingKeys.list', { ...profile, names: [name] })
      expect(body.dynamicTargetingKeys ?? []).toEqual([])
    },
    'trafficking.trackingActivities.generatetag': async () => {
      const trackingActivityId = await activity()
      const { body } = await call('trafficking.trackingActivities.generatetag', { ...profile, trackingActivityId })
      expect(JSON.stringify(body).length).toBeGreaterThan(100)
    },
    'trafficking.placements.generatetags': async () => {
      const id = String((await made('placements')).id)
      const params = { ...profile, campaignId, placementIds: [id], tagFormats: ['PLACEMENT_TAG_STANDARD'] } as const
      const { body } = await call('trafficking.placements.generatetags', params)
      expect(body.placementTags).toMatchObject([{ placementId: id, tagDatas: [{ format: 'PLACEMENT_TAG_STANDARD' }] }])
    },
    'trafficking.remarketingListShares.get': async () => {
      const remarketingListId = await sharesOf()
      const { body } = await call('trafficking.remarketingListShares.get', { ...profile, remarketingListId })
      expect(body.remarketingListId).toBe(remarketingListId)
    },
    'trafficking.remarketingListShares.patch': async () => {
      const [id, shared] = [await sharesOf(), await otherAdvertiser()]
      const body = { sharedAdvertiserIds: [shared] }
      await call('trafficking.remarketingListShares.patch', { ...profile, id }, { body })
      const after = await caller.call('trafficking.remarketingListShares.get', { ...profile, remarketingListId: id })
      expect(after.body.sharedAdvertiserIds).toEqual([shared])
    },
    'trafficking.remarketingListShares.update': async () => {
      const [remarketingListId, shared] = [await sharesOf(), await otherAdvertiser()]
      const body = { remarketingListId, sharedAdvertiserIds: [shared] }
      await call('trafficking.remarketingListShares.update', profile, { body })
      const after = await caller.call('trafficking.remarketingListShares.get', { ...profile, remarketingListId })
      expect(after.body.sharedAdvertiserIds).toEqual([shared])
    },
    'trafficking.targetableRemarketingLists.get': async () => {
      const id = await sharesOf()
      expect((await call('trafficking.targetableRemarketingLists.get', { ...profile, id })).body.id).toBe(id)
    },
    'trafficking.targetableRemarketingLists.list': async () => {
      const id = await sharesOf()
      const { body } = await call('trafficking.targetableRemarketingLists.list', { ...profile, advertiserId })
      expect(body.targetableRemarketingLists!.map((list) => list.id)).toContain(id)
    },
    'trafficking.reports.insert': async () => {
      const { id, name } = await report()
      expect((await caller.call('trafficking.reports.get', { ...profile, reportId: id })).body.name).toBe(name)
    },
    'trafficking.reports.get': async () => {
      const { id } = await report()
      expect((await call('trafficking.reports.get', { ...profile, reportId: id })).body.id).toBe(id)
    },
    'trafficking.reports.list': async () => {
      const { id } = await report()
      const { body } = await call('trafficking.reports.list', { ...profile, scope: 'MINE' })
      expect(body.items!.map((item) => item.id)).toContain(id)
    },
    'trafficking.reports.patch': async () => {
      const { id } = await report()
      await call('trafficking.reports.patch', { ...profile, reportId: id }, { body: { name: 'Renamed' } })
      const { body } = await caller.call('trafficking.reports.get', { ...profile, reportId: id })
      expect([body.name, body.criteria?.metricNames?.length]).toEqual(['Renamed', 2])
    },
    'trafficking.reports.update': async () => {
      const whole = await report()
      const body = { ...whole, name: 'Whole' }
      await call('trafficking.reports.update', { ...profile, reportId: whole.id }, { body })
      expect((await caller.call('trafficking.reports.get', { ...profile, reportId: whole.id })).body.name).toBe('Whole')
    },
    'trafficking.reports.delete': async () => {
      const { id } = await report()
      await call('trafficking.reports.delete', { ...profile, reportId: id })
      expect(await world.gone(caller.call('trafficking.reports.get', { ...profile, reportId: id }))).toBe(true)
    },
    'trafficking.reports.run': run,
    'trafficking.reports.compatibleFields.query': async () => {
      const body: Report = { name: 'x', type: 'STANDARD', criteria: { dimensions: [{ name: 'trafficking:campaign' }] } }
      const answer = (await call('trafficking.reports.compatibleFields.query', profile, { body })).body
      expect(answer.reportCompatibleFields!.metrics!.map(({ name }) => name)).toContain('trafficking:impressions')
    },
    'trafficking.files.get': () => readFile('trafficking.files.get'),
    'trafficking.reports.files.get': () => readFile('trafficking.reports.files.get'),
    'trafficking.files.list': async () => {
      const { fileId } = await run()
      expect((await call('trafficking.files.list', profile)).body.items!.map(({ id }) => id)).toContain(fileId)
    },
    'trafficking.reports.files.list': async () => {
      const { reportId, fileId } = await run()
      const { body } = await call('trafficking.reports.files.list', { ...profile, reportId })
      expect(body.items!.map(({ id }) => id)).toEqual([fileId])
    },
  }
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
