import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { authorOf } from '../../src-renderer/context/log-author'
import { conflictGroups, decide, openQuestions } from '../../src-renderer/views/sync/conflict-groups'
import { decisionsOf, isAboutMoney, questionsOf, usualChoices } from '../../src-renderer/views/sync/conflict'
import type { Device } from '../helpers/device'
import { type OpenAccount, minasProfile, openWholeAccount } from '../helpers/whole-account'

let account: OpenAccount
let device: Device
let profile: string
let minas: string

const end = 'pricingSchedule.endDate'
const units = 'pricingSchedule.pricingPeriods.0.units'
const rate = 'pricingSchedule.pricingPeriods.0.rateOrCostNanos'

beforeAll(async () => {
  account = await openWholeAccount()
  ;({ device, profile } = account)
  minas = await minasProfile(account.service)
})
afterAll(() => account?.close())

interface Placement {
  key: string
  id: string
  value: JsonObject
}

/** Placements with one price whose flight is short enough to move its end back and forth. */
async function placements(count: number): Promise<Placement[]> {
  const { replica } = device
  const rows = await replica.table('placements', { parent: profile })
  const found: Placement[] = []
  for (let row = 0; row < rows.length && found.length < count; row++) {
    const key = rows.key(row)
    const { id, value } = (await replica.read(key))!
    const [start, last] = ['pricingSchedule.startDate', end].map((path) => String(valueAt(value!, path)))
    const isLong = Date.parse(last!) - Date.parse(start!) > 20 * 86_400_000
    if (isLong && typeof valueAt(value!, units) === 'string' && value!['archived'] !== true)
      found.push({ key, id, value: value! })
  }
  return found
}
const earlier = (value: JsonObject, days: number): string =>
  new Date(Date.parse(String(valueAt(value, end))) - days * 86_400_000).toISOString().slice(0, 10)

/** Changes places of a record as someone else. */
async function elsewhere({ id, value }: Placement, changes: Readonly<Record<string, Json>>): Promise<void> {
  const schedule = structuredClone(value['pricingSchedule']) as JsonObject
  const [period] = schedule['pricingPeriods'] as JsonObject[]
  for (const [path, next] of Object.entries(changes)) {
    const name = path.split('.').at(-1)!
    if (path.includes('.0.')) period![name] = next
    else {
      schedule[name] = next
      period![name] = next
    }
  }
  await account.service.asMina('trafficking.placements.patch', { profileId: minas, id }, { pricingSchedule: schedule })
}
/** Posts edits made offline, so that a sync can't show their author what someone else changed. */
async function conflictsOf(mine: readonly (readonly [Placement, Readonly<Record<string, Json>>])[]) {
  const { replica } = device
  await replica.edit(
    mine.map(([{ key, value }, changes]) => ({
      kind: 'places' as const,
      key,
      edits: Object.entries(changes).map(([path, next]) => ({ path, value: next })),
      upon: { values: Object.fromEntries(Object.keys(changes).map((path) => [path, valueAt(value, path) ?? null])) },
    })),
    { label: 'Change flights' },
  )
  await replica.post()
  await replica.setOffline(false)
  const count = mine.length
  await device.until('conflicts', () => replica.outbox().filter(({ conflict }) => conflict).length === count)
  const byId = new Map(replica.outbox().map((entry) => [entry.recordId, entry]))
  return mine.map(([{ id }]) => byId.get(id)!)
}
const settled = (): Promise<void> => device.until('all sent', () => device.replica.outbox().length === 0)
const now = async ({ key }: Placement, path: string): Promise<Json | undefined> =>
  valueAt((await device.replica.read(key))?.value ?? undefined, path)
const names = (entry: OutboxEntry): string[] => openQuestions(entry).map(({ name }) => name)

