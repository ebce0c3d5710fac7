import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { AppContext } from '../../src-renderer/context/context'
import { setRules } from '../../src-renderer/context/saved-conflict-rules'
import { Settings } from '../../src-renderer/context/settings.svelte'
import type { Change, EditOptions } from '../../src-renderer/replica/api'
import { SyncModel } from '../../src-renderer/views/sync/model.svelte'
import { resolveRuled, ruledWords } from '../../src-renderer/views/sync/ruled-conflicts'
import { addProfiles, modelForEach, profile } from './model/for-each'

let advertiser: JsonObject

const guest = (email: string, comment?: string): JsonObject => ({ email, ...(comment && { comment }) })
const { clock, service, replica } = modelForEach(2_000, () => {
  addProfiles(service)
  const times = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
  const event = { id: 'e1', summary: 'Plan', ...times, attendees: [guest('a@x')] }
  service.callAs('mina', 'calendar.events.insert', { calendarId: 'me' }, event)
  advertiser = service.callAs('ada', 'trafficking.advertisers.insert', { profileId: '81' }, { name: 'Before' })!
})

let app: AppContext
let messages: string[]
let stored: string | null

/** The window of an account, whose settings are the stored ones. */
function openWindow(id: string): AppContext {
  const settings = new Settings({ getItem: () => stored, setItem: (_key, text) => void (stored = text) })
  return {
    settings,
    replica,
    account: { id },
    accounts: {},
    announce: () => undefined,
    toasts: { show: (text: string) => void messages.push(text) },
    edit: (changes: Change[], options: EditOptions) => replica.edit(changes, options),
  } as unknown as AppContext
}

beforeEach(async () => {
  stored = null
  messages = []
  app = openWindow('work')
  await replica.download({ parent: profile, what: 'all' })
  await clock.pass(10_000)
})

const key = (): string => recordKey('advertisers', profile, String(advertiser['id']))
const onService = (): unknown => service.trafficking.living('advertisers', '1')[0]!['name']
const inConflict = (): string[] => replica.outbox().flatMap(({ conflict }) => (conflict ? conflict.fields : []))
const theirs = (name: string): unknown =>
  service.callAs('ada', 'trafficking.advertisers.patch', { profileId: '81', id: advertiser['id']! }, { name })

/** Posts a name while someone else gives it another one, without seeing that. */
async function conflict(mine: string, other: string): Promise<void> {
  replica.pause(true)
  await replica.edit([{ kind: 'change', key: key(), patch: { name: mine } }], { label: 'Rename' })
  await replica.post()
  theirs(other)
  replica.pause(false)
  await clock.pass(10_000)
  expect(inConflict()).toEqual(['name'])
}
/** What recent activity says about rules. */
async function marks(): Promise<string[]> {
  const items = await replica.history(10)
  return items.flatMap(({ entry }) => ruledWords(app, [entry]) ?? [])
}
const keep = (side: 'mine' | 'theirs' | 'newer'): void =>
  setRules(app, [{ collection: 'advertisers', field: 'name', keep: side, money: false }])

describe('a conflict rule', () => {
  it('decides another conflict of an edit that it decided before', async () => {
    await conflict('Mine', 'Theirs')
    keep('mine')
    replica.pause(true)
    await resolveRuled(app)
    expect(inConflict()).toEqual([])
    theirs('Theirs again')
    replica.pause(false)
    await clock.pass(10_000)
    expect(inConflict()).toEqual(['name'])
    await resolveRuled(app)
    await clock.pass(10_000)
    expect([inConflict(), onService()]).toEqual([[], 'Mine'])
    expect(await marks()).toEqual(['Resolved by your rules: kept yours for name'])
  })

  it.each(['mine', 'theirs'] as const)(
    'that kept %s leaves the conflict to people after an undo and a restart',
    async (side) => {
      await conflict('Mine', 'Theirs')
      keep(side)
      replica.pause(true)
      await resolveRuled(app)
      await replica.undo()
      expect(inConflict()).toEqual(['name'])
      app = openWindow('work')
      await resolveRuled(app)
      expect(inConflict()).toEqual(['name'])
      await replica.resolve(replica.outbox()[0]!.id, { fields: { name: side } })
      replica.pause(false)
      await clock.pass(10_000)
      expect(await marks()).toEqual([])
    },
  )

  it('is named where the conflict it resolved is listed', async () => {
    await conflict('Mine', 'Theirs')
    keep('theirs')
    await resolveRuled(app)
    expect(await marks()).toEqual(['Resolved by your rules: kept theirs for name'])
  })

  it('decides nothing in another account', async () => {
    await conflict('Mine', 'Theirs')
    keep('mine')
    await resolveRuled(openWindow('home'))
    expect([inConflict(), messages]).toEqual([['name'], []])
  })
})

describe('reverting a conflict in which theirs was kept', () => {
  it('brings mine back as a draft', async () => {
    await conflict('Mine', 'Theirs')
    await replica.resolve(replica.outbox()[0]!.id, { fields: { name: 'theirs' } })
    await clock.pass(10_000)
    const model = new SyncModel(app)
    await model.readHistory(new AbortController().signal)
    const [step] = model.historySteps
    expect(model.canTakeBack(step!)).toBe(true)
    await model.takeBack(step!)
    expect(replica.outbox().map(({ patch, held }) => [patch, held])).toEqual([[{ name: 'Mine' }, true]])
    expect(messages).toEqual([])
  })

  it('brings back mine of an event, and keeps the guests that someone else added', async () => {
    const key = recordKey('events', 'me', 'e1')
    replica.pause(true)
    const attendees = [guest('a@x', 'Mine')]
    await replica.edit([{ kind: 'change', key, patch: { attendees } }], { label: 'Comment' })
    const theirs = { attendees: [guest('a@x', 'Theirs'), guest('b@x')] }
    service.callAs('mina', 'calendar.events.patch', { calendarId: 'me', eventId: 'e1' }, theirs)
    replica.pause(false)
    await clock.pass(70_000)
    expect(inConflict()).toEqual(['attendees'])
    await replica.resolve(replica.outbox()[0]!.id, { fields: { attendees: 'theirs' } })
    await clock.pass(10_000)
    const model = new SyncModel(app)
    await model.readHistory(new AbortController().signal)
    await model.takeBack(model.historySteps[0]!)
    expect(replica.outbox().map(({ patch }) => patch)).toEqual([{ attendees: [guest('a@x', 'Mine'), guest('b@x')] }])
  })

  it('keeps what someone else changed since', async () => {
    await conflict('Mine', 'Theirs')
    await replica.resolve(replica.outbox()[0]!.id, { fields: { name: 'theirs' } })
    theirs('Later')
    replica.syncNow()
    await clock.pass(70_000)
    const model = new SyncModel(app)
    await model.readHistory(new AbortController().signal)
    await model.takeBack(model.historySteps[0]!)
    expect(replica.outbox()).toEqual([])
    expect(messages).toEqual(['1 field has changed since then and wasn’t reverted.'])
  })
})
