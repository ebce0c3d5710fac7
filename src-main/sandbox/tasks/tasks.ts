import type { Task } from '#shared/wire/tasks/types'
import type { JsonObject } from '#shared/json'
import { sameJson } from '#shared/json'
import { tableOf } from '#shared/wire/services'
import { instantOf } from '../instants'
import { mergePatch } from '../bodies'
import { pageToken, readCursor } from '../cursors'
import { listEtag, requireMatch, stampEtag } from '../etags'
import { newId, type Call, type HandlersOf } from '../operation'
import { Problem, invalid, notFound } from '../problems'
import { placeAfter } from './order'
import { openList, taskLimits, touchList } from './task-lists'

export interface TaskRow {
  person: string
  list: string
  id: string
  parent: string | null
  position: string
  /** Epoch milliseconds. */
  completed: number | null
  /** `YYYY-MM-DD`. */
  due: string | null
  hidden: number
  deleted: number
  updated: number
  changed: number
  data: string
}

type Content = Omit<Task, 'due' | 'completed' | 'deleted' | 'hidden' | 'parent' | 'position'>

const inColumns: ReadonlySet<string> = new Set(['id', 'etag', 'due', 'completed', 'deleted'])
/** Fields that clients write and that have no column. */
const contentFields = Object.entries(tableOf('tasks').schemas['Task']!.fields).flatMap(([name, { readOnly }]) =>
  readOnly || inColumns.has(name) ? [] : [name as keyof Content],
)
const contentOf = (task: Content): Content => Object.fromEntries(contentFields.map((name) => [name, task[name]]))

const byId = 'SELECT * FROM tasks WHERE person = ? AND list = ? AND id = ?'

/** @throws Problem 404 */
function openTask(call: Call, list: string, id: string): TaskRow {
  const row = call.service.store.get<TaskRow>(byId, call.person.id, list, id)
  if (!row) throw notFound('Task not found.')
  return row
}

function view(call: Call, row: TaskRow): Task {
  const { title, notes, status, links, assignmentInfo, ...more } = JSON.parse(row.data) as Content
  const task: Task = {
    ...more,
    kind: 'tasks#task',
    id: row.id,
    etag: stampEtag(row.changed),
    title: title ?? '',
    updated: new Date(row.updated).toISOString(),
    selfLink: `${call.service.baseUrl()}/tasks/v1/lists/${row.list}/tasks/${row.id}`,
    position: row.position,
    status: status ?? 'needsAction',
    links: links ?? [],
    webViewLink: `https://tasks.flightplan.example/task/${row.id}`,
  }
  if (row.parent) task.parent = row.parent
  if (notes) task.notes = notes
  if (row.due) task.due = `${row.due}T00:00:00.000Z`
  if (row.completed !== null) task.completed = new Date(row.completed).toISOString()
  if (row.deleted) task.deleted = true
  if (row.hidden) task.hidden = true
  if (assignmentInfo) task.assignmentInfo = assignmentInfo
  return task
}

function save(call: Call, row: Omit<TaskRow, 'changed' | 'updated'>): TaskRow {
  const { store } = call.service
  const changed = store.stamp()
  const next: TaskRow = { ...row, changed, updated: Math.floor(changed / 1000) }
  store.put('tasks', next as unknown as Record<string, string | number | null>)
  touchList(call, row.list)
  return next
}

/** Applies a body to a row. Keeps only the day of `due`, and sets `completed` according to the status. */
function withBody(call: Call, row: TaskRow, task: Task): TaskRow {
  const before = JSON.parse(row.data) as Content
  const status = task.status ?? 'needsAction'
  const next: Content = { ...before, ...contentOf(task), title: task.title ?? '', status }
  const completed =
    status === 'completed'
      ? task.completed
        ? instantOf(task.completed)
        : (row.completed ?? call.service.store.now)
      : null
  return {
    ...row,
    data: JSON.stringify(next),
    due: task.due ? task.due.slice(0, 10) : null,
    completed,
    hidden: status === 'completed' ? row.hidden : 0,
    deleted: task.deleted ? 1 : 0,
  }
}

/** The fields that clients write. */
function writable(row: TaskRow): Task {
  const task: Task = { ...contentOf(JSON.parse(row.data) as Content), deleted: row.deleted === 1 }
  if (row.due) task.due = row.due
  if (row.completed !== null) task.completed = new Date(row.completed).toISOString()
  return task
}

