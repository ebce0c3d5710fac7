import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Sending } from '#shared/search-ads/questions'
import { ConversionBatches } from '../../../src-main/reports/conversion-batches'
import { Library } from '../../../src-main/reports/library'
import { KeptList } from '../../../src-main/reports/search-kept'
import { SearchSendings } from '../../../src-main/reports/search-sendings'
import { clockFromMoment } from '../../helpers/moment'
import { startService, type TestService } from '../../helpers/service'

// Conversions on their way, against answers that prove nothing, a clock that is set back, and many wakes.

const clock = clockFromMoment()
const accountId = 'sandbox'
let service: TestService
let folder: string
let library: Library
let place: Sending['body']
let ago = 0

beforeAll(async () => {
  service = await startService({ seed: 'demo', now: clock.now })
  const { agencyId, advertiserId, engineAccountId, profileId } = service.sandbox.ids as Record<string, string>
  const { body } = await service.client.call('trafficking.trackingActivities.list', {
    profileId: profileId!,
    advertiserId: advertiserId!,
  })
  const segmentationId = body.trackingActivities![0]!.id!
  place = { agencyId: agencyId!, advertiserId: advertiserId!, engineAccountId: engineAccountId!, segmentationId }
})
afterAll(() => service.stop())
beforeEach(async () => {
  ago = 0
  folder = await mkdtemp(join(tmpdir(), 'sendings-'))
  library = new Library(folder)
})
afterEach(async () => {
  vi.useRealTimers()
  await service.order('DELETE', '/trouble')
  await rm(folder, { recursive: true })
})

const newDesk = (online = (): boolean => true): SearchSendings =>
  new SearchSendings({
    library,
    batches: new ConversionBatches(library, clock.now),
    clientOf: () => (online() ? service.client : undefined),
    now: () => clock.now() - ago,
    changed: () => undefined,
  })
const body = (more: object = {}): Sending['body'] => ({
  ...place,
  segmentationType: 'TRACKING',
  conversionTimestamp: String(clock.now() - 3_600_000),
  type: 'TRANSACTION',
  revenueMicros: '5000000',
  currencyCode: 'EUR',
  ...more,
})
const trouble = (operation: string, more: object): Promise<unknown> =>
  service.order('POST', '/trouble', { operation, count: 1, ...more })
const calls = async (operation: string): Promise<number> =>
  (await service.requests()).filter((one) => one.operation === operation).length

it('an error of the service is no refusal: the conversion may be there, and is sent once more', async () => {
  const desk = newDesk()
  await trouble('search.conversion.insert', { status: 500 })
  const { id } = await desk.send(accountId, 'insert', body())
  await desk.wake(accountId)
  await vi.waitFor(async () => expect((await desk.list(accountId))[0]!.words).not.toBe('Being sent'))
  await desk.wake(accountId)
  expect(await desk.list(accountId)).toMatchObject([{ id, state: 'sent' }])
})

it('what was changed twice while nobody was there is sent in the order of the changes, though the clock was set back', async () => {
  let online = true
  const desk = newDesk(() => online)
  const made = await desk.send(accountId, 'insert', body())
  await desk.wake(accountId)
  online = false
  await desk.send(accountId, 'update', { ...made.body, revenueMicros: '6000000' })
  ago = 86_400_000
  await desk.send(accountId, 'update', { ...made.body, revenueMicros: '7000000' })
  online = true
  await desk.wake(accountId)
  expect((await desk.list(accountId)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  const day = (at: number): number => Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))
  const { body: now } = await service.client.call('search.conversion.get', {
    agencyId: String(place['agencyId']),
    advertiserId: String(place['advertiserId']),
    engineAccountId: String(place['engineAccountId']),
    startDate: day(clock.now() - 2 * 86_400_000),
    endDate: day(clock.now() + 86_400_000),
    rowCount: 1_000,
    startRow: 0,
  })
  const found = now.conversion!.find(({ conversionId }) => conversionId === made.body['conversionId'])
  expect(found!.revenueMicros).toBe('7000000')
})

it('is tried again by one clock, however often it was woken', async () => {
  await trouble('search.conversion.insert', { status: 503, count: 50 })
  const desk = newDesk()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  await desk.send(accountId, 'insert', body())
  for (let at = 0; at < 6; at++) await desk.wake(accountId)
  const made = timers.mock.results.filter((_, at) => timers.mock.calls[at]![1] === 60_000)
  const off = new Set(cleared.mock.calls.map(([timer]) => timer))
  expect(made.length).toBeGreaterThan(0)
  expect(made.filter(({ value }) => !off.has(value as NodeJS.Timeout))).toHaveLength(1)
  vi.restoreAllMocks()
})

it('a conversion with an ID of people’s own that the service had already is not claimed as sent', async () => {
  const desk = newDesk()
  const own = { conversionId: `order ${clock.now()}`, conversionTimestamp: String(clock.now() - 60_000) }
  await desk.send(accountId, 'insert', body(own))
  await desk.wake(accountId)
  await trouble('search.conversion.insert', { status: 503 })
  const before = await calls('search.conversion.insert')
  const other = await desk.send(accountId, 'insert', body({ ...own, revenueMicros: '9000000' }))
  await desk.wake(accountId)
  await desk.wake(accountId)
  expect((await calls('search.conversion.insert')) - before).toBe(2)
  const said = (await desk.list(accountId)).find(({ id }) => id === other.id)!
  expect(said.state).toBe('refused')
  expect(said.words).toContain('may be')
})

it('more than a list holds is refused, and what is there stays readable', async () => {
  const list = new KeptList<{ id: string }>(library, 'list.json', 'all', z.object({ id: z.string() }))
  const many = (count: number): { id: string }[] => Array.from({ length: count }, (_, at) => ({ id: String(at) }))
  await list.change(accountId, () => ({ all: many(10_000), answer: null }))
  await expect(list.change(accountId, () => ({ all: many(10_001), answer: null }))).rejects.toMatchObject({
    fault: { code: 'invalid' },
  })
  expect(await list.list(accountId)).toHaveLength(10_000)
})

it.each(['', '{', '{"version":2,"sendings":[]}', 'null', '[]', '{"version":1,"sendings":[{"id":"1"}]}'])(
  'a file of it that is %j is left as it is, and said',
  async (text) => {
    const path = library.accountFile(accountId, 'search-sendings.json')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await expect(newDesk().send(accountId, 'insert', body())).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)
