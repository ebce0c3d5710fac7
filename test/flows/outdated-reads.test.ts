import { describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { seeded } from './model/clock'
import { Device } from './model/device'
import { addProfiles, modelForEach, profile } from './model/for-each'

let advertisers: JsonObject[]
let campaign: JsonObject

const make = (collection: string, body: JsonObject): JsonObject =>
  service.callAs('ada', `trafficking.${collection}.insert`, { profileId: '81' }, body)!
const advertiser = (at: number): string => recordKey('advertisers', profile, String(advertisers[at]!.id))

const { clock, service, device, replica } = modelForEach(2_000, () => {
  addProfiles(service)
  advertisers = ['A', 'B', 'C'].map((name) => make('advertisers', { name }))
  const dates = { startDate: '2026-03-01', endDate: '2026-05-01' }
  campaign = make('campaigns', { name: 'Spring', advertiserId: advertisers[0]!.id!, ...dates })
})

async function kept(what: 'all' | 'index'): Promise<void> {
  await replica.download({ parent: profile, what })
  await clock.pass(10_000)
}

describe('an outdated read', () => {
  /**
   * Three changes are posted and sent one at a time. Everything pauses after the first, and Ada renames the third in the
   * meantime.
   */
  async function pausedAfterTheFirst(patch: JsonObject): Promise<void> {
    await kept('all')
    const changes = [0, 1, 2].map((at) => ({ kind: 'change' as const, key: advertiser(at), patch }))
    await replica.edit(
      changes.map((change, at) => (patch.name ? { ...change, patch: { name: `Mine ${at}` } } : change)),
      { label: 'Three' },
    )
    const { setTimer } = clock.environment(
      seeded(2),
      () => true,
      () => 0,
    )
    service.delay = ({ id }) =>
      id === 'trafficking.advertisers.patch' ? new Promise((done) => setTimer(done as () => void, 3_000)) : undefined
    await replica.post()
    await clock.pass(2_000)
    replica.pause(true)
    await clock.pass(6_000)
    const third = { profileId: '81', id: advertisers[2]!.id! }
    service.callAs('ada', 'trafficking.advertisers.patch', third, { name: 'Theirs' })
    await clock.pass(70_000)
    expect(replica.peek(advertiser(2))?.base?.name).toBe('Theirs')
  }
  const third = (): unknown =>
    service.trafficking.living('advertisers', '1').find(({ id }) => id === advertisers[2]!.id)

  it("doesn't hide a change seen and reverted since", async () => {
    await pausedAfterTheFirst({ clickThroughUrlSuffix: 'x=1' })
    await replica.edit([{ kind: 'change', key: advertiser(2), patch: { name: 'C' } }], { label: 'Name back' })
    await replica.post()
    replica.pause(false)
    await clock.pass(12_000)
    expect(third()).toMatchObject({ name: 'C', clickThroughUrlSuffix: 'x=1' })
  })

  it('overwrites no change known by now', async () => {
    await pausedAfterTheFirst({ name: 'Mine' })
    replica.pause(false)
    await clock.pass(12_000)
    expect(third()).toMatchObject({ name: 'Theirs' })
    expect(replica.outbox().map(({ state, conflict }) => [state, conflict?.fields])).toEqual([['needsYou', ['name']]])
  })
})

it("a calendar isn't cleared while its events are unreadable", async () => {
  let unread = true
  service.trouble = ({ id }) => (unread && id === 'calendar.events.list' ? 'preconditionFailed' : undefined)
  await clock.pass(3_600_000)
  const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
  service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, { summary: 'Review', ...times })
  const key = recordKey('calendars', null, 'me')
  await replica.edit([{ kind: 'action', key, action: { name: 'clearCalendar' } }], { label: 'Clear' })
  await clock.pass(60_000)
  expect(service.living('events me')).toHaveLength(1)
  unread = false
  await clock.pass(1_800_000)
  expect(service.living('events me')).toHaveLength(1)
  expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { unseen: [expect.any(String)] } }])
})

