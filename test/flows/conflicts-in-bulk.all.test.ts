// Only in test:all: posts, resolves, and reverts 300 changes, which takes half a minute.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writableFields } from '#shared/domain/writable'
import { patchAt, valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
import type { AppContext } from '../../src-renderer/context/context'
import type { Change, EditOptions } from '../../src-renderer/replica/api'
import type { Policy } from '../../src-renderer/views/sync/conflict-groups'
import { SyncModel } from '../../src-renderer/views/sync/model.svelte'
import { minasProfile, openWholeAccount, type OpenAccount } from '../helpers/whole-account'

const count = 300
const end = 'pricingSchedule.endDate'
const periodEnd = 'pricingSchedule.pricingPeriods.0.endDate'
const units = 'pricingSchedule.pricingPeriods.0.units'

let account: OpenAccount
let minas: string
let model: SyncModel
let placements: { key: string; id: string; value: JsonObject }[]

beforeAll(async () => {
  account = await openWholeAccount()
  minas = await minasProfile(account.service)
  const { replica } = account.device
  // There's no page that could receive focus.
  vi.stubGlobal('requestAnimationFrame', () => 0)
  model = new SyncModel({
    replica,
    accounts: {},
    announce: () => undefined,
    toasts: { show: () => undefined },
    edit: (changes: Change[], options: EditOptions) => replica.edit(changes, options),
  } as unknown as AppContext)
  const rows = await replica.table('placements', { parent: account.profile })
  placements = []
  for (let row = 0; placements.length < count; row++) {
    const { key, id, value } = (await replica.read(rows.key(row)))!
    placements.push({ key, id, value: value! })
  }
})
afterAll(() => account?.close())

/** A record with other values at some paths. */
const changed = (value: JsonObject, places: Readonly<Record<string, Json>>): JsonObject => {
  const facts = account.device.replica.facts.of('placements')
  return Object.entries(places).reduce((made, [path, next]) => withPatch(made, patchAt(made, path, next, facts)), value)
}
const dayBefore = (value: JsonObject, path: string, days: number): string =>
  new Date(Date.parse(String(valueAt(value, path))) - days * 86_400_000).toISOString().slice(0, 10)
const settled = (): Promise<void> =>
  account.device.until('all sent', () => account.device.replica.outbox().length === 0)
/** What people can write, of every placement on the service. */
async function onService(): Promise<Map<string, JsonObject>> {
  const { service, profile, device } = account
  const found = new Map<string, JsonObject>()
  for (let pageToken: string | undefined; ;) {
    const params = { profileId: profile, ...(pageToken !== undefined && { pageToken }) }
    const { body } = await service.client.call('trafficking.placements.list', params)
    for (const one of body.placements ?? [])
      found.set(one.id!, writableFields(device.replica.facts.of('placements'), one as unknown as JsonObject))
    pageToken = body.nextPageToken === '' ? undefined : body.nextPageToken
    if (pageToken === undefined) return found
  }
}

it('300 conflicts of four kinds are resolved in two actions', async () => {
  const { replica } = account.device
  // Ends, units, both, and names: each kind is a group of its own.
  const edited = (value: JsonObject, at: number, days: number, word: string): Record<string, Json> => {
    const last = dayBefore(value, end, days)
    const ends = { [end]: last, [periodEnd]: last }
    const amount = { [units]: String(1_000 + days) }
    return [ends, amount, { ...ends, ...amount }, { name: `${word} ${at}` }][at % 4]!
  }
  await replica.setOffline(true)
  await replica.edit(
    placements.map(({ key, value }, at) => {
      const { [periodEnd]: _along, ...places } = edited(value, at, 1, 'Mine')
      return {
        kind: 'places' as const,
        key,
        edits: Object.entries(places).map(([path, next]) => ({ path, value: next })),
        upon: { values: Object.fromEntries(Object.keys(places).map((path) => [path, valueAt(value, path) ?? null])) },
      }
    }),
    { label: 'Change 300 placements' },
  )
  for (const [at, { id, value }] of placements.entries()) {
    const theirs = changed(value, edited(value, at, 2, 'Hers'))
    const { name, pricingSchedule } = theirs
    const body = { name: name!, pricingSchedule: pricingSchedule! }
    await account.service.asMina('trafficking.placements.patch', { profileId: minas, id }, body)
  }
  await replica.post()
  await replica.setOffline(false)
  const conflicts = (): number => replica.outbox().filter(({ conflict }) => conflict).length
  await account.device.until('every conflict', () => conflicts() === count)
  expect(model.conflicts.map(({ entries, heads }) => [entries.length, heads])).toEqual([
    [75, ['end date']],
    [75, ['units']],
    [75, ['end date', 'units']],
    [75, ['name']],
  ])

  let actions = 0
  const act = (policy: Policy, money: boolean): Promise<void> => {
    // Including money is an action of its own.
    actions += money ? 2 : 1
    return model.resolveAll(
      model.conflicts.flatMap(({ entries }) => entries),
      policy,
      money,
    )
  }
  await replica.setOffline(true)
  await act('mine', true)
  expect(conflicts()).toBe(0)
  // They’re one step.
  expect(await replica.undo()).toBe('Resolve 300 conflicts')
  expect(conflicts()).toBe(count)
  await replica.redo()
  expect(conflicts()).toBe(0)
  await replica.setOffline(false)
  expect(actions).toBeLessThanOrEqual(5)
  await settled()
  const now = await onService()
  for (const [at, { id, value }] of placements.entries())
    for (const [path, next] of Object.entries(edited(value, at, 1, 'Mine')))
      expect(valueAt(now.get(id), path), `${path} of ${id}`).toEqual(next)
}, 300_000)

it('a step of 300 is reverted, and the account equals the one before, field by field', async () => {
  const { replica } = account.device
  const before = await onService()
  await replica.edit(
    placements.map(({ key }, at) => ({
      kind: 'change' as const,
      key,
      patch: {
        name: `Reverted ${at}`,
        externalId: `R-${at}`,
        comment: 'A step to revert',
        tagFormats: ['PLACEMENT_TAG_STANDARD'],
        contentCategoryId: null,
      },
    })),
    { label: 'Change 300 placements' },
  )
  const schedule = await Promise.all(placements.map(({ key }) => replica.read(key)))
  await replica.edit(
    schedule.map((row) => ({
      kind: 'places' as const,
      key: row!.key,
      edits: [{ path: units, value: '77' }],
      upon: { values: { [units]: valueAt(row!.value!, units) ?? null } },
    })),
    { label: 'Change 300 placements' },
  )
  await replica.post()
  await settled()
  const during = await onService()
  expect(placements.filter(({ id }) => during.get(id)!['comment'] === 'A step to revert')).toHaveLength(count)

  // While changes are sent, only some are listed. Reverting means all of the step.
  model.history = await replica.history(200)
  const [step] = model.historySteps
  expect(step!.items).toHaveLength(200)
  await model.readHistory(new AbortController().signal)
  expect(model.historySteps[0]!.items).toHaveLength(count)
  await model.takeBack(step!)
  await replica.post()
  await settled()
  const after = await onService()
  for (const [id, value] of before) expect(after.get(id), id).toEqual(value)
}, 300_000)
