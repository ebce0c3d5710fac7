import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { CheckResult } from '../../src-renderer/replica/check-result'
import type { Write } from '../../src-renderer/replica/store'
import { modelForEach } from './model/for-each'

const list = 'inbox'
const keyOf = (id: unknown): string => recordKey('tasks', list, String(id))
const hour = 3_600_000
let tasks: JsonObject[]

const { clock, service, device, replica } = modelForEach(10_000, async () => {
  tasks = Array.from({ length: 16 }, (_, at) =>
    service.callAs('ada', 'tasks.tasks.insert', { tasklist: list }, { title: `Task ${at}`, notes: 'Theirs' })!,
  )
  // Changes just before the first sync would be read again by the next one.
  await clock.pass(60_000)
})

const last = (): CheckResult | undefined => replica.status.lanes.find((lane) => lane.service === 'tasks')?.check?.last
const running = (): unknown => replica.status.lanes.find((lane) => lane.service === 'tasks')?.check?.running
const titles = (): unknown[] => replica.rows('tasks', list).map(({ value }) => value?.title)
const findings = (): unknown[] | undefined => last()?.repairs.map(({ difference, id }) => [difference, id])

/** Changes this computer's database behind the app's back. */
async function damage(...writes: Write[]): Promise<void> {
  await clock.pass(10_000)
  await device.store.write(writes)
  device.crash()
  await device.start()
  await clock.pass(10_000)
}
const rowAt = async (at: number): Promise<Extract<Write, { put: unknown; table: 'rows' }>['put']> =>
  (await device.stored('tasks', list)).find(({ id }) => id === tasks[at]!.id)!

async function extraRow(): Promise<Write> {
  const row = await rowAt(0)
  return {
    table: 'rows',
    put: { ...row, key: keyOf('ghost'), id: 'ghost', base: { ...row.base, id: 'ghost', title: 'Ghost' } },
  }
}
const missingRow = (): Write => ({ table: 'rows', remove: keyOf(tasks[1]!.id) })
async function stale(): Promise<Write> {
  const row = await rowAt(2)
  return { table: 'rows', put: { ...row, etag: '"old"', base: { ...row.base, title: 'Old' } } }
}

async function check(): Promise<void> {
  replica.checkSync()
  await clock.pass(20_000)
  expect(running()).toBeUndefined()
}

