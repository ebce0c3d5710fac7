import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Sending } from '#shared/search-ads/questions'
import { ConversionBatches } from '../../../src-main/reports/conversion-batches'
import { Library } from '../../../src-main/reports/library'
import { StoredList } from '../../../src-main/reports/stored-list'
import { ConversionUploads } from '../../../src-main/reports/conversion-uploads'
import { serviceForFile } from '../../helpers/for-file'
import { clockFromMoment } from '../../helpers/moment'

// Pending conversions with ambiguous responses, a clock set back, and many wake-ups.

const clock = clockFromMoment()
const accountId = 'sandbox'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let folder: string
let library: Library
let place: Sending['body']
let ago = 0

beforeAll(async () => {
  const { agencyId, advertiserId, engineAccountId, profileId } = service.sandbox.ids as Record<string, string>
  const { body } = await service.client.call('trafficking.trackingActivities.list', {
    profileId: profileId!,
    advertiserId: advertiserId!,
  })
  const segmentationId = body.trackingActivities![0]!.id!
  place = { agencyId: agencyId!, advertiserId: advertiserId!, engineAccountId: engineAccountId!, segmentationId }
})
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

const optionsOf = (online = (): boolean => true) => ({
  library,
  batches: new ConversionBatches(library, clock.now),
  clientOf: () => (online() ? service.client : undefined),
  now: () => clock.now() - ago,
  changed: () => undefined,
})
const newDesk = (online = (): boolean => true): ConversionUploads => new ConversionUploads(optionsOf(online))
const body = (more: object = {}): Sending['body'] => ({
  ...place,
  segmentationType: 'TRACKING',
  conversionTimestamp: String(clock.now() - 3_600_000),
  type: 'TRANSACTION',
  revenueMicros: '5000000',
  currencyCode: 'EUR',
  ...more,
})

it("a server error isn't a rejection: the conversion may exist and is sent again", async () => {
  const desk = newDesk()
  await service.fail('search.conversion.insert', { status: 500 })
  const { id } = await desk.send(accountId, 'insert', body())
  await desk.wake(accountId)
  await expect.poll(async () => (await desk.list(accountId))[0]!.words).not.toBe('Sending…')
  await desk.wake(accountId)
  expect(await desk.list(accountId)).toMatchObject([{ id, state: 'sent' }])
})

const revenueOf = async (id: unknown): Promise<string | undefined> => {
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
  return now.conversion!.find(({ conversionId }) => conversionId === id)?.revenueMicros
}

it('changes made twice offline are sent in order, even after the clock was set back', async () => {
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
  expect(await revenueOf(made.body['conversionId'])).toBe('7000000')
})