it("a list whose answer came after the computer's sleep isn't a look at what a deletion removes", async () => {
  const at = (hour: string): JsonObject => ({ dateTime: `2026-03-10T${hour}:00:00Z`, timeZone: 'UTC' })
  const series = { start: at('09'), end: at('10'), recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] }
  const { id } = service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, series)!
  replica.syncNow()
  await clock.pass(10_000)
  let attempts = 0
  let sleeps = true
  service.trouble = ({ id: operation, params }, moment) => {
    if (operation === 'calendar.events.delete' && moment === 'before' && attempts < 5) {
      attempts++
      return 'unavailable'
    }
    if (attempts < 5 || !sleeps || moment !== 'after' || operation !== 'calendar.events.list') return undefined
    if (params['calendarId'] !== 'me') return undefined
    sleeps = false
    clock.time += 25 * 24 * 3_600_000
    const occurrence = { calendarId: 'me', eventId: `${String(id)}_20260311T090000Z` }
    service.callAs('ada', 'calendar.events.patch', occurrence, { location: 'Here' })
    return undefined
  }
  await replica.edit([{ kind: 'delete', key: recordKey('events', 'me', String(id)) }], { label: 'Delete' })
  await clock.pass(600_000)
  expect([attempts, sleeps]).toEqual([5, false])
  expect(replica.outbox()).toMatchObject([{ kind: 'delete', conflict: { unseen: [expect.any(String)] } }])
})

it("a cached answer to an earlier deletion's look isn't a look at what the next one removes", async () => {
  const at = (hour: string): JsonObject => ({ dateTime: `2026-03-10T${hour}:00:00Z`, timeZone: 'UTC' })
  const series = { start: at('09'), end: at('10'), recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] }
  const [first, second] = ['A', 'B'].map((summary) => {
    const made = service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, { summary, ...series })
    return String(made!.id)
  })
  replica.syncNow()
  await clock.pass(10_000)
  service.cache(1_000)
  await replica.setOffline(true)
  await replica.edit([{ kind: 'delete', key: recordKey('events', 'me', first!) }], { label: 'Delete' })
  // The look succeeds, the deletion doesn't, and it's undone.
  let refuses = true
  service.trouble = ({ id }, moment) =>
    refuses && id === 'calendar.events.delete' && moment === 'before' ? 'unavailable' : undefined
  await replica.setOffline(false)
  await clock.pass(900)
  await replica.undo()
  await clock.pass(120_000)
  refuses = false
  const occurrence = { calendarId: 'me', eventId: `${second}_20260311T090000Z` }
  service.callAs('ada', 'calendar.events.patch', occurrence, { location: 'Here' })
  await replica.edit([{ kind: 'delete', key: recordKey('events', 'me', second!) }], { label: 'Delete' })
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'delete', conflict: { unseen: [expect.any(String)] } }])
})

it('a task renamed elsewhere, and seen here only before it was sent as completed, prompts before it is hidden', async () => {
  const { id } = service.callAs('ada', 'tasks.tasks.insert', { tasklist: 'inbox' }, { title: 'Pack' })!
  replica.syncNow()
  await clock.pass(10_000)
  let refuses = true
  service.trouble = ({ id: operation }, moment) =>
    refuses && operation === 'tasks.tasks.update' && moment === 'before' ? 'unavailable' : undefined
  const key = recordKey('tasks', 'inbox', String(id))
  await replica.edit([{ kind: 'change', key, patch: { status: 'completed' } }], { label: 'Complete' })
  const action = { name: 'clearCompleted' as const }
  await replica.edit([{ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action }], { label: 'Clear' })
  service.callAs('ada', 'tasks.tasks.patch', { tasklist: 'inbox', task: id! }, { title: 'Pack the tent' })
  await clock.pass(120_000)
  expect(replica.peek(key)?.base?.['title']).toBe('Pack the tent')
  refuses = false
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'action', conflict: { unseen: [key] } }])
})