describe('a sync check', () => {
  it('finds nothing when everything matches, and counts the records', async () => {
    await check()
    expect(last()).toMatchObject({ lists: 2, asked: true, repairs: [] })
  })

  it('repairs an extra, a missing, and an outdated record that a normal sync misses', async () => {
    await damage(await extraRow(), missingRow(), await stale())
    expect(titles()).toContain('Ghost')
    expect(titles()).toContain('Old')
    expect(titles()).not.toContain('Task 1')
    await check()
    expect(titles().sort()).toEqual(tasks.map(({ title }) => title).sort())
    expect(findings()).toEqual(
      expect.arrayContaining([
        ['ghost', 'ghost'],
        ['hole', tasks[1]!.id],
        ['stale', tasks[2]!.id],
      ]),
    )
    expect(last()!.repairs).toHaveLength(3)
    await check()
    expect(last()!.repairs).toEqual([])
  })

  it('keeps its result over a restart', async () => {
    await damage(missingRow())
    await check()
    const before = last()
    await damage()
    expect(last()).toEqual(before)
    expect(before!.repairs).toHaveLength(1)
  })

  it('drops no pending edit of an extra or outdated record', async () => {
    await damage(await extraRow(), await stale())
    replica.pause(true)
    await replica.edit(
      [
        { kind: 'change', key: keyOf('ghost'), patch: { notes: 'Mine for the ghost' } },
        { kind: 'change', key: keyOf(tasks[2]!.id), patch: { notes: 'Mine' } },
      ],
      { label: 'Notes' },
    )
    await check()
    expect(last()!.repairs).toHaveLength(2)
    expect(replica.outbox().map(({ patch }) => patch.notes)).toEqual(['Mine for the ghost', 'Mine'])
    expect(replica.peek(keyOf(tasks[2]!.id))!.value).toMatchObject({ title: 'Task 2', notes: 'Mine' })
    replica.pause(false)
    await clock.pass(30_000)
    const { value } = service.shelf(`tasks ${list}`).held.get(String(tasks[2]!.id))!
    expect(value).toMatchObject({ title: 'Task 2', notes: 'Mine' })
    expect(replica.outbox()).toMatchObject([{ recordId: 'ghost', state: 'needsYou' }])
  })

  it('removes and reverts nothing when an older list is served', async () => {
    service.cache(100)
    await check()
    const made = service.callAs('ada', 'tasks.tasks.insert', { tasklist: list }, { title: 'New' })!
    service.callAs('ada', 'tasks.tasks.patch', { tasklist: list, task: tasks[3]!.id! }, { title: 'Newer' })
    replica.syncNow()
    await clock.pass(10_000)
    expect(titles()).toEqual(expect.arrayContaining(['New', 'Newer']))
    await check()
    expect(replica.peek(keyOf(made.id))?.value?.title).toBe('New')
    expect(titles()).toContain('Newer')
    expect(last()!.repairs).toEqual([])
  })

  it('keeps the cursor when canceled and can restart', async () => {
    await damage(missingRow())
    replica.checkSync()
    replica.cancelCheck()
    await clock.pass(20_000)
    expect(last()).toBeUndefined()
    expect(titles()).not.toContain('Task 1')
    await check()
    expect(titles()).toContain('Task 1')
  })

  it('reports a service error and repairs next time', async () => {
    await damage(missingRow())
    service.trouble = ({ id, params }) =>
      id === 'tasks.tasks.list' && params.updatedMin === undefined ? 'unavailable' : undefined
    await check()
    expect(last()?.fault).toBeDefined()
    service.trouble = () => undefined
    await check()
    expect(last()?.fault).toBeUndefined()
    expect(titles()).toContain('Task 1')
  })

  it('runs automatically an hour after the first sync, then daily', async () => {
    await damage(missingRow())
    device.budgets = []
    await clock.pass(50 * 60_000)
    expect(titles()).not.toContain('Task 1')
    await clock.pass(20 * 60_000)
    expect(last()).toMatchObject({ asked: false, repairs: [{ difference: 'hole', name: 'Task 1' }] })
    await damage(missingRow())
    await clock.pass(22 * hour)
    expect(titles()).not.toContain('Task 1')
    await clock.pass(3 * hour)
    expect(titles()).toContain('Task 1')
  })

  it('runs automatically even if the app never runs for an hour', async () => {
    await damage(missingRow())
    device.budgets = []
    for (let start = 0; start < 4; start++) {
      await clock.pass(20 * 60_000)
      device.crash()
      await device.start()
    }
    await clock.pass(10_000)
    expect(titles()).toContain('Task 1')
  })

  it("doesn't wait after the clock was set back", async () => {
    await damage(missingRow())
    device.budgets = []
    device.skew = -400 * 24 * hour
    await clock.pass(10 * 60_000)
    expect(titles()).toContain('Task 1')
  })

  it('preserves the last daily quota, also manually, and says so', async () => {
    await damage(missingRow())
    const budget = { service: 'tasks', per: 'day', limit: 100, renews: 0 } as const
    device.budgets = [{ ...budget, used: 90 }]
    await clock.pass(2 * hour)
    await check()
    expect(last()).toMatchObject({ asked: true, fault: { code: 'quotaSpent' }, repairs: [] })
    expect(titles()).not.toContain('Task 1')
    device.budgets = [{ ...budget, used: 10 }]
    await clock.pass(2 * hour)
    expect(titles()).toContain('Task 1')
  })

  it("keeps a daily check's repairs until a manual check", async () => {
    await damage(missingRow())
    device.budgets = []
    await clock.pass(2 * hour)
    await clock.pass(50 * hour)
    expect(findings()).toEqual([['hole', tasks[1]!.id]])
    await damage(await stale())
    await clock.pass(25 * hour)
    expect(findings()).toEqual([
      ['hole', tasks[1]!.id],
      ['stale', tasks[2]!.id],
    ])
    await check()
    expect(last()).toMatchObject({ asked: true, repairs: [] })
  })

  it.each(['canceled', 'a crash', 'a fault'])('reports its repairs when ended by %s', async (end) => {
    await damage(...tasks.map(({ id }): Write => ({ table: 'rows', remove: keyOf(id) })))
    let reads = 0
    device.beforeAnswer = (name) => {
      if (name !== 'sync/read-many' || ++reads < 2) return undefined
      if (end === 'a fault') throw new FaultError({ code: 'unavailable', message: 'Not now' })
      if (end === 'a crash') return new Promise<never>(() => undefined)
      return replica.cancelCheck('tasks')
    }
    device.budgets = []
    await clock.pass(2 * hour)
    device.beforeAnswer = null
    if (end === 'a crash') {
      device.crash()
      await device.start()
    }
    expect(last()!.repairs.length).toBeGreaterThanOrEqual(10)
    await clock.pass(26 * hour)
    expect(
      last()!
        .repairs.map(({ id }) => id)
        .sort(),
    ).toEqual(tasks.map(({ id }) => String(id)).sort())
  })

  it('stops at once when going offline, says so, and leaves nothing running', async () => {
    await damage(missingRow())
    device.beforeAnswer = async (name) => {
      if (name !== 'sync/pull' || running() === undefined) return
      device.beforeAnswer = null
      await replica.setOffline(true)
    }
    await check()
    expect(last()).toMatchObject({ asked: true, fault: { code: 'offline' } })
    await replica.setOffline(false)
    await check()
    expect(last()!.fault).toBeUndefined()
    expect(titles()).toContain('Task 1')
  })

  it('stops at once when requested offline', async () => {
    await replica.setOffline(true)
    await check()
    expect(last()).toMatchObject({ lists: 0, fault: { code: 'offline' } })
  })

  it('continues with other lists when one becomes unreadable', async () => {
    service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Second' })
    replica.syncNow()
    await clock.pass(10_000)
    await damage(missingRow())
    service.trouble = ({ id }) => (id === 'tasks.tasklists.list' && running() ? 'forbidden' : undefined)
    await check()
    expect(last()).toMatchObject({ lists: 2, fault: { code: 'forbidden' } })
    expect(titles()).toContain('Task 1')
  })

  it('restarts when its page token expires within a list', async () => {
    await damage(await stale())
    let expired = 0
    service.trouble = ({ id, params }, moment) =>
      id === 'tasks.tasks.list' && running() && params.pageToken && moment === 'before' && expired++ === 0
        ? 'cursorExpired'
        : undefined
    await check()
    expect(expired).toBeGreaterThan(1)
    expect(findings()).toEqual([['stale', tasks[2]!.id]])
  })

  it('ignores pending creations and deletions', async () => {
    await damage(missingRow())
    replica.pause(true)
    await replica.edit(
      [
        { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Mine' } },
        { kind: 'delete', key: keyOf(tasks[4]!.id) },
      ],
      { label: 'Edit' },
    )
    await check()
    expect(findings()).toEqual([['hole', tasks[1]!.id]])
    expect(replica.outbox()).toHaveLength(2)
    expect(titles()).not.toContain('Task 4')
    replica.pause(false)
    await clock.pass(30_000)
    expect(replica.outbox()).toEqual([])
    expect(titles()).toContain('Mine')
    expect(titles()).not.toContain('Task 4')
  })

  it('runs soon after finding an older database', async () => {
    replica.pause(true)
    await replica.edit([{ kind: 'change', key: keyOf(tasks[5]!.id), patch: { notes: 'Mine' } }], { label: 'Notes' })
    await clock.pass(10_000)
    const { data } = device.disk
    const older = Object.values(data).map((table) => new Map<string, unknown>(table))
    replica.pause(false)
    await clock.pass(30_000)
    expect(replica.outbox()).toEqual([])
    device.crash()
    for (const [at, table] of Object.values(data).entries()) {
      table.clear()
      for (const [key, row] of older[at]!) (table as Map<string, unknown>).set(key, row)
    }
    device.budgets = []
    data.rows.delete(keyOf(tasks[1]!.id))
    await device.start()
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    expect(titles()).toContain('Task 1')
  })

  it('repairs events and keeps their sync token', async () => {
    const made = ['One', 'Two', 'Three'].map((summary, at) => {
      const moment = (hour: number) => ({ dateTime: `2026-03-0${at + 2}T${hour}:00:00Z` })
      const body = { summary, start: moment(10), end: moment(11) }
      return service.callAs('ada', 'calendar.events.insert', { calendarId: 'me' }, body)!
    })
    const eventKey = (at: number): string => recordKey('events', 'me', String(made[at]!.id))
    replica.syncNow()
    await clock.pass(10_000)
    const row = (await device.stored('events', 'me')).find(({ id }) => id === made[1]!.id)!
    await damage(
      { table: 'rows', put: { ...row, etag: '"old"', base: { ...row.base, summary: 'Old' } } },
      { table: 'rows', put: { ...row, key: recordKey('events', 'me', 'ghost'), id: 'ghost' } },
    )
    expect((await replica.read(eventKey(1)))!.value!.summary).toBe('Old')
    await replica.edit([{ kind: 'change', key: eventKey(0), patch: { description: 'Mine' } }], { label: 'Edit' })
    await check()
    const events = replica.status.lanes.find((lane) => lane.service === 'calendar')!.check!.last!
    expect(events.repairs.map(({ difference, id }) => [difference, id]).sort()).toEqual([
      ['ghost', 'ghost'],
      ['stale', made[1]!.id],
    ])
    expect((await replica.read(eventKey(1)))!.value!.summary).toBe('Two')
    service.callAs('ada', 'calendar.events.patch', { calendarId: 'me', eventId: made[2]!.id! }, { summary: 'Later' })
    replica.syncNow()
    await clock.pass(10_000)
    expect((await replica.read(eventKey(2)))!.value!.summary).toBe('Later')
    expect((await replica.read(eventKey(0)))!.value!.description).toBe('Mine')
  })
})
