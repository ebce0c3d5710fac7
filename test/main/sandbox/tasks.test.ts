import { describe, expect, it } from 'vitest'
import { connect, query, tasks, type Client } from './client'

const lists = '/tasks/v1/users/@me/lists'

interface Task {
  id: string
  title: string
  parent?: string
  position: string
}

const add = async (
  client: Client,
  title: string,
  params: Record<string, string> = {},
  list = '@default',
): Promise<Task> => (await client.post(`/tasks/v1/lists/${list}/tasks${query(params)}`, { title })).body

/** Titles as displayed: by position, subtasks under their parent. */
async function order(client: Client, list = '@default'): Promise<string[]> {
  const { body } = await client.get(`/tasks/v1/lists/${list}/tasks?maxResults=100`)
  const sorted = [...(body.items as Task[])].sort((a, b) => (a.position < b.position ? -1 : 1))
  return sorted
    .filter((task) => !task.parent)
    .flatMap((task) => [
      task.title,
      ...sorted.filter((child) => child.parent === task.id).map((child) => `  ${child.title}`),
    ])
}

describe('task lists', () => {
  it('are created, renamed, paged, and deleted, except for the default one', async () => {
    const client = await connect()
    const { body: list } = await client.post(lists, { title: 'Launches' })
    expect(list).toMatchObject({ kind: 'tasks#taskList', title: 'Launches' })
    expect((await client.patch(`${lists}/${list.id}`, { title: 'x' }, { 'if-match': '"1"' })).reason).toBe(
      'conditionNotMet',
    )
    const { body: renamed } = await client.patch(`${lists}/${list.id}`, { title: 'Renamed' }, { 'if-match': list.etag })
    expect([renamed.title, renamed.etag === list.etag]).toEqual(['Renamed', false])
    expect((await client.put(`${lists}/${list.id}`, { ...renamed, title: 'Whole' })).body.title).toBe('Whole')
    const page = await client.get(`${lists}?maxResults=1`)
    const rest = await client.get(`${lists}${query({ maxResults: 1, pageToken: page.body.nextPageToken })}`)
    expect([page.body.items[0].title, rest.body.items[0].title, rest.body.nextPageToken]).toEqual([
      'My tasks',
      'Whole',
      undefined,
    ])
    expect((await client.get(lists, { 'if-none-match': (await client.get(lists)).body.etag })).status).toBe(304)
    expect((await client.del(`${lists}/@default`)).status).toBe(400)
    expect((await client.del(`${lists}/${page.body.items[0].id}`)).status).toBe(400)
    expect((await client.del(`${lists}/${list.id}`)).status).toBe(204)
    const gone = await client.get(`${lists}/${list.id}`)
    expect([gone.status, gone.reason, gone.body.error.status]).toEqual([404, 'notFound', 'NOT_FOUND'])
    expect((await client.get(`/tasks/v1/lists/${list.id}/tasks`)).status).toBe(404)
    const long = await client.post(lists, { title: 't'.repeat(1025) })
    expect([long.status, long.location, long.body.error.status]).toEqual([400, 'title', 'INVALID_ARGUMENT'])
  })
})