it('a task reopened elsewhere before completed ones were hidden here stays in sight', async () => {
  const value = { title: 'Pack', status: 'completed' }
  const { id } = service.callAs('ada', 'tasks.tasks.insert', { tasklist: 'inbox' }, value)!
  replica.syncNow()
  await clock.pass(10_000)
  let refuses = true
  service.trouble = ({ id: operation }, moment) =>
    refuses && operation === 'tasks.tasks.clear' && moment === 'before' ? 'unavailable' : undefined
  const action = { name: 'clearCompleted' as const }
  await replica.edit([{ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action }], { label: 'Clear' })
  service.callAs('ada', 'tasks.tasks.patch', { tasklist: 'inbox', task: id! }, { status: 'needsAction' })
  await clock.pass(120_000)
  refuses = false
  await clock.pass(240_000)
  expect(replica.outbox()).toEqual([])
  expect(replica.peek(recordKey('tasks', 'inbox', String(id)))?.value).not.toHaveProperty('hidden')
})

it('a completed task whose deletion asks, because it was renamed, prompts before it is hidden instead', async () => {
  const value = { title: 'Pack', status: 'completed' }
  const { id } = service.callAs('ada', 'tasks.tasks.insert', { tasklist: 'inbox' }, value)!
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  const key = recordKey('tasks', 'inbox', String(id))
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  const action = { name: 'clearCompleted' as const }
  await replica.edit([{ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action }], { label: 'Clear' })
  service.callAs('ada', 'tasks.tasks.patch', { tasklist: 'inbox', task: id! }, { title: 'Pack the tent' })
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([
    { kind: 'delete', state: 'needsYou' },
    { kind: 'action', conflict: { unseen: [key] } },
  ])
})

it('a completed task that was changed just before it was hidden prompts before it is deleted', async () => {
  const value = { title: 'Pack', status: 'completed' }
  const { id } = service.callAs('ada', 'tasks.tasks.insert', { tasklist: 'inbox' }, value)!
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  const action = { name: 'clearCompleted' as const }
  await replica.edit([{ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action }], { label: 'Clear' })
  const key = recordKey('tasks', 'inbox', String(id))
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  service.trouble = ({ id: operation }, moment) => {
    if (operation !== 'tasks.tasks.clear' || moment !== 'before') return undefined
    service.trouble = () => undefined
    service.callAs('ada', 'tasks.tasks.patch', { tasklist: 'inbox', task: id! }, { notes: 'Passport!' })
    return undefined
  }
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'delete', state: 'needsYou' }])
})

it('a completed task that was renamed just before it was moved prompts before it is hidden', async () => {
  const made = ['Pack', 'Book'].map(
    (title) => service.callAs('ada', 'tasks.tasks.insert', { tasklist: 'inbox' }, { title, status: 'completed' })!.id!,
  )
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  const keys = made.map((id) => recordKey('tasks', 'inbox', String(id)))
  const move = { name: 'moveTask' as const, previous: String(made[0]) }
  await replica.edit([{ kind: 'action', key: keys[1]!, action: move }], { label: 'Move' })
  const clear = { name: 'clearCompleted' as const }
  await replica.edit([{ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action: clear }], {
    label: 'Clear',
  })
  service.trouble = ({ id: operation }, moment) => {
    if (operation !== 'tasks.tasks.move' || moment !== 'before') return undefined
    service.trouble = () => undefined
    service.callAs('ada', 'tasks.tasks.patch', { tasklist: 'inbox', task: made[1]! }, { title: 'Book the ferry' })
    return undefined
  }
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'action', conflict: { unseen: [keys[1]] } }])
})

it('a calendar is cleared without an event that was deleted when its author decided, and then restored', async () => {
  await replica.setOffline(true)
  const key = recordKey('calendars', null, 'me')
  await replica.edit([{ kind: 'action', key, action: { name: 'clearCalendar' } }], { label: 'Clear' })
  const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
  const { id } = service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, { summary: 'Review', ...times })!
  const event = { calendarId: 'me', eventId: id! }
  await replica.setOffline(false)
  await clock.pass(120_000)
  const asked = { state: 'needsYou', conflict: { unseen: [recordKey('events', 'me', String(id))] } }
  expect(replica.outbox()).toMatchObject([asked])
  service.callAs('ada', 'calendar.events.delete', event)
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  await replica.resolve(replica.outbox()[0]!.id, { keep: 'mine' })
  service.callAs('ada', 'calendar.events.patch', event, { status: 'confirmed', location: 'Room 2' })
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(service.living('events me')).toMatchObject([{ location: 'Room 2' }])
  expect(replica.outbox()).toMatchObject([asked])
})

