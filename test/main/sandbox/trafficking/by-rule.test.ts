import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { tableOf, versionsOf } from '#shared/wire/services'
import type { Method, ServiceTable } from '#shared/wire/table'
import { schemaOf, validate } from '#shared/wire/validate'
import { startSandbox, type Sandbox } from '../../../../src-main/sandbox/start'
import { validBody } from '../../../helpers/valid-body'
import { clientOf, clock, query, type Client, type Reply } from '../client'

/** Collections with rule-based inserts, parents first so that later ones can refer to them. */
const order = [
  'advertiserGroups',
  'advertisers',
  'directorySites',
  'sites',
  'contentCategories',
  'placementStrategies',
  'subaccounts',
  'userRoles',
  'accountUserProfiles',
  'advertiserLandingPages',
  'creativeFields',
  'creativeFieldValues',
  'creativeGroups',
  'campaigns',
  'eventTags',
  'trackingActivityGroups',
  'trackingActivities',
  'remarketingLists',
  'targetingTemplates',
  'placementGroups',
  'placements',
  'creatives',
  'ads',
]

const fieldOf = (collection: string): string =>
  collection === 'advertiserLandingPages'
    ? 'landingPageId'
    : `${collection.endsWith('ies') ? `${collection.slice(0, -3)}y` : collection.slice(0, -1)}Id`

describe.each(versionsOf('trafficking'))('every collection of %s by rule', (version) => {
  const table: ServiceTable = tableOf('trafficking', version)
  const ids: Record<string, string> = {}
  let sandbox: Sandbox
  let client: Client
  beforeAll(async () => {
    sandbox = await startSandbox({ now: clock.now, seed: 'empty' })
    client = clientOf(sandbox)
    Object.assign(ids, sandbox.ids)
    const roles = await client.get(`/trafficking/${version}/userprofiles/${ids.profileId}/userRoles`)
    ids.parentUserRoleId = roles.body.userRoles[0].id
    const configurations = await client.get(
      `/trafficking/${version}/userprofiles/${ids.profileId}/trackingConfigurations`,
    )
    ids.trackingConfigurationId = configurations.body.trackingConfigurations[0].id
  })
  afterAll(() => sandbox.stop())

  const methodOf = (collection: string, verb: string): Method | undefined =>
    table.methods.find((method) => method.id === `trafficking.${collection}.${verb}`)
  const call = (method: Method, params: Record<string, string> = {}, body?: JsonObject): Promise<Reply> => {
    const all: Record<string, string> = { ...ids, ...params }
    const path = method.path.replace(/\{(\w+)\}/g, (_place, name: string) => all[name]!)
    const given = Object.entries(params).filter(([name]) => method.queryParams[name])
    return client.call(method.httpMethod, path + (given.length ? query(Object.fromEntries(given)) : ''), body)
  }
  const held = (reply: Reply, method: Method): JsonObject => {
    expect(reply.status, `${method.id}: ${JSON.stringify(reply.body)}`).toBe(200)
    expect(validate(table, method.response!, reply.body, { operation: method.id, kind: 'response' })).toEqual([])
    return reply.body as JsonObject
  }

  it.each(order)('%s: insert, get, list, patch, update, delete', async (collection) => {
    const insert = methodOf(collection, 'insert')!
    const get = methodOf(collection, 'get')!
    const list = methodOf(collection, 'list')!
    const body = validBody(table, insert.request!, ids, { now: clock.now(), whole: true, operation: insert.id })
    const made = held(await call(insert, {}, body), insert)
    expect(made).toMatchObject({
      id: expect.stringMatching(/^\d+$/) as string,
      kind: schemaOf(table, insert.request!).fields.kind!.const,
    })
    for (const [name, value] of Object.entries(body)) {
      if (schemaOf(table, insert.request!).fields[name]?.writeOnly) continue
      if (typeof value !== 'object') expect(made[name], `${collection}.${name}`).toEqual(value)
      else expect(made[name], `${collection}.${name}`).toBeDefined()
    }
    const id = String(made.id)
    ids[fieldOf(collection)] =
      collection === 'advertisers' || collection === 'campaigns' || collection === 'sites'
        ? ids[fieldOf(collection)]!
        : id
    const read = held(await call(get, { id }), get)
    expect(read).toMatchObject(made)
    const key = body.value === undefined ? 'name' : 'value'
    const listed = held(
      await call(
        list,
        list.queryParams.advertiserId?.required
          ? { advertiserId: ids.advertiserId! }
          : list.queryParams.ids
            ? { ids: id }
            : {},
      ),
      list,
    )
    expect((listed[list.items!] as JsonObject[]).map((row) => row.id)).toContain(id)

    const patch = methodOf(collection, 'patch')
    if (patch) {
      const changed = held(await call(patch, { id }, { [key]: `${String(body[key])}.p` }), patch)
      expect(changed).toMatchObject({ id, [key]: `${String(body[key])}.p` })
      const again = held(await call(get, { id }), get)
      expect({ ...again, [key]: 0, lastModifiedInfo: 0, idDimensionValue: 0, version: 0 }).toEqual({
        ...read,
        [key]: 0,
        lastModifiedInfo: 0,
        idDimensionValue: 0,
        version: 0,
      })
    }
    const update = methodOf(collection, 'update')
    if (update) {
      const bare = validBody(table, update.request!, ids, { now: clock.now(), operation: update.id })
      for (const field of ['type', 'email', 'groupNumber', 'parentUserRoleId', 'size', 'value'])
        if (body[field] !== undefined) bare[field] = body[field]
      const replaced = held(await call(update, {}, { ...bare, id }), update)
      expect(replaced).toMatchObject({ id, [key]: bare[key] })
      expect((await call(update, {}, bare)).status, 'an update without id').toBe(400)
    }
    const remove = methodOf(collection, 'delete')
    if (remove) {
      const other = held(await call(insert, {}, validBody(table, insert.request!, ids, { now: clock.now() })), insert)
      expect((await call(remove, { id: String(other.id) })).status).toBe(204)
      expect((await call(get, { id: String(other.id) })).status).toBe(404)
    }
  })
})
