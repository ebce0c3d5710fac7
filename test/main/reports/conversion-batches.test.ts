import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { headsOf } from '#shared/search-ads/batch-columns'
import type { BatchHead, BatchKind } from '#shared/search-ads/batch-questions'
import type { Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import { recordsOf } from '../../../src-main/reports/batch-text'
import { ConversionBatches } from '../../../src-main/reports/conversion-batches'
import { maxPerRequest } from '../../../src-main/reports/conversion-requests'
import { Library } from '../../../src-main/reports/library'
import { ConversionUploads } from '../../../src-main/reports/conversion-uploads'
import { SearchFiles } from '../../../src-main/reports/search-files'
import { readRows } from '../../../src-renderer/views/reports/search-ads/batch-rows'
import { serviceForFile } from '../../helpers/for-file'
import { clockFromMoment } from '../../helpers/moment'

// Conversion rows, parsed by the window's rules and sent to the real service with simulated errors.

const clock = clockFromMoment()
const accountId = 'sandbox'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let folder: string
let library: Library
let batches: ConversionBatches
let files: SearchFiles
let desk: ConversionUploads
let online = true
let place: Sending['body']
let activityId: string
let turn = 0

beforeAll(async () => {
  const { agencyId, advertiserId, engineAccountId, profileId } = service.sandbox.ids as Record<string, string>
  const { body } = await service.client.call('trafficking.trackingActivities.list', {
    profileId: profileId!,
    advertiserId: advertiserId!,
  })
  activityId = body.trackingActivities![0]!.id!
  place = { agencyId: agencyId!, advertiserId: advertiserId!, engineAccountId: engineAccountId! }
})
beforeEach(async () => {
  online = true
  turn++
  folder = await mkdtemp(join(tmpdir(), 'batches-'))
  library = new Library(folder)
  batches = new ConversionBatches(library, clock.now)
  files = new SearchFiles(library, clock.now)
  desk = newDesk()
})
afterEach(async () => {
  desk.close()
  await service.order('DELETE', '/trouble')
  await rm(folder, { recursive: true })
})

const newDesk = (client = (): typeof service.client => service.client): ConversionUploads =>
  new ConversionUploads({
    ...{ library, batches, now: clock.now },
    shownOf: (account, bodies) => files.shownOf(account, bodies),
    clientOf: () => (online ? client() : undefined),
    changed: () => undefined,
  })
const insertCalls = async (): Promise<number> =>
  (await service.requests()).filter((one) => one.operation === 'search.conversion.insert').length
/** A time some minutes ago, in spreadsheet format. */
const ago = (minutes: number): string =>
  new Date(clock.now() - minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')
const idOf = (name: string): string => `order ${turn} ${name}`

async function read(text: string, kind: BatchKind = 'insert'): Promise<BatchHead> {
  return batches.add(accountId, await recordsOf([Buffer.from(text)]), { name: 'orders', kind, place })
}
/** Queues what the window would: new or rejected rows without errors. */
async function queueGood(batchId: string): Promise<number[]> {
  const batch = await batches.read(accountId, batchId)
  const { columns } = headsOf(batch.head)
  const terms = {
    columns,
    kind: batch.kind,
    place: batch.place,
    activity: batch.activity,
    zone: 'UTC',
    now: clock.now(),
  }
  const good = [...readRows(batch.list, terms)].filter(([, { problems }]) => problems.length === 0)
  await desk.sendRows(accountId, batchId, new Map(good.map(([row, { body }]) => [row, body])))
  return good.map(([row]) => row)
}
async function sendGood(batchId: string): Promise<number[]> {
  const rows = await queueGood(batchId)
  await desk.wake(accountId)
  return rows
}
const states = async (batchId: string): Promise<[number, string][]> =>
  (await batches.read(accountId, batchId)).list.map(({ row, state }) => [row, state])

/** The service's conversions of recent days, by ID. */
async function there(): Promise<Map<string, Conversion[]>> {
  const day = (at: number): number => Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))
  const found = new Map<string, Conversion[]>()
  for (let startRow = 0; ; startRow += 1_000) {
    const { body } = await service.client.call('search.conversion.get', {
      ...(place as Record<'agencyId' | 'advertiserId' | 'engineAccountId', string>),
      startDate: day(clock.now() - 3 * 86_400_000),
      endDate: day(clock.now() + 86_400_000),
      rowCount: 1_000,
      startRow,
    })
    for (const one of body.conversion ?? [])
      found.set(one.conversionId!, [...(found.get(one.conversionId!) ?? []), one])
    if ((body.conversion ?? []).length < 1_000) return found
  }
}