it('a calendar is looked at again if the computer slept while its clearing was being noted as sent', async () => {
  let asleep = false
  device.store.beforeWrite = (batch) => {
    const isSent = batch.some(
      (write) => write.table === 'outbox' && 'put' in write && (write.put as { state?: string }).state === 'sending',
    )
    if (!isSent || asleep) return
    asleep = true
    clock.time += 25 * 24 * 3_600_000
    const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
    service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, { summary: 'Review', ...times })
  }
  const key = recordKey('calendars', null, 'me')
  await replica.edit([{ kind: 'action', key, action: { name: 'clearCalendar' } }], { label: 'Clear' })
  await clock.pass(600_000)
  expect(asleep).toBe(true)
  expect(service.living('events me')).toHaveLength(1)
  expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { unseen: [expect.any(String)] } }])
})

it('a calendar is cleared over a connection that takes 40 seconds per list', async () => {
  const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
  service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, { summary: 'Review', ...times })
  replica.syncNow()
  await clock.pass(10_000)
  const { setTimer } = clock.environment(seeded(2), () => true)
  service.delay = ({ id }) =>
    id.endsWith('.list') ? new Promise((done) => setTimer(done as () => void, 40_000)) : undefined
  const key = recordKey('calendars', null, 'me')
  await replica.edit([{ kind: 'action', key, action: { name: 'clearCalendar' } }], { label: 'Clear' })
  await clock.pass(3_600_000)
  expect(service.living('events me')).toEqual([])
  expect(replica.outbox()).toEqual([])
})

it('a task deleted and restored during an outage exists in the end', async () => {
  const value = { title: 'Milk', notes: 'two litres' }
  await replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value }], { label: 'New' })
  await clock.pass(5_000)
  const end = clock.time + 20_000
  let refused = false
  service.trouble = ({ id }, moment) => {
    if (moment !== 'before') return undefined
    if (id === 'tasks.tasks.delete' && clock.time < end) return 'unavailable'
    if (id !== 'tasks.tasks.insert' || refused) return undefined
    refused = true
    return 'unavailable'
  }
  const { key } = replica.rows('tasks', 'inbox').find((row) => row.value?.title === 'Milk')!
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  await clock.pass(18_000)
  await replica.undo()
  await clock.pass(120_000)
  expect(replica.outbox()).toEqual([])
  expect(service.living('tasks inbox').map(({ title }) => title)).toEqual(['Milk'])
})

it.each(['all', 'index'] as const)(
  'a creation sent before a database loss exists once (downloaded: %s)',
  async (what) => {
    await kept(what)
    const value: JsonObject = {
      name: 'Left',
      advertiserId: advertisers[0]!.id!,
      campaignId: campaign.id!,
      compatibility: 'DISPLAY',
      paymentSource: 'PLACEMENT_AGENCY_PAID',
      size: { width: 300, height: 250 },
      tagFormats: ['PLACEMENT_TAG_STANDARD'],
      pricingSchedule: { pricingType: 'PRICING_TYPE_CPM', startDate: '2026-03-02', endDate: '2026-04-30' },
    }
    await replica.edit([{ kind: 'create', collection: 'placements', parent: profile, value }], { label: 'New' })
    service.trouble = ({ id }, moment) =>
      id === 'trafficking.placements.insert' && moment === 'after' ? 'answerLost' : undefined
    await replica.post()
    for (let n = 0; n < 100 && service.trafficking.living('placements', '1').length === 0; n++) await clock.pass(50)
    device.crash()
    service.trouble = () => undefined
    const fresh = new Device('d0', service, clock, seeded(5))
    Object.assign(fresh.journal, { lines: device.journal.lines, epoch: device.journal.epoch, opened: true })
    fresh.opened = true
    const again = await fresh.start()
    await clock.pass(300_000)
    expect(again.outbox()).toEqual([])
    expect(service.trafficking.living('placements', '1')).toHaveLength(1)
  },
)

