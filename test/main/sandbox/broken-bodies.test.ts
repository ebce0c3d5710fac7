import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { serviceNames, tableOf, versionsOf } from '#shared/wire/services'
import type { Method, Parameter, ServiceTable } from '#shared/wire/table'
import { validate } from '#shared/wire/validate'
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/start'
import { brokenBodies, kindOf, sample } from '../../cases/broken-bodies'
import { clientOf, type Client } from './client'
import { drawn } from '../../helpers/ring'

const tables = serviceNames.flatMap((service) =>
  drawn(versionsOf(service), 1).map((version) => tableOf(service, version)),
)

let sandbox: Sandbox
let client: Client
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'demo' })
  client = clientOf(sandbox)
})
afterAll(() => sandbox.stop())

/** An operation's address with nonexistent IDs, since the body is checked first. */
function addressOf(method: Method): string {
  const path = method.path.replace(/\{(\w+)\}/g, (_place, name: string) =>
    name === 'calendarId' ? 'primary' : name === 'profileId' ? (sandbox.ids.profileId ?? '1') : '1',
  )
  const required = Object.entries(method.queryParams).filter(([, parameter]) => parameter.required)
  const query = required.map(
    ([name, parameter]) =>
      `${name}=${String(parameter.enum?.[0] ?? (parameter.format === 'email' ? 'a@b.example' : (parameter.min ?? 1)))}`,
  )
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** Batches return 200 with an error per row. */
const isOfRow = (method: Method, rule: string, blamed: readonly string[]): boolean =>
  /\.batch(insert|update)$/.test(method.id) && rule !== 'unknown' && blamed.every((path) => path.includes('[0]'))

describe('the sandbox rejects an invalid body, names the field, and changes nothing', () => {
  it.each(tables.map((table) => [`${table.service} ${table.version}`, table] as const))('%s', async (name, table) => {
    const seen = new Set<string>()
    const before = (await client.get('/sandbox/v1/state')).body
    const wrong: string[] = []
    let tried = 0
    for (const method of table.methods) {
      if (!method.request) continue
      const mode = { operation: method.id, kind: kindOf(method), params: {} }
      const valid = sample(table, { ref: method.request }, mode) as JsonObject
      expect(validate(table, method.request, valid, mode), `${method.id} without a mistake`).toEqual([])
      for (const { schema, rule, blamed, body } of brokenBodies(table, method, valid, seen)) {
        const answer = await client.call(method.httpMethod, addressOf(method), body)
        if (isOfRow(method, rule, blamed)) {
          const [first] = (answer.body.status ?? []) as Array<{ errors?: Array<{ message: string }> }>
          const said = first?.errors?.[0]?.message ?? ''
          if (answer.status !== 200 || !blamed.some((path) => said.includes(path.replace(/^\w+\[0\]\.?/, ''))))
            wrong.push(`${method.id} ${schema} ${rule}: ${answer.status} ${said}, not ${blamed.join(' or ')}`)
          tried++
          continue
        }
        const named = blamed.some((path) => (answer.location ?? '').replace(/^resource\./, '') === path)
        if (answer.status !== 400 || !named)
          wrong.push(`${method.id} ${schema} ${rule}: ${answer.status} ${answer.location}, not ${blamed.join(' or ')}`)
        tried++
      }
    }
    console.info(`${name}: ${tried} rules of writable schemas broken over HTTP, each once`)
    expect(wrong).toEqual([])
    expect((await client.get('/sandbox/v1/state')).body).toEqual(before)
  })
})

/** Values a query parameter rejects. Calendar and tasks cap page sizes instead. */
function* wrongParameters(table: ServiceTable, name: string, parameter: Parameter): Generator<[string, string]> {
  const cuts = name === 'maxResults' && ['calendar', 'tasks'].includes(table.service)
  if (parameter.enum) yield ['enum', 'NO_SUCH_VALUE']
  if (parameter.type === 'boolean') yield ['type', 'perhaps']
  if (parameter.type === 'integer') {
    yield ['type', 'many']
    if (parameter.min !== undefined) yield ['min', String(parameter.min - 1)]
    if (parameter.max !== undefined && !cuts) yield ['max', String(parameter.max + 1)]
  }
  if (parameter.format === 'int64') yield ['format', 'no-number']
  if (parameter.format === 'date-time') yield ['format', 'yesterday']
}

describe('the sandbox rejects and names an invalid parameter', () => {
  it.each(tables.map((table) => [`${table.service} ${table.version}`, table] as const))('%s', async (name, table) => {
    const wrong: string[] = []
    let tried = 0
    const refused = async (method: Method, what: string, parameter: string, address: string): Promise<void> => {
      const answer = await client.call(method.httpMethod, address, method.request ? {} : undefined)
      if (answer.status !== 400 || answer.location !== parameter)
        wrong.push(`${method.id} ${parameter} ${what}: ${answer.status} ${answer.location}`)
      tried++
    }
    for (const method of table.methods) {
      const [path, query] = addressOf(method).split('?')
      const withQuery = (change: (query: URLSearchParams) => void): string => {
        const changed = new URLSearchParams(query)
        change(changed)
        return `${path}?${changed.toString()}`
      }
      for (const [parameter, facts] of Object.entries(method.queryParams)) {
        for (const [rule, value] of wrongParameters(table, parameter, facts))
          await refused(
            method,
            rule,
            parameter,
            withQuery((given) => given.set(parameter, value)),
          )
        if (facts.required)
          await refused(
            method,
            'required',
            parameter,
            withQuery((given) => given.delete(parameter)),
          )
      }
      if (table.service !== 'calendar')
        await refused(
          method,
          'unknown',
          'noSuchParameter',
          withQuery((given) => given.set('noSuchParameter', '1')),
        )
    }
    console.info(`${name}: ${tried} rules of parameters broken over HTTP`)
    expect(wrong).toEqual([])
  })
})