it('sends accepted rows once and keeps rejected ones with their errors', async () => {
  const lines = [
    'Time,Conversion ID,Activity ID,Type,Revenue,Currency,Note',
    `${ago(60)},${idOf('a')},${activityId},Transaction,12.50,EUR,`,
    `${ago(61)},${idOf('b')},1,Action,,,no such activity`,
    `${ago(62)},${idOf('c')},${activityId},Transaction,,,no revenue`,
    `${ago(60)},${idOf('a')},${activityId},Transaction,12.50,EUR,twice`,
    '',
    `${ago(63)},${idOf('d')},${activityId},,"1,5",eur,`,
  ]
  const { id } = await read(lines.join('\r\n'))
  expect(await sendGood(id)).toEqual([2, 3, 7])
  expect(await states(id)).toEqual([
    [2, 'sent'],
    [3, 'refused'],
    [4, 'here'],
    [5, 'here'],
    [7, 'sent'],
  ])
  const batch = await batches.read(accountId, id)
  expect(batch.list[1]).toMatchObject({ words: 'The advertiser has no such activity.', location: 'segmentationId' })
  const [receipt] = await desk.list(accountId)
  expect(receipt).toMatchObject({ state: 'refused', words: '2 accepted, 1 rejected', batch: { rows: 3 } })
  const found = await there()
  expect(found.get(idOf('a'))).toMatchObject([{ revenueMicros: '12500000', currencyCode: 'EUR' }])
  expect(found.get(idOf('d'))).toMatchObject([{ revenueMicros: '1500000', type: 'TRANSACTION' }])
  expect(found.has(idOf('b')) || found.has(idOf('c'))).toBe(false)

  // After fixing, only unsent rows are sent.
  const cells = [...batch.list[1]!.cells]
  cells[2] = activityId
  await batches.changeRow(accountId, id, 3, cells)
  const before = await insertCalls()
  await sendGood(id)
  expect((await insertCalls()) - before).toBe(1)
  expect((await there()).get(idOf('b'))).toHaveLength(1)
  await expect(batches.changeRow(accountId, id, 3, cells)).rejects.toMatchObject({ fault: { code: 'conflict' } })
})