describe('a change to a conversion that someone else changed', () => {
  const shown = { revenueMicros: '5000000', currencyCode: 'EUR', state: 'ACTIVE' }
  /** Someone else sets its revenue. */
  const setThere = async (made: Sending, revenueMicros: string): Promise<void> => {
    const conversion = [{ ...made.body, revenueMicros }]
    await service.client.call('search.conversion.update', {}, { body: { conversion } as never })
  }
  async function madeOne(desk: ConversionUploads): Promise<Sending> {
    const made = await desk.send(accountId, 'insert', body())
    await desk.wake(accountId)
    return made
  }

  const update = async (desk: ConversionUploads): Promise<Sending> =>
    (await desk.list(accountId)).find(({ kind }) => kind === 'update')!

  it("doesn't overwrite it, and can be sent anyway", async () => {
    const [desk, other] = [newDesk(), new ConversionUploads({ ...optionsOf(), library: new Library(`${folder}-2`) })]
    const made = await madeOne(other)
    await setThere(made, '7000000')
    const sending = await desk.send(accountId, 'update', { ...made.body, revenueMicros: '6000000' }, { shown })
    await desk.wake(accountId)
    const asked = await update(desk)
    expect(asked).toMatchObject({ id: sending.id, state: 'refused', there: { revenueMicros: '7000000' } })
    expect(asked.words).toContain('Revenue was 5 and is now 7 (your change: 6)')
    expect(await revenueOf(made.body['conversionId'])).toBe('7000000')
    await desk.send(accountId, 'update', { ...made.body, revenueMicros: '6000000' }, { shown: asked.there })
    await desk.wake(accountId)
    expect(await revenueOf(made.body['conversionId'])).toBe('6000000')
  })

  it("doesn't overwrite it after a lost response", async () => {
    const desk = newDesk()
    const made = await madeOne(desk)
    await service.fail('search.conversion.update', { drop: 'after' })
    await desk.send(accountId, 'update', { ...made.body, revenueMicros: '6000000' }, { shown })
    await expect.poll(() => update(desk)).toMatchObject({ state: 'waiting', unsure: true })
    await expect.poll(async () => (await update(desk)).words).not.toBe('Sending…')
    expect(await revenueOf(made.body['conversionId'])).toBe('6000000')
    await setThere(made, '7000000')
    await desk.wake(accountId)
    expect(await update(desk)).toMatchObject({ state: 'refused', there: { revenueMicros: '7000000' } })
    expect(await revenueOf(made.body['conversionId'])).toBe('7000000')
  })

  it('succeeds if an earlier try arrived, and follows earlier local changes', async () => {
    const desk = newDesk()
    const made = await madeOne(desk)
    await service.fail('search.conversion.update', { drop: 'after' })
    await desk.send(accountId, 'update', { ...made.body, revenueMicros: '6000000' }, { shown })
    await desk.wake(accountId)
    await desk.send(accountId, 'update', { ...made.body, revenueMicros: '8000000' }, { shown })
    await desk.wake(accountId)
    expect((await desk.list(accountId)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    expect(await revenueOf(made.body['conversionId'])).toBe('8000000')
  })
})

it('retries with one timer, however often woken', async () => {
  await service.fail('search.conversion.insert', { status: 503, count: 50 })
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

const another = 'A conversion with this ID and time already exists, with different values.'
const earlier = 'Accepted in an earlier attempt'

describe('a duplicate error', () => {
  // Users may choose any ID, even one the app would generate.
  const theirs = (): Sending['body'] => ({
    conversionId: randomUUID(),
    conversionTimestamp: String(clock.now() - 60_000),
  })
  const ended = async (desk: ConversionUploads, { id }: Sending): Promise<Sending> => {
    await desk.wake(accountId)
    await desk.wake(accountId)
    return (await desk.list(accountId)).find((one) => one.id === id)!
  }
  const there = async (desk: ConversionUploads): Promise<Sending['body']> => {
    const own = theirs()
    expect(await ended(desk, await desk.send(accountId, 'insert', body(own)))).toMatchObject({ state: 'sent' })
    return own
  }

  it.each([
    ['on the first try', {}],
    ['after an inconclusive response', { status: 503 }],
  ])("doesn't count as success with different values: %s", async (_when, met: { status?: number }) => {
    const desk = newDesk()
    const own = await there(desk)
    if (met.status) await service.fail('search.conversion.insert', met)
    const before = await service.calls('search.conversion.insert')
    const other = await desk.send(accountId, 'insert', body({ ...own, revenueMicros: '9000000' }))
    expect(await ended(desk, other)).toMatchObject({ state: 'refused', words: another, location: 'conversionId' })
    expect((await service.calls('search.conversion.insert')) - before).toBe(met.status ? 2 : 1)
  })

  it('is checked: were the values sent by a lost try or already there?', async () => {
    const desk = newDesk()
    const own = await there(desk)
    expect(await ended(desk, await desk.send(accountId, 'insert', body(own)))).toMatchObject({
      state: 'sent',
      words: 'Already accepted with the same values',
    })
    await service.fail('search.conversion.insert', { drop: 'after' })
    expect(await ended(desk, await desk.send(accountId, 'insert', body(theirs())))).toMatchObject({
      state: 'sent',
      words: earlier,
    })
  })

  it("for a generated ID counts as success once, and a reused ID is a user's", async () => {
    const desk = newDesk()
    const made = randomUUID()
    const own = { ...theirs(), conversionId: made }
    await service.fail('search.conversion.insert', { drop: 'after' })
    const looks = await service.calls('search.conversion.get')
    expect(await ended(desk, await desk.send(accountId, 'insert', body(own), { made: made }))).toMatchObject({
      state: 'sent',
      words: earlier,
    })
    expect(await service.calls('search.conversion.get')).toBe(looks)
    const other = await desk.send(accountId, 'insert', body({ ...own, revenueMicros: '9000000' }), { made: made })
    expect(await ended(desk, other)).toMatchObject({ state: 'refused', words: another })
    // The user replaced the generated ID.
    const over = await desk.send(accountId, 'insert', body({ ...own, revenueMicros: '9000000' }), {
      made: randomUUID(),
    })
    expect(await ended(desk, over)).toMatchObject({ state: 'refused', words: another })
  })

  it('keeps waiting if it can be checked later, and otherwise shows the error', async () => {
    const desk = newDesk()
    const own = await there(desk)
    await service.fail('search.conversion.get', { status: 503 })
    const sending = await desk.send(accountId, 'insert', body(own))
    await desk.wake(accountId)
    await expect
      .poll(async () => (await desk.list(accountId)).find(({ id }) => id === sending.id)!.words)
      .not.toBe('Sending…')
    await desk.wake(accountId)
    expect((await desk.list(accountId)).find(({ id }) => id === sending.id)).toMatchObject({ state: 'sent' })

    await service.fail('search.conversion.get', { status: 403, reason: 'forbidden' })
    const unseen = await ended(desk, await desk.send(accountId, 'insert', body(own)))
    expect(unseen).toMatchObject({ state: 'refused', location: 'conversionId' })
    expect(unseen.words).toContain('The advertiser has a conversion')
    await service.fail('search.conversion.get', { status: 403, reason: 'forbidden' })
    await service.fail('search.conversion.insert', { status: 503 })
    const unsure = await ended(desk, await desk.send(accountId, 'insert', body(own)))
    expect([unsure.state, unsure.words]).toEqual(['refused', expect.stringContaining('It may be this one')])
  })

  it("from an older version, which didn't record the ID's origin, is checked", async () => {
    const own = theirs()
    const kept = {
      id: 'of before',
      kind: 'insert',
      body: body(own),
      state: 'waiting',
      words: '',
      asked: 1,
      unsure: true,
    }
    const path = library.accountFile(accountId, 'search-sendings.json')
    await mkdir(dirname(path), { recursive: true })
    const sendings = [kept, { ...kept, id: 'other', body: body({ ...own, revenueMicros: '9000000' }) }]
    await writeFile(path, JSON.stringify({ version: 1, sendings: [{ ...kept, id: 'first' }, ...sendings] }))
    const desk = newDesk()
    await desk.wake(accountId)
    const words = new Map((await desk.list(accountId)).map((one) => [one.id, one.words]))
    expect([words.get('first'), words.get('of before'), words.get('other')]).toEqual(['Accepted', earlier, another])
  })
})

it("more than the list's limit is rejected, and the list stays readable", async () => {
  const list = new StoredList<{ id: string }>(library, 'list.json', 'all', z.object({ id: z.string() }))
  const many = (count: number): { id: string }[] => Array.from({ length: count }, (_, at) => ({ id: String(at) }))
  await list.change(accountId, () => ({ all: many(10_000), answer: null }))
  await expect(list.change(accountId, () => ({ all: many(10_001), answer: null }))).rejects.toMatchObject({
    fault: { code: 'invalid' },
  })
  expect(await list.list(accountId)).toHaveLength(10_000)
})

it.each(['', '{', '{"version":2,"sendings":[]}', 'null', '[]', '{"version":1,"sendings":[{"id":"1"}]}'])(
  "a list file that is %j isn't changed, and is reported",
  async (text) => {
    const path = library.accountFile(accountId, 'search-sendings.json')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await expect(newDesk().send(accountId, 'insert', body())).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(await readFile(path, 'utf8')).toBe(text)
  },
)
