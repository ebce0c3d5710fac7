import { describe, expect, it } from 'vitest'
import { FaultError, faultOf } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { operation, type OperationId } from '#shared/wire/services'
import type { Client } from '../../../src-main/services/client'
import { pathAndQuery } from '../../../src-main/services/address'
import { pull, type PullRequest } from '../../../src-main/sync/pull'
import { readMany } from '../../../src-main/sync/read'

const noon = Date.parse('2026-06-10T12:00:00Z')

/** A service that returns these responses in sequence. */
const clientOf = (...answers: { body: JsonObject; date?: number; unreadable?: { path: string }[] }[]): Client =>
  ({ versions: {}, call: () => Promise.resolve({ status: 200, ...answers.shift() }) }) as unknown as Client

const tasks = { collection: 'tasks', parent: 'list', cursor: null } as const
const page = (id: string, nextPageToken?: string): JsonObject => ({
  kind: 'tasks#tasks',
  items: [{ id, title: id }],
  ...(nextPageToken && { nextPageToken }),
})

describe('the next sync time', () => {
  it('is that of the first page, so no change during paging is missed', async () => {
    const client = clientOf({ body: page('a', 'more'), date: noon }, { body: page('b'), date: noon + 600_000 })
    const first = await pull(client, { ...tasks, page: null })
    expect(first.cursor).toBeUndefined()
    const last = await pull(client, { ...tasks, page: first.nextPage! })
    expect(Date.parse(last.cursor!.value)).toBeLessThanOrEqual(noon)
  })

  it("is a second earlier, since the service's clock has whole seconds", async () => {
    const { cursor } = await pull(clientOf({ body: page('a'), date: noon }), { ...tasks, page: null })
    expect(Date.parse(cursor!.value)).toBeLessThanOrEqual(noon - 1_000)
  })
})

it('a list that must be current is not read from an older answer', async () => {
  const answers = [noon, noon - 30_000, noon - 3_600_000, noon + 1_000].map((date) => ({ body: page('a'), date }))
  const client = clientOf(...answers)
  const read = (turn?: number): Promise<unknown> =>
    pull(client, { ...tasks, page: null, ...(turn !== undefined && { turn }) }).then(
      () => 'read',
      (error: unknown) => faultOf(error).code,
    )
  expect([await read(), await read(1), await read(2), await read(3)]).toEqual(['read', 'read', 'badAnswer', 'read'])
})

it('a slow answer is not taken for an older one, nor that of a service whose clock is behind', async () => {
  let answerSlow: (answer: object) => void = () => undefined
  const slow = new Promise<object>((done) => (answerSlow = done))
  const answers = [slow, { body: page('a'), date: noon + 90_000 }, { body: page('a'), date: noon - 3_600_000 }]
  const client = {
    versions: {},
    call: async () => ({ status: 200, ...(await answers.shift()!) }),
  } as unknown as Client
  const first = pull(client, { ...tasks, page: null, turn: 1 })
  await pull(client, { ...tasks, page: null, turn: 2 })
  answerSlow({ body: page('a'), date: noon })
  expect((await first).records).toHaveLength(1)
  const events = { collection: 'events', parent: 'me', cursor: null } as const
  expect((await pull(client, { ...events, page: null, turn: 3 })).records).toHaveLength(1)
})

describe('a list that is gone', () => {
  const gone = {
    versions: {},
    call: () => Promise.reject(new FaultError({ code: 'gone', message: 'Gone', status: 410, reason: 'expired' })),
  } as unknown as Client
  const codeOf = (request: Pick<PullRequest, 'cursor' | 'page'>): Promise<unknown> =>
    pull(gone, { collection: 'events', parent: 'one', ...request }).catch((error: unknown) => faultOf(error).code)

  it('starts over without its token, and is gone without one', async () => {
    expect(await codeOf({ cursor: { kind: 'syncToken', value: '7' }, page: null })).toBe('cursorExpired')
    expect(await codeOf({ cursor: null, page: '{"token":"7"}' })).toBe('cursorExpired')
    expect(await codeOf({ cursor: null, page: null })).toBe('gone')
  })
})

describe('records requested by ID', () => {
  const profile = '1'
  const listed = (...ids: string[]): JsonObject => ({ kind: 'list', placements: ids.map((id) => ({ id, name: id })) })

  it('are gone if the response omits them', async () => {
    const { records } = await readMany(clientOf({ body: listed('1') }), 'placements', profile, ['1', '2'])
    expect(records.map(({ id, value }) => [id, value === null])).toEqual([
      ['1', false],
      ['2', true],
    ])
  })

  it("aren't gone if a returned one is unreadable, since it may be them", async () => {
    const client = clientOf({ body: listed('1'), unreadable: [{ path: 'name' }] })
    await expect(readMany(client, 'placements', profile, ['1', '2'])).rejects.toMatchObject({
      fault: { code: 'badAnswer' },
    })
  })
})

describe('uncached lists', () => {
  it.each(['tasks', 'events'] as const)('request %s with a new URL each time', async (collection) => {
    const addresses: string[] = []
    const call = (id: OperationId, params: JsonObject): Promise<unknown> => {
      addresses.push(pathAndQuery(operation(id).method, params).path)
      return Promise.resolve({ status: 200, date: noon, body: { kind: 'list', items: [] } })
    }
    const client = { versions: {}, call } as unknown as Client
    for (const turn of [0, 1, 2, 3, 4, 5, 6, 7, 8])
      await pull(client, { collection, parent: 'one', cursor: { kind: 'syncToken', value: '7' }, page: null, turn })
    expect(new Set(addresses).size).toBe(9)
    const bound = addresses.map((address) => /maxResults=\d+/.exec(address)?.[0])
    if (collection === 'events') expect(new Set(bound).size).toBe(1)
  })
})