function change(call: Call, list: string, id: string, next: (before: Task) => Task): Task {
  const row = openTask(call, list, id)
  requireMatch(call.ifMatch, stampEtag(row.changed))
  const changed = withBody(call, row, next(writable(row)))
  if (sameJson(changed, row)) return view(call, row)
  if (changed.deleted && !row.deleted) removeChildren(call, row)
  return view(call, save(call, changed))
}

function removeChildren(call: Call, row: TaskRow): void {
  const sql = 'SELECT * FROM tasks WHERE person = ? AND list = ? AND parent = ? AND deleted = 0'
  for (const child of call.service.store.all<TaskRow>(sql, row.person, row.list, row.id))
    save(call, { ...child, deleted: 1 })
}

interface Place {
  parent?: string
  previous?: string
}

/** Checks the place of a task. @throws Problem 400 */
function checkPlace(call: Call, list: string, { parent, previous }: Place, self?: TaskRow): void {
  const { store } = call.service
  const find = (id: string, name: string): TaskRow => {
    const row = store.get<TaskRow>(byId, call.person.id, list, id)
    if (!row || row.deleted || row.id === self?.id) throw invalid(`Invalid ${name}: no such task in the list.`, name)
    if (row.hidden) throw invalid(`Invalid ${name}: the task is hidden.`, name)
    return row
  }
  if (parent) {
    const row = find(parent, 'parent')
    if (row.parent) throw invalid('A subtask cannot have subtasks.', 'parent')
    if (isAssigned(row) || (self && isAssigned(self)))
      throw invalid('Assigned tasks neither have nor are subtasks.', 'parent')
    const count = (sql: string, ...values: string[]): number => store.get<{ count: number }>(sql, ...values)!.count
    if (
      self &&
      count(
        'SELECT count(*) AS count FROM tasks WHERE person = ? AND list = ? AND parent = ? AND deleted = 0',
        call.person.id,
        self.list,
        self.id,
      ) > 0
    ) {
      throw invalid('A task with subtasks cannot become a subtask.', 'parent')
    }
    const children = count(
      'SELECT count(*) AS count FROM tasks WHERE person = ? AND list = ? AND parent = ? AND deleted = 0',
      call.person.id,
      list,
      parent,
    )
    if (children >= taskLimits.subtasks && self?.parent !== parent) throw limitReached('Too many subtasks.')
  }
  if (previous && (find(previous, 'previous').parent ?? undefined) !== (parent || undefined)) {
    throw invalid('Invalid previous: it has another parent.', 'previous')
  }
  if (self?.hidden && (parent || previous))
    throw invalid('A hidden task can only be moved to the first position.', parent ? 'parent' : 'previous')
}

const isAssigned = (row: TaskRow): boolean => (JSON.parse(row.data) as Content).assignmentInfo !== undefined

const limitReached = (message: string): Problem => new Problem(403, 'quotaExceeded', message, { domain: 'usageLimits' })

function checkRoom(call: Call, list: string): void {
  const { store } = call.service
  const inList = store.get<{ count: number }>(
    'SELECT count(*) AS count FROM tasks WHERE person = ? AND list = ? AND deleted = 0 AND hidden = 0',
    call.person.id,
    list,
  )!.count
  if (inList >= taskLimits.tasksInList) throw limitReached('Too many tasks in the list.')
  const all = store.get<{ count: number }>(
    'SELECT count(*) AS count FROM tasks WHERE person = ? AND deleted = 0',
    call.person.id,
  )!.count
  if (all >= taskLimits.tasks) throw limitReached('Too many tasks.')
}