describe('an occurrence that someone changed while its series was sent', () => {
  const value = {
    summary: 'Yoga',
    start: { dateTime: '2026-03-02T09:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2026-03-02T10:00:00Z', timeZone: 'UTC' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  }

  /** The answer to the creation was lost before these edits. Mina edits the second occurrence before it's looked up. */
  async function changedMeanwhile(edits: (series: string, occurrence: string) => Change[]): Promise<void> {
    const create = { kind: 'create', collection: 'events', parent: 'me', value } as const
    service.trouble = (_call, moment) => (moment === 'after' ? 'answerLost' : undefined)
    const series = (await replica.edit([create], { label: 'New' })).keys[0]!
    await clock.pass(400)
    expect(replica.outbox()).toMatchObject([{ unknownOutcome: true }])
    await replica.setOffline(true)
    service.trouble = () => undefined
    const eventId = `${parseRecordKey(series).id}_20260303T090000Z`
    for (const change of edits(series, recordKey('events', 'me', eventId)))
      await replica.edit([change], { label: 'Edit' })
    service.meanwhile = ({ id, params }) => {
      if (id !== 'calendar.events.get' || params.eventId !== eventId) return
      service.meanwhile = () => undefined
      service.callAs('mina', 'calendar.events.patch', { calendarId: 'me', eventId }, { location: 'Harbor' })
    }
    await replica.setOffline(false)
    await clock.pass(120_000)
  }

  it('is asked about before it’s deleted', async () => {
    await changedMeanwhile((_series, key) => [{ kind: 'delete', key }])
    expect(replica.outbox()).toMatchObject([{ kind: 'delete', conflict: { remote: { location: 'Harbor' } } }])
  })

  it('is asked about before it’s cut off', async () => {
    const recurrence = ['RRULE:FREQ=DAILY;UNTIL=20260303T085959Z']
    let cut = ''
    await changedMeanwhile((series, key) => {
      cut = key
      return [
        { kind: 'change', key, patch: { summary: 'Yoga outside' } },
        { kind: 'change', key: series, patch: { recurrence }, hides: [key] },
      ]
    })
    expect(replica.outbox()).toMatchObject([{ kind: 'change', conflict: { unseen: [cut] } }])
    expect(service.living('events me').map(({ location }) => location)).toEqual([undefined, 'Harbor'])
  })
})

describe('a task that was moved into another one, without an answer', () => {
  const inbox = { tasklist: 'inbox' }
  const place = (id: string): unknown => service.living('tasks inbox').find((task) => task.id === id)!.parent

  it.each([
    ['is not moved again if someone moved it since', 'after', true, 'merged'],
    ['is not moved again if it arrived', 'after', false, 'confirmed'],
    ['is moved if it never arrived', 'before', false, 'confirmed'],
  ] as const)('%s', async (_what, moment, isMoved, how) => {
    const [first, second, third] = ['Pack', 'Book', 'Buy'].map((title) =>
      String(service.callAs('ada', 'tasks.tasks.insert', inbox, { title })!.id),
    ) as [string, string, string]
    replica.syncNow()
    await clock.pass(10_000)
    service.trouble = ({ id }, now) => {
      if (id !== 'tasks.tasks.move' || now !== moment) return undefined
      service.trouble = () => undefined
      return 'answerLost'
    }
    const move = { name: 'moveTask' as const, parent: second }
    await replica.edit([{ kind: 'action', key: recordKey('tasks', 'inbox', first), action: move }], { label: 'Move' })
    await clock.pass(500)
    await replica.setOffline(true)
    if (isMoved) service.callAs('ada', 'tasks.tasks.move', { ...inbox, task: first, parent: third })
    service.calls.length = 0
    await replica.setOffline(false)
    await clock.pass(120_000)
    expect([replica.outbox(), place(first)]).toEqual([[], isMoved ? third : second])
    expect(service.calls.filter(({ id }) => id === 'tasks.tasks.move')).toHaveLength(moment === 'after' ? 0 : 1)
    expect((await replica.history())[0]).toMatchObject({ how })
  })
})