it("a flight's end, units, and rate are decided apart, and a price follows its flight", async () => {
  const [one] = await placements(1)
  const [mineEnd, theirEnd] = [earlier(one!.value, 3), earlier(one!.value, 5)]
  await device.replica.setOffline(true)
  await elsewhere(one!, { [end]: theirEnd, [units]: '111', [rate]: '7654000000' })
  const [entry] = await conflictsOf([[one!, { [end]: mineEnd, [units]: '222' }]])
  const questions = questionsOf(entry!)
  expect(questions.map(({ name }) => name).sort()).toEqual([end, rate, units].sort())
  expect(names(entry!).sort()).toEqual([end, units].sort())
  // Only someone else changed the rate.
  expect(usualChoices(questions)).toEqual({ [rate]: 'theirs' })
  expect(
    questions
      .filter((question) => isAboutMoney(entry!, question))
      .map(({ name }) => name)
      .sort(),
  ).toEqual([rate, units].sort())
  const fields = decisionsOf(entry!, questions, { ...usualChoices(questions), [end]: 'theirs', [units]: 'mine' })
  await device.replica.resolve(entry!.id, { fields })
  await settled()
  const period = 'pricingSchedule.pricingPeriods.0.endDate'
  expect(await Promise.all([end, period, units, rate].map((path) => now(one!, path)))).toEqual([
    ...[theirEnd, theirEnd, '222', '7654000000'],
  ])
})

it('conflicts alike are resolved together, but money only if someone says so', async () => {
  const [, ...some] = await placements(7)
  const dated = some.slice(0, 3)
  const paid = some.slice(3, 5)
  const [fits] = some.slice(5)
  await device.replica.setOffline(true)
  for (const one of dated) await elsewhere(one, { [end]: earlier(one.value, 5) })
  for (const one of paid) await elsewhere(one, { [units]: '111' })
  await elsewhere(fits!, { [units]: '111' })
  await conflictsOf([
    ...dated.map((one) => [one, { [end]: earlier(one.value, 3) }] as const),
    ...paid.map((one) => [one, { [units]: '222' }] as const),
    [fits!, { [end]: earlier(fits!.value, 3) }],
  ])
  const { replica } = device
  const groups = conflictGroups(replica.outbox())
  expect(groups.map(({ entries, heads, money }) => [entries.length, heads, money])).toEqual([
    [3, ['end date'], false],
    [2, ['units'], true],
  ])
  const [ends, amounts] = groups
  // A computer whose clock is behind would have made its edit before the other change.
  expect(ends!.entries.map((entry) => decide({ ...entry, madeAt: 0 }, 'newer', false))).toEqual(
    ends!.entries.map((entry) => decide(entry, 'theirs', false)),
  )
  for (const entry of ends!.entries) await replica.resolve(entry.id, decide(entry, 'mine', false)!)
  for (const policy of ['mine', 'theirs', 'newer', 'both'] as const)
    for (const entry of amounts!.entries) expect(decide(entry, policy, false)).toBeUndefined()
  for (const entry of amounts!.entries) await replica.resolve(entry.id, decide(entry, 'theirs', true)!)
  const last = replica.outbox().find(({ recordId }) => recordId === fits!.id)!
  expect(names(last)).toEqual([])
  await replica.resolve(last.id, decide(last, 'both', false)!)
  await settled()
  expect(await Promise.all(dated.map((one) => now(one, end)))).toEqual(dated.map((one) => earlier(one.value, 3)))
  expect(await Promise.all(paid.map((one) => now(one, units)))).toEqual(['111', '111'])
  expect([await now(fits!, end), await now(fits!, units)]).toEqual([earlier(fits!.value, 3), '111'])
})

it('says who changed the record, by the change log', async () => {
  const [one] = await placements(1)
  const entry = { collection: 'placements' as const, recordId: one!.id, parent: profile }
  await expect
    .poll(async () => (device.replica.syncNow(), authorOf(device.replica, entry)))
    .toEqual({
      who: expect.stringMatching(/^Mina/) as string,
      at: expect.any(Number) as number,
    })
})