export const taskHandlers: HandlersOf<'tasks.tasks'> = {
  'tasks.tasks.list': (call) => {
    const { params, service } = call
    const list = openList(call, params.tasklist)
    const scope = `tasks:${list.id}`
    const cursor = readCursor<[string, string]>(call, scope, () => 0)
    const size = Math.max(params.maxResults ?? 20, 1)
    const keep = filterOf(params)
    const items: Task[] = []
    let last: TaskRow | undefined
    let nextPageToken: string | undefined
    const sql =
      'SELECT * FROM tasks WHERE person = ? AND list = ? AND (position, id) > (?, ?) AND updated >= ? ORDER BY position, id'
    const since = params.updatedMin ? instantOf(params.updatedMin) : 0
    for (const row of service.store.all<TaskRow>(
      sql,
      call.person.id,
      list.id,
      cursor.after?.[0] ?? '',
      cursor.after?.[1] ?? '',
      since,
    )) {
      if (!keep(row)) continue
      if (items.length === size) {
        nextPageToken = pageToken(call, scope, cursor, [last!.position, last!.id])
        break
      }
      items.push(view(call, row))
      last = row
    }
    const answer = { kind: 'tasks#tasks', ...(nextPageToken ? { nextPageToken } : {}), items }
    return { ...answer, etag: listEtag(answer) }
  },

  'tasks.tasks.get': (call) => view(call, openTask(call, openList(call, call.params.tasklist).id, call.params.task)),

  'tasks.tasks.insert': (call) => {
    const { store, random } = call.service
    const list = openList(call, call.params.tasklist).id
    const { parent, previous } = call.params
    checkPlace(call, list, { parent, previous })
    checkRoom(call, list)
    const empty: TaskRow = {
      person: call.person.id,
      list,
      id: newId(random, 22),
      parent: parent || null,
      position: placeAfter(store, call.person.id, list, parent || null, previous || undefined),
      completed: null,
      due: null,
      hidden: 0,
      deleted: 0,
      updated: 0,
      changed: 0,
      data: '{}',
    }
    return view(call, save(call, withBody(call, empty, call.body)))
  },

  'tasks.tasks.update': (call) =>
    change(call, openList(call, call.params.tasklist).id, call.params.task, () => call.body),

  'tasks.tasks.patch': (call) =>
    change(call, openList(call, call.params.tasklist).id, call.params.task, (before) => {
      const after = mergePatch(before, call.body as JsonObject)
      // Completing again sets the current time, unless the patch has one.
      if (after.status !== 'completed') delete after.completed
      return after
    }),

  'tasks.tasks.delete': (call) => {
    const list = openList(call, call.params.tasklist).id
    const row = openTask(call, list, call.params.task)
    if (row.deleted) throw notFound('Task not found.')
    requireMatch(call.ifMatch, stampEtag(row.changed))
    removeChildren(call, row)
    save(call, { ...row, deleted: 1 })
  },

  'tasks.tasks.clear': (call) => {
    const list = openList(call, call.params.tasklist).id
    const sql =
      'SELECT * FROM tasks WHERE person = ? AND list = ? AND completed IS NOT NULL AND hidden = 0 AND deleted = 0'
    for (const row of call.service.store.all<TaskRow>(sql, call.person.id, list)) save(call, { ...row, hidden: 1 })
  },

  'tasks.tasks.move': (call) => {
    const { store } = call.service
    const from = openList(call, call.params.tasklist).id
    const row = openTask(call, from, call.params.task)
    if (row.deleted) throw notFound('Task not found.')
    requireMatch(call.ifMatch, stampEtag(row.changed))
    const to = call.params.destinationTasklist ? openList(call, call.params.destinationTasklist).id : from
    const { parent, previous } = call.params
    checkPlace(call, to, { parent, previous }, row)
    if (to !== from) checkRoom(call, to)
    const position = placeAfter(store, call.person.id, to, parent || null, previous || undefined, row.id)
    const children =
      to === from
        ? []
        : store.all<TaskRow>(
            'SELECT * FROM tasks WHERE person = ? AND list = ? AND parent = ? AND deleted = 0',
            call.person.id,
            from,
            row.id,
          )
    if (to !== from) {
      // The old list keeps a tombstone, so that readers by `updatedMin` see it leave.
      for (const moved of [row, ...children]) save(call, { ...moved, deleted: 1 })
    }
    const result = save(call, { ...row, list: to, parent: parent || null, position })
    for (const child of children) save(call, { ...child, list: to })
    return view(call, result)
  },
}

type ListParams = Call<'tasks.tasks.list'>['params']

function filterOf(params: ListParams): (row: TaskRow) => boolean {
  const day = (text: string | undefined): string | undefined => (text ? new Date(text).toISOString() : undefined)
  const dueMin = day(params.dueMin)
  const dueMax = day(params.dueMax)
  const completedMin = params.completedMin ? instantOf(params.completedMin) : undefined
  const completedMax = params.completedMax ? instantOf(params.completedMax) : undefined
  return (row) => {
    if (row.deleted && !params.showDeleted) return false
    if (row.hidden && !params.showHidden) return false
    if (row.completed !== null && params.showCompleted === false) return false
    if (!params.showAssigned && isAssigned(row)) return false
    const due = row.due && `${row.due}T00:00:00.000Z`
    if (dueMin && !(due && due >= dueMin)) return false
    if (dueMax && !(due && due < dueMax)) return false
    if (completedMin !== undefined && !(row.completed !== null && row.completed >= completedMin)) return false
    return completedMax === undefined || (row.completed !== null && row.completed < completedMax)
  }
}
