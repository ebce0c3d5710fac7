import type { TaskList } from '#shared/wire/tasks/types'
import { listEtag, requireMatch, stampEtag } from '../etags'
import { newId, type Call, type HandlersOf } from '../operation'
import { Problem, invalid, notFound } from '../problems'
import { pageToken, readCursor } from '../cursors'

export interface ListRow {
  person: string
  id: string
  /** Order of creation. The first list is the default. */
  number: number
  changed: number
  updated: number
  data: string
}

/** Limits of the service, per person. */
export const taskLimits = { lists: 2_000, tasksInList: 20_000, tasks: 100_000, subtasks: 2_000 }

/** List by ID. `@default` is the first one. @throws Problem 404 */
export function openList(call: Call, id: string): ListRow {
  const { store } = call.service
  const row =
    id === '@default'
      ? store.get<ListRow>('SELECT * FROM task_lists WHERE person = ? ORDER BY number LIMIT 1', call.person.id)
      : store.get<ListRow>('SELECT * FROM task_lists WHERE person = ? AND id = ?', call.person.id, id)
  if (!row) throw notFound('Task list not found.')
  return row
}

function view(call: Call, row: ListRow): TaskList {
  const { title } = JSON.parse(row.data) as TaskList
  return {
    kind: 'tasks#taskList',
    id: row.id,
    etag: stampEtag(row.changed),
    title: title ?? '',
    updated: new Date(row.updated).toISOString(),
    selfLink: `${call.service.baseUrl()}/tasks/v1/users/@me/lists/${row.id}`,
  }
}

function save(call: Call, row: Omit<ListRow, 'changed' | 'updated'>): TaskList {
  const { store } = call.service
  const changed = store.stamp()
  const next = { ...row, changed, updated: Math.floor(changed / 1000) }
  store.put('task_lists', next)
  return view(call, next)
}

/** A changed task updates its list's `updated`, but not its etag. */
export function touchList(call: Call, id: string): void {
  const { store } = call.service
  store.run('UPDATE task_lists SET updated = ? WHERE person = ? AND id = ?', store.now, call.person.id, id)
}

function change(call: Call<'tasks.tasklists.update'> | Call<'tasks.tasklists.patch'>, keep: boolean): TaskList {
  const row = openList(call, call.params.tasklist)
  requireMatch(call.ifMatch, stampEtag(row.changed))
  const before = JSON.parse(row.data) as TaskList
  const given = call.body.title
  const title = given === undefined ? (keep ? before.title : '') : (given ?? '')
  return title === before.title ? view(call, row) : save(call, { ...row, data: JSON.stringify({ title }) })
}

export const taskListHandlers: HandlersOf<'tasks.tasklists'> = {
  'tasks.tasklists.list': (call) => {
    const cursor = readCursor<number>(call, 'tasklists', () => 0)
    const size = call.params.maxResults ?? 1000
    const rows = call.service.store.all<ListRow>(
      'SELECT * FROM task_lists WHERE person = ? AND number > ? ORDER BY number LIMIT ?',
      call.person.id,
      cursor.after ?? -1,
      Math.max(size, 1) + 1,
    )
    const page = rows.slice(0, Math.max(size, 1))
    const next =
      rows.length > page.length ? { nextPageToken: pageToken(call, 'tasklists', cursor, page.at(-1)!.number) } : {}
    const list = { kind: 'tasks#taskLists', ...next, items: page.map((row) => view(call, row)) }
    return { ...list, etag: listEtag(list) }
  },

  'tasks.tasklists.get': (call) => view(call, openList(call, call.params.tasklist)),

  'tasks.tasklists.insert': (call) => {
    const { store, random } = call.service
    const count = store.get<{ count: number; last: number | null }>(
      'SELECT count(*) AS count, max(number) AS last FROM task_lists WHERE person = ?',
      call.person.id,
    )!
    if (count.count >= taskLimits.lists)
      throw new Problem(403, 'quotaExceeded', 'Too many task lists.', { domain: 'usageLimits' })
    const data = JSON.stringify({ title: call.body.title ?? '' })
    return save(call, { person: call.person.id, id: newId(random, 22), number: (count.last ?? 0) + 1, data })
  },

  'tasks.tasklists.update': (call) => change(call, false),
  'tasks.tasklists.patch': (call) => change(call, true),

  'tasks.tasklists.delete': (call) => {
    const { store } = call.service
    const row = openList(call, call.params.tasklist)
    if (row.id === openList(call, '@default').id) throw invalid('The default task list cannot be deleted.', 'tasklist')
    requireMatch(call.ifMatch, stampEtag(row.changed))
    store.run('DELETE FROM tasks WHERE person = ? AND list = ?', call.person.id, row.id)
    store.run('DELETE FROM task_lists WHERE person = ? AND id = ?', call.person.id, row.id)
  },
}