describe('changes of downloaded conversions', () => {
  const names = ['a', 'b', 'c']
  const heads = 'Time,Conversion ID,Click ID,Activity ID,Type,Revenue,Currency'
  let times: string[]
  const lines = (revenue: number): string[] =>
    names.map((name, at) => `${times[at]},${idOf(name)},click ${turn},${activityId},Transaction,${revenue},EUR`)
  const revenues = async (): Promise<unknown[]> => {
    const found = await there()
    return names.map((name) => found.get(idOf(name))![0]!.revenueMicros)
  }
  const sent = async (revenue: number, kind: BatchKind): Promise<string> => {
    const { id } = await read([heads, ...lines(revenue)].join('\n'), kind)
    await sendGood(id)
    return id
  }
  /** Someone else sets the revenue of the second one. */
  const setThere = async (revenueMicros: string): Promise<void> => {
    const { conversionModifiedTimestamp: _at, quantityMillis: _one, ...one } = (await there()).get(idOf('b'))![0]!
    await service.client.call('search.conversion.update', {}, { body: { conversion: [{ ...one, revenueMicros }] } })
  }
  beforeEach(async () => {
    times = names.map((_name, at) => ago(60 + at))
    await sent(5, 'insert')
    const [startDate, endDate] = [-3, 1].map((days) =>
      new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10),
    ) as [string, string]
    const query = { ...(place as Record<string, string>), startDate, endDate }
    await files.conversions(accountId, query, {
      client: service.client,
      on: false,
      signal: new AbortController().signal,
    })
  })

  it('don’t overwrite what someone else changed since, unless they are sent again', async () => {
    online = false
    const id = await sent(6, 'update')
    await setThere('7000000')
    online = true
    await desk.wake(accountId)
    expect((await states(id)).map(([, state]) => state)).toEqual(['sent', 'refused', 'sent'])
    expect(await revenues()).toEqual(['6000000', '7000000', '6000000'])
    const { words } = (await batches.read(accountId, id)).list[1]!
    expect(words).toContain('Revenue was 5 and is now 7 (your change: 6)')
    await sendGood(id)
    expect(await revenues()).toEqual(['6000000', '6000000', '6000000'])
  })

  it('don’t overwrite it after a lost response', async () => {
    await service.fail('search.conversion.update', { drop: 'after' })
    const { id } = await read([heads, ...lines(6)].join('\n'), 'update')
    await queueGood(id)
    await expect.poll(async () => (await batches.read(accountId, id)).list[1]!.words).toContain('connection')
    await setThere('7000000')
    await desk.wake(accountId)
    expect((await states(id)).map(([, state]) => state)).toEqual(['sent', 'refused', 'sent'])
    expect(await revenues()).toEqual(['6000000', '7000000', '6000000'])
  })

  it('follow earlier changes of this computer', async () => {
    await sent(6, 'update')
    await sent(8, 'update')
    expect(await revenues()).toEqual(['8000000', '8000000', '8000000'])
  })

  it('are sent again if the lookup fails', async () => {
    await service.fail('search.conversion.get', { status: 503, count: 2 })
    const id = await sent(6, 'update')
    expect((await states(id)).map(([, state]) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    expect((await batches.read(accountId, id)).list.some(({ unsure }) => unsure)).toBe(false)
    await desk.wake(accountId)
    expect(await revenues()).toEqual(['6000000', '6000000', '6000000'])
  })
})

it('splits many rows into requests, and a lost response duplicates and drops none', async () => {
  const count = maxPerRequest * 2 + 30
  const lines = Array.from({ length: count }, (_, at) => `${ago(100 + at)}\t${activityId}\tAction`)
  const { id } = await read(['Time\tActivity ID\tType', ...lines].join('\n'))
  const before = await insertCalls()
  const earlier = new Set((await there()).keys())
  await service.fail('search.conversion.insert', { drop: 'after' })
  await service.fail('search.conversion.insert', { status: 503 })
  await sendGood(id)
  expect((await desk.list(accountId))[0]).toMatchObject({ state: 'waiting', unsure: true })
  await expect(desk.remove(accountId, (await desk.list(accountId))[0]!.id)).rejects.toThrow(
    'may have been sent already',
  )
  await expect(batches.remove(accountId, id)).rejects.toThrow('Stop sending them first')
  // Restart the app.
  desk.close()
  batches = new ConversionBatches(library, clock.now)
  desk = newDesk()
  await desk.wake(accountId)
  expect(new Set((await states(id)).map(([, state]) => state))).toEqual(new Set(['sent']))
  expect((await insertCalls()) - before).toBe(5)
  const made = [...(await there())].filter(([name]) => !earlier.has(name))
  expect(made).toHaveLength(count)
  expect(made.every(([, all]) => all.length === 1)).toBe(true)
  expect(await desk.list(accountId)).toMatchObject([{ state: 'sent', words: `${count} accepted` }])
})

it.each([
  ['once', 1],
  ['always', Infinity],
] as const)('a response in another order that leaves out parts %s duplicates and drops none', async (_name, times) => {
  const lines = Array.from({ length: 6 }, (_, at) => `${ago(700 + at)}\t${activityId}\tAction`)
  const { id } = await read(['Time\tActivity ID\tType', ...lines].join('\n'))
  const earlier = new Set((await there()).keys())
  let asked = 0
  const lossy = {
    ...service.client,
    call: async (operation: string, params: object, options: object) => {
      const isInsert = operation === 'search.conversion.insert'
      if (isInsert) asked++
      const answer = (await service.client.call(operation as 'search.conversion.insert', params, options)) as {
        body: { conversion?: Conversion[] }
      }
      if (!isInsert || asked > times) return answer
      return { ...answer, body: { ...answer.body, conversion: answer.body.conversion?.reverse().slice(0, 2) } }
    },
  } as unknown as typeof service.client
  desk.close()
  desk = newDesk(() => lossy)
  await sendGood(id)
  const made = [...(await there())].filter(([name]) => !earlier.has(name))
  expect(made).toHaveLength(6)
  expect(made.every(([, all]) => all.length === 1)).toBe(true)
  expect(asked).toBe(2)
  expect(new Set((await states(id)).map(([, state]) => state))).toEqual(new Set(['sent']))
})

it.each([
  ['repeats another', (all: Conversion[]) => [...all, all[0]!]],
  ['repeats one with its ID', (all: Conversion[]) => [...all, all[1]!]],
  ['has fewer', (all: Conversion[]) => all],
] as const)('a conversion that the service drops is sent again, if the response %s', async (_name, answered) => {
  const head = 'Time (UTC),Conversion ID,Activity ID,Revenue,Currency'
  // The last two differ only in their time.
  const names = ['drop 1', 'drop 2', 'drop 2'].map((name) => `${name} ${_name}`)
  const lines = names.map((name, at) => `${ago(800 + at)},${idOf(name)},${activityId},1,EUR`)
  const { id } = await read([head, ...lines].join('\n'))
  let asked = 0
  const lossy = {
    ...service.client,
    call: async (operation: string, params: object, options: { body: { conversion: Conversion[] } }) => {
      if (operation !== 'search.conversion.insert')
        return (service.client.call as (...all: unknown[]) => unknown)(operation, params, options)
      asked++
      const { conversion } = options.body
      const taken = asked === 1 ? conversion.slice(0, -1) : conversion
      const answer = await service.client.call('search.conversion.insert', params, {
        body: { conversion: taken } as never,
      })
      if (asked > 1) return answer
      return { ...answer, body: { ...answer.body, conversion: answered(answer.body.conversion ?? []) } }
    },
  } as unknown as typeof service.client
  desk.close()
  desk = newDesk(() => lossy)
  await sendGood(id)
  expect(asked).toBe(2)
  expect((await states(id)).map(([, state]) => state)).toEqual(['sent', 'sent', 'sent'])
  const made = await there()
  expect([made.get(idOf(names[0]!)), made.get(idOf(names[1]!))].map((all) => all?.length)).toEqual([1, 2])
})

it('takes conversions as confirmed whose IDs the service writes in its own way', async () => {
  const lines = Array.from({ length: 3 }, (_, at) => `${ago(900 + at)},${activityId}`)
  const { id } = await read(['Time,Activity ID', ...lines].join('\n'))
  let asked = 0
  const own = {
    ...service.client,
    call: async (operation: string, params: object, options: object) => {
      const answer = (await service.client.call(operation as 'search.conversion.insert', params, options)) as {
        body: { conversion?: Conversion[] }
      }
      if (operation !== 'search.conversion.insert') return answer
      asked++
      const [first, ...others] = answer.body.conversion ?? []
      const { conversionId: _id, ...nameless } = first!
      const conversion = [nameless, ...others.map((one) => ({ ...one, conversionId: one.conversionId?.toUpperCase() }))]
      return { ...answer, body: { ...answer.body, conversion } }
    },
  } as unknown as typeof service.client
  desk.close()
  desk = newDesk(() => own)
  await sendGood(id)
  expect(asked).toBe(1)
  expect(new Set((await states(id)).map(([, state]) => state))).toEqual(new Set(['sent']))
})

it('after a lost response, finds conversions by custom ID without confusing them with others', async () => {
  const head = 'Time (UTC),Conversion ID,Activity ID,Revenue,Currency'
  const line = (name: string, revenue: string): string => `${ago(200)},${idOf(name)},${activityId},${revenue},EUR`
  const first = await read([head, line('theirs', '1')].join('\n'))
  await sendGood(first.id)
  const ends = async (name: string, revenue: string, met: JsonObject): Promise<unknown> => {
    const { id } = await read([head, line(name, revenue)].join('\n'))
    await service.fail('search.conversion.insert', met)
    await sendGood(id)
    await desk.wake(accountId)
    return (await batches.read(accountId, id)).list.map(({ state, words }) => [state, words])
  }
  expect(await ends('own', '2', { drop: 'after' })).toEqual([['sent', 'Accepted in an earlier attempt']])
  expect(await ends('theirs', '3', { status: 503 })).toEqual([
    ['refused', 'A conversion with this ID and time already exists, with different values.'],
  ])
  // Nothing was lost here, and it arrived.
  expect(await ends('own', '2', { latencyMs: 1 })).toEqual([['sent', 'Already accepted with the same values']])
  const found = await there()
  expect(found.get(idOf('own'))).toHaveLength(1)
  expect(found.get(idOf('theirs'))).toMatchObject([{ revenueMicros: '1000000' }])
})

it('narrows down an error without a row by smaller requests', async () => {
  const lines = Array.from({ length: 8 }, (_, at) => `${ago(300 + at)},${activityId}`)
  const { id } = await read(['Time,Activity ID', ...lines].join('\n'))
  await service.fail('search.conversion.insert', { status: 400, reason: 'invalid' })
  await sendGood(id)
  expect(new Set((await states(id)).map(([, state]) => state))).toEqual(new Set(['sent']))
})

it('queues rows behind others offline, where they can be discarded', async () => {
  online = false
  const { id } = await read(`Time,Activity ID\n${ago(400)},${activityId}\n${ago(401)},${activityId}`)
  await sendGood(id)
  expect((await batches.read(accountId, id)).waiting).toBe(2)
  await desk.stopRows(accountId, id)
  expect(await states(id)).toEqual([
    [2, 'here'],
    [3, 'here'],
  ])
  expect(await desk.list(accountId)).toEqual([])
  await sendGood(id)
  const [ticket] = await desk.list(accountId)
  await desk.remove(accountId, ticket!.id)
  expect((await batches.read(accountId, id)).waiting).toBe(0)
  await sendGood(id)
  online = true
  // Entries missing in the queue are found in the rows.
  await rm(library.accountFile(accountId, 'search-sendings.json'))
  desk = newDesk()
  await desk.wake(accountId)
  expect((await states(id)).map(([, state]) => state)).toEqual(['sent', 'sent'])
  await batches.remove(accountId, id)
  expect(await batches.list(accountId)).toEqual([])
})

it('matches changes by key, and handles a removal', async () => {
  const keyword = service.sandbox.ids['criterionId']!
  const campaign = { campaignId: service.sandbox.ids['campaignId']!, adGroupId: service.sandbox.ids['adGroupId']! }
  const head = 'Time,Conversion ID,Type,Activity ID,Campaign ID,Ad group ID,Keyword ID,Revenue,Currency,State'
  const line = (name: string, revenue: string, state = ''): string =>
    [
      ago(500),
      idOf(name),
      'TRANSACTION',
      activityId,
      campaign.campaignId,
      campaign.adGroupId,
      keyword,
      revenue,
      'EUR',
      state,
    ].join(',')
  const made = await read([head, line('x', '1'), line('y', '2')].join('\n'))
  await sendGood(made.id)
  const changes = await read([head, line('x', '5'), line('y', '2', 'Removed'), line('z', '1')].join('\n'), 'update')
  await sendGood(changes.id)
  expect((await states(changes.id)).map(([, state]) => state)).toEqual(['sent', 'sent', 'refused'])
  const found = await there()
  expect(found.get(idOf('x'))).toMatchObject([{ revenueMicros: '5000000', state: 'ACTIVE' }])
  expect(found.get(idOf('y'))).toMatchObject([{ state: 'REMOVED' }])
})

it('recognizes the same rows', async () => {
  const text = `Time,Activity ID\n${ago(600)},${activityId}`
  const first = await read(text)
  expect((await batches.read(accountId, first.id)).again).toBeUndefined()
  const second = await read(text)
  expect((await batches.read(accountId, second.id)).again).toMatchObject({ id: first.id })
})

it.each([
  ['a row instead of a header', '2026-01-01 10:00,17,EUR', 'doesn’t contain column names'],
  ['only a header', 'Time,Revenue\n', 'No rows found below the header'],
  ['nothing', '', 'No rows found.'],
  ['an open quote', 'Time,Revenue\n2026-01-01,"5', 'never closed'],
  ['a row with too many cells', 'Time,Revenue\n2026-01-01,5,6,7', 'Row 2 has 4 cells'],
  ['too many rows', `Time,Revenue${'\n2026-01-01,5'.repeat(10_001)}`, '10,001 rows'],
])('explains invalid rows: %s', async (_what, text, words) => {
  await expect(recordsOf([Buffer.from(text)])).rejects.toThrow(words)
})

it("isn't blocked by unreadable rows", async () => {
  online = false
  const { id } = await read(`Time,Activity ID\n${ago(700)},${activityId}`)
  await sendGood(id)
  await writeFile(library.accountFile(accountId, `conversion-rows-${id}.json`), '{')
  const conversionTimestamp = String(clock.now() - 700 * 60_000)
  const single = {
    ...place,
    segmentationId: activityId,
    segmentationType: 'TRACKING',
    type: 'ACTION',
    conversionTimestamp,
  }
  await desk.send(accountId, 'insert', single)
  desk = newDesk()
  online = true
  await desk.wake(accountId)
  const ticket = (await desk.list(accountId)).find(({ batch }) => batch)
  expect((await desk.list(accountId)).find(({ batch }) => !batch)).toMatchObject({ state: 'sent' })
  expect(ticket).toMatchObject({ state: 'waiting', words: expect.stringContaining('Couldn’t read') as string })
})
