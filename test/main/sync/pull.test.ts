import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { operation, type OperationId } from '#shared/wire/services'
import type { Client } from '../../../src-main/services/client'
import { pathAndQuery } from '../../../src-main/services/address'
import { pull } from '../../../src-main/sync/pull'
import { readMany } from '../../../src-main/sync/read'

const noon = Date.parse('2026-06-10T12:00:00Z')

/** A service that gives these answers one after the other. */
const clientOf = (...answers: { body: JsonObject; date?: number; unreadable?: { path: string }[] }[]): Client =>
  ({ versions: {}, call: () => Promise.resolve({ status: 200, ...answers.shift() }) }) as unknown as Client

const tasks = { collection: 'tasks', parent: 'list', cursor: null } as const
const page = (id: string, nextPageToken?: string): JsonObject => ({
  kind: 'tasks#tasks',
  items: [{ id, title: id }],
  ...(nextPageToken && { nextPageToken }),
})

describe('the place where the next look begins', () => {
  it('is the moment of the first page: what changes while pages come is not missed', async () => {
    const client = clientOf({ body: page('a', 'more'), date: noon }, { body: page('b'), date: noon + 600_000 })
    const first = await pull(client, { ...tasks, page: null })
    expect(first.cursor).toBeUndefined()
    const last = await pull(client, { ...tasks, page: first.nextPage! })
    expect(Date.parse(last.cursor!.value)).toBeLessThanOrEqual(noon)
  })

  it('lies before the second of that moment, as the clock of a service has whole seconds', async () => {
    const { cursor } = await pull(clientOf({ body: page('a'), date: noon }), { ...tasks, page: null })
    expect(Date.parse(cursor!.value)).toBeLessThanOrEqual(noon - 1_000)
  })
})

describe('records that are asked for by their IDs', () => {
  const profile = '1'
  const listed = (...ids: string[]): JsonObject => ({ kind: 'list', placements: ids.map((id) => ({ id, name: id })) })

  it('are gone where the service does not name them', async () => {
    const { records } = await readMany(clientOf({ body: listed('1') }), 'placements', profile, ['1', '2'])
    expect(records.map(({ id, value }) => [id, value === null])).toEqual([
      ['1', false],
      ['2', true],
    ])
  })

  it('are not gone where one of the answer cannot be read: it may be among them', async () => {
    const client = clientOf({ body: listed('1'), unreadable: [{ path: 'name' }] })
    await expect(readMany(client, 'placements', profile, ['1', '2'])).rejects.toMatchObject({
      fault: { code: 'badAnswer' },
    })
  })
})

describe('lists that must not come from a cache', () => {
  it.each(['tasks', 'events'] as const)('%s are asked for in other words each time', async (collection) => {
    const addresses: string[] = []
    const call = (id: OperationId, params: JsonObject): Promise<unknown> => {
      addresses.push(pathAndQuery(operation(id).method, params).path)
      return Promise.resolve({ status: 200, date: noon, body: { kind: 'list', items: [] } })
    }
    const client = { versions: {}, call } as unknown as Client
    for (const turn of [0, 1, 2, 3])
      await pull(client, { collection, parent: 'one', cursor: { kind: 'syncToken', value: '7' }, page: null, turn })
    expect(new Set(addresses).size).toBe(4)
    const bound = addresses.map((address) => /maxResults=\d+/.exec(address)?.[0])
    if (collection === 'events') expect(new Set(bound).size).toBe(1)
  })
})
