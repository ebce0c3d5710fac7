import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Replica } from '../../src-renderer/replica/api'
import { devicesForEach } from '../helpers/for-file'
import { event, change, titles, primary, times } from '../helpers/some-event'

const { service, here, there } = devicesForEach()

const value = async (replica: Replica, key: string): Promise<JsonObject | null | undefined> =>
  (await replica.read(key))?.value
const tasks = (replica: Replica): string[] =>
  replica
    .rows('tasks')
    .map((row) => String(row.value?.['title']))
    .sort()

describe('two devices and one service', () => {
  it('an offline edit shows at once as pending and arrives exactly once', async () => {
    await here.replica.setOffline(true)
    const key = await event(here.replica, 'Made offline')
    expect(titles(here.replica)).toEqual(['Made offline'])
    expect(here.replica.peek(key)?.mark ?? (await here.replica.read(key))?.mark).toBe('local')
    expect(here.replica.status).toMatchObject({ unsent: 1, offline: true })
    await here.replica.setOffline(false)
    await here.settled()
    await there.settled()
    expect(titles(there.replica)).toEqual(['Made offline'])
    expect((await here.replica.read(key))?.mark).toBe('synced')
  })

  it('edits of different fields survive, with a receipt', async () => {
    const key = await event(here.replica, 'Review')
    await here.settled()
    await there.settled()
    await Promise.all([here.replica.setOffline(true), there.replica.setOffline(true)])
    await change(here.replica, key, { location: 'Room 2' })
    await change(there.replica, key, { summary: 'Review, with Mina' })
    await there.replica.setOffline(false)
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    await there.settled()
    for (const { replica } of [here, there])
      expect(await value(replica, key)).toMatchObject({ location: 'Room 2', summary: 'Review, with Mina' })
    expect(
      (await here.replica.history()).some(({ how, receipt }) => how === 'merged' && receipt?.mine.includes('location')),
    ).toBe(true)
  })

  it('a field conflict keeps all three versions until resolved, also over a restart', async () => {
    const key = await event(here.replica, 'Launch')
    await here.settled()
    await there.settled()
    await Promise.all([here.replica.setOffline(true), there.replica.setOffline(true)])
    await change(here.replica, key, { summary: 'Launch, mine', location: 'Room 1' })
    await change(there.replica, key, { summary: 'Launch, theirs' })
    await there.replica.setOffline(false)
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    await here.restart()
    await here.asks()
    const [entry] = here.replica.outbox()
    expect(entry).toMatchObject({
      base: { summary: 'Launch' },
      patch: { summary: 'Launch, mine' },
      conflict: { fields: ['summary'], remote: { summary: 'Launch, theirs' } },
    })
    await here.replica.resolve(entry!.id, { fields: { summary: 'mine' } })
    await here.settled()
    await there.settled()
    for (const { replica } of [here, there])
      expect(await value(replica, key)).toMatchObject({ summary: 'Launch, mine', location: 'Room 1' })
    expect(here.replica.outbox()).toEqual([])
  })

  it.each(['rename', 'delete'] as const)(
    'a %s pending behind a move asks when the other side renamed',
    async (second) => {
      const list = here.replica.rows('tasklists')[0]!.id
      const add = (title: string): Promise<{ keys: string[] }> =>
        here.replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value: { title } }], { label: title })
      await add('Brief')
      await add('Budget')
      await here.settled()
      await there.settled()
      const brief = (replica: Replica): string =>
        replica.rows('tasks').find((row) => row.base?.['title'] === 'Brief')!.key
      const [key, previous] = [
        brief(here.replica),
        here.replica.rows('tasks').find((row) => row.value?.['title'] === 'Budget')!.id,
      ]
      await here.replica.setOffline(true)
      await here.replica.edit([{ kind: 'action', key, action: { name: 'moveTask', previous } }], { label: 'Move' })
      await here.replica.edit(
        [second === 'rename' ? { kind: 'change', key, patch: { title: 'Brief, mine' } } : { kind: 'delete', key }],
        { label: second },
      )
      await change(there.replica, brief(there.replica), { title: 'Brief, theirs' })
      await there.settled()
      await here.replica.setOffline(false)
      await here.asks()
      expect(here.replica.outbox()[0]!.conflict?.remote).toMatchObject({ title: 'Brief, theirs' })
      await there.settled()
      expect(tasks(there.replica)).toContain('Brief, theirs')
    },
  )

  it('just-sent events can be edited at once', async () => {
    const made = await here.replica.edit(
      Array.from({ length: 150 }, (_unused, n) => ({
        kind: 'create' as const,
        collection: 'events' as const,
        parent: primary,
        value: { summary: `Event ${n}`, ...times },
      })),
      { label: 'Many events' },
    )
    await here.until('sent', ({ status }) => status.unsent === 0)
    await here.replica.edit(
      made.keys.map((key) => ({ kind: 'change' as const, key, patch: { location: 'Room 2' } })),
      { label: 'Many rooms' },
    )
    await here.settled()
    await there.settled()
    for (const key of made.keys) expect(await value(there.replica, key)).toMatchObject({ location: 'Room 2' })
  })

  it('work continues while one entry needs attention', async () => {
    const key = await event(here.replica, 'Stuck')
    await here.settled()
    await there.settled()
    await there.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await there.settled()
    await change(here.replica, key, { location: 'Nowhere' })
    await event(here.replica, 'Flows')
    await here.until('sent but one', ({ status }) => status.unsent === 1 && status.needsYou === 1)
    await there.settled()
    expect(titles(there.replica)).toEqual(['Flows'])
  })

  it('an offline task list, task, and subtask arrive as a tree with real IDs', async () => {
    await here.replica.setOffline(true)
    const {
      keys: [listKey],
    } = await here.replica.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Launch plan' } }],
      { label: 'New list' },
    )
    const listId = listKey!.split('\n')[2]!
    const {
      keys: [taskKey],
    } = await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: listId, value: { title: 'Brief' } }], {
      label: 'New task',
    })
    const taskId = taskKey!.split('\n')[2]!
    await here.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: listId, value: { title: 'Budget' }, place: { parent: taskId } }],
      { label: 'New subtask' },
    )
    await here.replica.setOffline(false)
    await here.settled()
    await there.settled()
    const [list] = there.replica.rows('tasklists').filter((row) => row.value?.['title'] === 'Launch plan')
    const found = there.replica.rows('tasks', list!.id)
    expect(found.map((row) => row.value?.['title']).sort()).toEqual(['Brief', 'Budget'])
    const brief = found.find((row) => row.value?.['title'] === 'Brief')!
    expect(found.find((row) => row.value?.['title'] === 'Budget')!.value?.['parent']).toBe(brief.id)
    const sent = await service.requests()
    expect(JSON.stringify(sent)).not.toContain('local')
  })

  it.each([
    ['lost after the commit', { drop: 'after' }],
    ['cut in half', { half: true }],
    ['never arrived', { drop: 'before' }],
    ['a server error', { status: 503, reason: 'backendError' }],
    ['a rate limit', { status: 403, reason: 'userRateLimitExceeded', retryAfter: 1 }],
    ['a captive portal', { html: true }],
  ])('new events and tasks exist once, although the response is %s', async (_name, trouble) => {
    const list = here.replica.rows('tasklists')[0]!.id
    for (const operation of ['calendar.events.insert', 'tasks.tasks.insert']) await service.fail(operation, trouble)
    await event(here.replica, 'Once')
    await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Once' } }], {
      label: 'New task',
    })
    await here.until('all sent', ({ status }) => status.unsent === 0)
    await there.settled()
    expect(titles(there.replica)).toEqual(['Once'])
    expect(tasks(there.replica)).toEqual(['Once'])
  })

  it.each([
    ['the same', 'Moved', 'Moved', undefined],
    ['another', 'Moved', 'Renamed', ['summary']],
  ] as const)('a deleted event that both keep with %s title exists once', async (_title, first, second, asked) => {
    const key = await event(here.replica, 'Standup')
    await here.settled()
    await there.settled()
    const { id } = here.replica.peek(key) ?? (await here.replica.read(key))!
    for (const { replica } of [here, there]) await replica.setOffline(true)
    await change(here.replica, key, { summary: first })
    await change(there.replica, key, { summary: second })
    await service.client.call('calendar.events.delete', { calendarId: primary, eventId: id })
    for (const one of [here, there]) {
      await one.replica.setOffline(false)
      await one.asks()
    }
    for (const one of [here, there]) {
      await one.replica.resolve(one.replica.outbox()[0]!.id, { keep: 'mine' })
      await one.settled()
    }
    const { body } = await service.client.call('calendar.events.list', { calendarId: primary })
    expect(body.items!.map(({ summary }) => summary)).toEqual([first])
    const [question] = there.replica.outbox()
    expect(question?.conflict?.fields).toEqual(asked)
    if (!question) return
    await there.replica.resolve(question.id, { keep: 'mine' })
    await there.settled()
    const { body: then } = await service.client.call('calendar.events.list', { calendarId: primary })
    expect(then.items!.map(({ summary }) => summary)).toEqual([second])
    expect(there.replica.outbox()).toEqual([])
  })

  it('an expired session pauses the queue and drops nothing', async () => {
    await service.order('POST', '/expire-bearer')
    await event(here.replica, 'Waiting for sign-in')
    await here.until('frozen', ({ status }) => status.phase === 'signIn')
    expect(here.replica.status.unsent).toBe(1)
    const { token } = await service.order('POST', '/renew-bearer')
    service.sandbox.token = String(token)
    here.replica.syncNow()
    await here.until('sent', ({ status }) => status.unsent === 0)
    await there.settled()
    expect(titles(there.replica)).toEqual(['Waiting for sign-in'])
  })

  it('expired sync tokens reload next to the rows and keep unsent changes', async () => {
    const kept = await event(here.replica, 'Kept')
    await event(here.replica, 'Deleted elsewhere')
    await here.settled()
    await there.settled()
    await here.replica.setOffline(true)
    await change(here.replica, kept, { location: 'Unsent' })
    const [gone] = there.replica.items(0, 4e12).filter(({ title }) => title === 'Deleted elsewhere')
    await there.replica.edit([{ kind: 'delete', key: gone!.rowKey }], { label: 'Delete' })
    await there.settled()
    await service.order('POST', '/expire-sync-tokens')
    await here.replica.setOffline(false)
    await here.settled()
    expect(titles(here.replica)).toEqual(['Kept'])
    await there.settled()
    expect(await value(there.replica, kept)).toMatchObject({ location: 'Unsent' })
  })

  it('a wiped database is restored from the service and the journal, with an alert', async () => {
    const key = await event(here.replica, 'Sent before')
    await here.settled()
    await here.replica.setOffline(true)
    await change(here.replica, key, { location: 'Unsent' })
    await event(here.replica, 'Never sent')
    await here.restart({ wiped: true })
    expect(here.replica.notices().length).toBeGreaterThan(0)
    expect(here.replica.status.unsent).toBe(2)
    await here.replica.setOffline(false)
    await here.settled()
    await there.settled()
    expect(titles(there.replica)).toEqual(['Never sent', 'Sent before'])
    expect(await value(there.replica, recordKey('events', primary, key.split('\n')[2]!))).toMatchObject({
      location: 'Unsent',
    })
  })

  it('undo reverts both unsent and sent changes', async () => {
    await here.replica.setOffline(true)
    await event(here.replica, 'Never mind')
    await here.replica.undo()
    expect(here.replica.outbox()).toEqual([])
    await here.replica.setOffline(false)
    const key = await event(here.replica, 'Sent')
    await here.settled()
    await change(here.replica, key, { summary: 'Renamed' })
    await here.settled()
    await here.replica.undo()
    await here.settled()
    await there.settled()
    expect(titles(there.replica)).toEqual(['Sent'])
  })
})