describe('tasks', () => {
  it('keep only the day of their due date', async () => {
    const client = await connect()
    const { body } = await client.post(tasks, { title: 'T', due: '2026-01-05T17:30:00.000Z', notes: 'N' })
    expect(body).toMatchObject({
      kind: 'tasks#task',
      title: 'T',
      notes: 'N',
      due: '2026-01-05T00:00:00.000Z',
      status: 'needsAction',
    })
    expect(body.position).toMatch(/^\d{20}$/)
    expect(body.selfLink).toContain(body.id)
    expect((await client.patch(`${tasks}/${body.id}`, { due: null })).body).not.toHaveProperty('due')
  })

  it('set `completed` with the status and clear it again', async () => {
    const now = Date.UTC(2026, 5, 10, 6)
    const client = await connect({ now: () => now })
    const { id } = await add(client, 'T')
    const { body: done } = await client.patch(`${tasks}/${id}`, { status: 'completed' })
    expect(Date.parse(done.completed)).toBe(now)
    const { body: open } = await client.patch(`${tasks}/${id}`, { status: 'needsAction' })
    expect([open.status, open.completed]).toEqual(['needsAction', undefined])
    const { body: then } = await client.patch(`${tasks}/${id}`, {
      status: 'completed',
      completed: '2026-01-02T03:04:05.000Z',
    })
    expect(then.completed).toBe('2026-01-02T03:04:05.000Z')
  })

  it('are replaced by update, patched by field, and guarded by etags', async () => {
    const client = await connect()
    const { body: task } = await client.post(tasks, { title: 'T', notes: 'N', due: '2026-01-05T00:00:00Z' })
    const path = `${tasks}/${task.id}`
    expect((await client.put(path, { title: 'x' }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await client.del(path, { 'if-match': '"1"' })).status).toBe(412)
    const { body: patched } = await client.patch(path, { title: 'P' }, { 'if-match': task.etag })
    expect(patched).toMatchObject({ title: 'P', notes: 'N', due: task.due })
    expect((await client.get(path, { 'if-none-match': patched.etag })).status).toBe(304)
    const { body: whole } = await client.put(path, { id: task.id, title: 'W' }, { 'if-match': patched.etag })
    expect(whole).toMatchObject({ title: 'W', position: task.position })
    expect([whole.notes, whole.due]).toEqual([undefined, undefined])
    const { body: again } = await client.put(path, whole)
    expect(again.title).toBe('W')
  })

  it('reject unknown fields and values without a change', async () => {
    const client = await connect()
    const { body: task } = await client.post(tasks, { title: 'T' })
    for (const [body, location] of [
      [{ surprise: 1 }, 'surprise'],
      [{ title: 't'.repeat(1025) }, 'title'],
      [{ notes: 'n'.repeat(8193) }, 'notes'],
      [{ status: 'started' }, 'status'],
      [{ due: 'tomorrow' }, 'due'],
      [{ completed: 'yes' }, 'completed'],
      [{ deleted: 'yes' }, 'deleted'],
    ] as const) {
      for (const answer of [
        await client.post(tasks, body),
        await client.patch(`${tasks}/${task.id}`, body),
        await client.put(`${tasks}/${task.id}`, body),
      ]) {
        expect([body, answer.status, answer.location, answer.body.error.status]).toEqual([
          body,
          400,
          location,
          'INVALID_ARGUMENT',
        ])
      }
    }
    expect((await client.get(tasks)).body.items).toEqual([task])
    const ignored = await client.post(tasks, {
      title: 'I',
      position: '7',
      parent: task.id,
      hidden: true,
      kind: 'other',
      selfLink: 'x',
    })
    expect([ignored.status, ignored.body.parent, ignored.body.hidden]).toEqual([200, undefined, undefined])
    expect((await client.post(tasks, { title: 't'.repeat(1024), notes: 'n'.repeat(8192) })).status).toBe(200)
  })

  it('go first without `previous`, after it with, and under a parent', async () => {
    const client = await connect()
    const a = await add(client, 'a')
    const b = await add(client, 'b')
    expect(await order(client)).toEqual(['b', 'a'])
    const c = await add(client, 'c', { previous: b.id })
    await add(client, 'a1', { parent: a.id })
    const a2 = await add(client, 'a2', { parent: a.id })
    expect(await order(client)).toEqual(['b', 'c', 'a', '  a2', '  a1'])
    const move = (task: Task, params: Record<string, string>) => client.post(`${tasks}/${task.id}/move${query(params)}`)
    expect((await move(b, { previous: a.id })).body.id).toBe(b.id)
    expect(await order(client)).toEqual(['c', 'a', '  a2', '  a1', 'b'])
    await move(a2, {})
    expect(await order(client)).toEqual(['a2', 'c', 'a', '  a1', 'b'])
    await move(c, { parent: a.id })
    expect(await order(client)).toEqual(['a2', 'a', '  c', '  a1', 'b'])
    for (const [task, params, location] of [
      [b, { parent: 'nope' }, 'parent'],
      [b, { previous: 'nope' }, 'previous'],
      [b, { parent: c.id }, 'parent'],
      [b, { previous: c.id }, 'previous'],
      [b, { parent: b.id }, 'parent'],
      [a, { parent: b.id }, 'parent'],
    ] as const) {
      const answer = await move(task, params as Record<string, string>)
      expect([params, answer.status, answer.location]).toEqual([params, 400, location])
    }
    expect((await client.post(`${tasks}${query({ parent: 'nope' })}`, { title: 'x' })).location).toBe('parent')
    expect(await order(client)).toEqual(['a2', 'a', '  c', '  a1', 'b'])
  })

  it('keep their order after any number of insertions between two', async () => {
    const client = await connect()
    const first = await add(client, 'first')
    await add(client, 'last', { previous: first.id })
    for (let at = 0; at < 60; at++) await add(client, `n${at}`, { previous: first.id })
    expect(await order(client)).toEqual(['first', ...Array.from({ length: 60 }, (_, at) => `n${59 - at}`), 'last'])
  })

  it('move to another list with subtasks and leave a tombstone', async () => {
    const client = await connect()
    const { body: list } = await client.post(lists, { title: 'Other' })
    const there = await add(client, 'there', {}, list.id)
    const parent = await add(client, 'parent')
    const child = await add(client, 'child', { parent: parent.id })
    const wrong = await client.post(
      `${tasks}/${parent.id}/move${query({ destinationTasklist: list.id, previous: child.id })}`,
    )
    expect([wrong.status, wrong.location]).toEqual([400, 'previous'])
    const moved = await client.post(
      `${tasks}/${parent.id}/move${query({ destinationTasklist: list.id, previous: there.id })}`,
    )
    expect([moved.status, moved.body.id]).toEqual([200, parent.id])
    expect(await order(client)).toEqual([])
    expect(await order(client, list.id)).toEqual(['there', 'parent', '  child'])
    const left = await client.get(`${tasks}?showDeleted=true`)
    expect(left.body.items.map((task: { id: string; deleted: boolean }) => [task.id, task.deleted]).sort()).toEqual(
      [
        [parent.id, true],
        [child.id, true],
      ].sort(),
    )
    expect((await client.post(`${tasks}/${parent.id}/move${query({ destinationTasklist: 'nope' })}`)).status).toBe(404)
  })

  it('move to another list without what once was below them, and lives there', async () => {
    const client = await connect()
    const { body: list } = await client.post(lists, { title: 'Other' })
    const parent = await add(client, 'parent')
    const child = await add(client, 'child', { parent: parent.id })
    await client.post(`${tasks}/${child.id}/move${query({ destinationTasklist: list.id })}`)
    await client.patch(`/tasks/v1/lists/${list.id}/tasks/${child.id}`, { title: 'changed' })
    await client.post(`${tasks}/${parent.id}/move${query({ destinationTasklist: list.id })}`)
    expect((await order(client, list.id)).sort()).toEqual(['changed', 'parent'])
  })

  it('hide when completed ones are cleared', async () => {
    const client = await connect()
    const a = await add(client, 'a')
    await add(client, 'b')
    await client.patch(`${tasks}/${a.id}`, { status: 'completed' })
    expect(await order(client)).toEqual(['b', 'a'])
    const titles = async (params: Record<string, string>) =>
      (await client.get(`${tasks}${query(params)}`)).body.items.map((task: Task) => task.title)
    expect(await titles({ showCompleted: 'false' })).toEqual(['b'])
    expect((await client.post('/tasks/v1/lists/@default/clear')).status).toBe(204)
    expect(await titles({})).toEqual(['b'])
    expect((await titles({ showHidden: 'true' })).sort()).toEqual(['a', 'b'])
    expect((await client.get(`${tasks}/${a.id}`)).body.hidden).toBe(true)
    expect((await client.post(`${tasks}${query({ previous: a.id })}`, { title: 'x' })).location).toBe('previous')
    const c = await add(client, 'c')
    expect((await client.post(`${tasks}/${a.id}/move${query({ previous: c.id })}`)).status).toBe(400)
    expect((await client.post(`${tasks}/${a.id}/move`)).status).toBe(200)
    expect((await client.patch(`${tasks}/${a.id}`, { status: 'needsAction' })).body).not.toHaveProperty('hidden')
  })

  it('are deleted with subtasks and stay visible with showDeleted', async () => {
    const client = await connect()
    const parent = await add(client, 'parent')
    const child = await add(client, 'child', { parent: parent.id })
    expect((await client.del(`${tasks}/${parent.id}`)).status).toBe(204)
    expect(await order(client)).toEqual([])
    expect((await client.get(`${tasks}?showDeleted=true`)).body.items).toHaveLength(2)
    expect((await client.get(`${tasks}/${child.id}`)).body.deleted).toBe(true)
    expect((await client.del(`${tasks}/${parent.id}`)).status).toBe(404)
    expect((await client.patch(`${tasks}/${parent.id}`, { deleted: false })).body).not.toHaveProperty('deleted')
  })

  it('are listed by modification, due date, and completion, in pages', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => time })
    for (let day = 1; day <= 9; day++) await client.post(tasks, { title: `d${day}`, due: `2026-01-0${day}T00:00:00Z` })
    const titles = async (params: Record<string, string>) =>
      (await client.get(`${tasks}${query(params)}`)).body.items.map((task: Task) => task.title).sort()
    expect(await titles({ dueMin: '2026-01-03T00:00:00Z', dueMax: '2026-01-05T00:00:00Z' })).toEqual(['d3', 'd4'])
    time += 60_000
    const { body } = await client.get(`${tasks}?maxResults=100`)
    const d2 = body.items.find((task: Task) => task.title === 'd2')
    const d3 = body.items.find((task: Task) => task.title === 'd3')
    const since = new Date(time).toISOString()
    await client.patch(`${tasks}/${d2.id}`, { status: 'completed' })
    await client.del(`${tasks}/${d3.id}`)
    expect(await titles({ updatedMin: since, showDeleted: 'true', showHidden: 'true' })).toEqual(['d2', 'd3'])
    expect(await titles({ completedMin: since })).toEqual(['d2'])
    expect(await titles({ completedMax: since })).toEqual([])
    const seen: string[] = []
    let pageToken: string | undefined
    do {
      const page = await client.get(`${tasks}${query({ maxResults: '3', ...(pageToken ? { pageToken } : {}) })}`)
      seen.push(...page.body.items.map((task: Task) => task.title))
      pageToken = page.body.nextPageToken
    } while (pageToken)
    expect([...seen].sort()).toEqual(['d1', 'd2', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9'])
    expect((await client.get(`${tasks}?maxResults=500`)).status).toBe(200)
    expect((await client.get(`${tasks}?updatedMin=never`)).location).toBe('updatedMin')
    expect((await client.get(`${tasks}?pageToken=nonsense`)).location).toBe('pageToken')
  })

  it("enforce the service's limits", async () => {
    const client = await connect()
    for (let at = 1; at < 2000; at++) await client.post(lists, { title: `L${at}` })
    const over = await client.post(lists, { title: 'one more' })
    expect([over.status, over.reason]).toEqual([403, 'quotaExceeded'])
    expect((await client.get(`${lists}?maxResults=1000`)).body.items).toHaveLength(1000)
  })
})
