import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { CalendarItem, Change, Row } from '../../../src-renderer/replica/api'
import { scopedChanges, scopedDelete } from '../../../src-renderer/views/calendar/scope'
import type { Made } from './campaigns'
import type { Device } from './device'
import { pickFrom, type Hands } from './hands'
import { wordsIn } from './ledger'
import type { Others } from './others'
import { editParts, guests } from './part-lists'

const from = Date.UTC(2026, 1, 1)
const to = Date.UTC(2026, 4, 1)

type Work = (device: Device) => Promise<unknown>

/** Calendar and task work beyond single records: series, guests, lists, nested tasks, records of the same name. */
export class Planning {
  private readonly works: readonly (readonly [weight: number, work: Work])[]

  constructor(
    private readonly hands: Hands,
    private readonly others: Others,
  ) {
    const one = (make: (device: Device, marker: string) => Made | undefined | Promise<Made | undefined>): Work => {
      return (device) => hands.edit(device, (marker) => make(device, marker))
    }
    this.works = [
      [14, one((device, marker) => this.newSeries(device, marker))],
      [18, one((device, marker) => this.series(device, marker))],
      [8, one((device, marker) => this.deleteSeries(device, marker))],
      [18, one((device, marker) => this.guests(device, marker))],
      [6, one((device, marker) => this.notes(device, marker))],
      [6, one((device) => this.complete(device))],
      [4, one((device) => this.clearCompleted(device))],
      [4, one((device, marker) => this.renamePlace(device, marker))],
      [3, one((device) => this.deleteList(device))],
      [2, one((device) => this.deleteCalendar(device))],
      [hands.takes('clearsCalendar') ? 2 : 0, one((device) => this.clearCalendar(device))],
      [9, (device) => this.family(device)],
      [9, (device) => this.createSameNames(device)],
      [9, (device) => this.undoLater(device)],
    ]
  }

  /** Does one thing. */
  async work(device: Device): Promise<void> {
    const total = this.works.reduce((sum, [weight]) => sum + weight, 0)
    let dice = this.random() * total
    for (const [weight, work] of this.works) if ((dice -= weight) < 0) return void (await work(device))
  }

  private newSeries(device: Device, marker: string): Made | undefined {
    const calendars = device.replica.rows('calendarList')
    if (calendars.length === 0) return undefined
    const day = String(1 + Math.floor(this.random() * 20)).padStart(2, '0')
    const [start, end] = [9, 10].map((hour) => ({
      dateTime: `2026-03-${day}T${String(hour).padStart(2, '0')}:00:00Z`,
      timeZone: 'UTC',
    }))
    const rule = this.pick(['RRULE:FREQ=DAILY;COUNT=5', 'RRULE:FREQ=WEEKLY;COUNT=3', 'RRULE:FREQ=DAILY;INTERVAL=2'])
    const value: JsonObject = { summary: `t${marker}`, description: `made ${marker}.`, start: start!, end: end! }
    return {
      what: 'create series',
      changes: [
        {
          kind: 'create',
          collection: 'events',
          parent: this.pick(calendars).id,
          value: { ...value, recurrence: [rule] },
        },
      ],
      promise: { field: 'made' },
    }
  }

  /** Renames or moves by an hour: this and following occurrences, or all. */
  private async series(device: Device, marker: string): Promise<Made | undefined> {
    const { replica } = device
    const item = this.occurrence(device)
    const loaded = item && (await replica.readItem(item))
    if (!item || !loaded?.master) return undefined
    const scope = this.random() < 0.6 ? 'following' : 'all'
    const field = this.pick(['summary', 'location'] as const)
    const moves = this.random() < 0.3
    const later = (time: unknown): JsonObject => {
      const { dateTime } = time as { dateTime: string }
      return { dateTime: new Date(Date.parse(dateTime) + 3_600_000).toISOString(), timeZone: 'UTC' }
    }
    const { start, end } = loaded.event
    if (moves && !(start as JsonObject).dateTime) return undefined
    const patch: JsonObject = { [field]: marker, ...(moves && { start: later(start), end: later(end) }) }
    const exceptions = replica.exceptions(loaded.master.key)
    const own = exceptions.find(({ id }) => id === item.eventId)
    const plan = (more: JsonObject): Change[] | undefined =>
      this.tryTo(() => scopedChanges(replica, loaded, item, { ...patch, ...more }, scope))
    const isSplit = plan({})?.some(({ kind }) => kind === 'create')
    // The other half is a separate record.
    const changes = plan(isSplit ? { description: `made ${marker}.` } : {})
    if (!changes) return undefined
    // The edited occurrence, or the series for all of them, loses its old words.
    const replaced = [own?.value?.[field], isSplit ? null : loaded.master.value?.[field]]
    return {
      what: `change ${scope}${moves ? ' and move' : ''}`,
      changes,
      promise: { field, replaces: [...wordsIn(replaced)] },
    }
  }

  private async deleteSeries(device: Device, _marker: string): Promise<Made | undefined> {
    const { replica } = device
    const item = this.occurrence(device)
    const loaded = item && (await replica.readItem(item))
    if (!item || !loaded?.master) return undefined
    const { master } = loaded
    const scope = this.random() < 0.7 ? 'following' : 'all'
    const changes = this.tryTo(() => scopedDelete(replica, loaded, item, scope))
    if (!changes) return undefined
    const cut = parseInstanceId(item.eventId)!.instant
    const whole = changes.some(({ kind }) => kind === 'delete')
    const after = replica.exceptions(master.key).filter(({ id }) => parseInstanceId(id)!.instant >= cut)
    return {
      what: `delete ${scope}`,
      changes,
      promise: {
        ends: whole ? [master.key] : after.map(({ key }) => key),
        replaces: [...wordsIn(whole ? [] : after.map(({ value }) => value))],
      },
    }
  }

  private async guests(device: Device, marker: string): Promise<Made | undefined> {
    const items = device.replica.items(from, to)
    if (items.length === 0) return undefined
    const row = await device.replica.read(this.pick(items.slice(0, 5)).rowKey)
    const edit = row?.value && editParts(guests, row.value, marker, this.random)
    if (!edit) return undefined
    return {
      what: `guests: ${edit.what}`,
      changes: [{ kind: 'change', key: row.key, patch: edit.patch }],
      promise: { ...(edit.isWritten && { field: `guest ${marker}` }), replaces: edit.replaces },
    }
  }

  private notes(device: Device, marker: string): Made | undefined {
    const row = this.task(device)
    if (!row) return undefined
    const notes = `${String(row.value!.notes ?? '')} ${marker}`.trim()
    return {
      what: 'write notes',
      changes: [{ kind: 'change', key: row.key, patch: { notes } }],
      promise: { field: `note ${marker}` },
    }
  }

  private complete(device: Device): Made | undefined {
    const row = this.task(device)
    return row && { what: 'complete task', changes: [{ kind: 'change', key: row.key, patch: { status: 'completed' } }] }
  }

  private clearCompleted(device: Device): Made | undefined {
    const list = this.list(device)
    return (
      list && {
        what: 'clear completed',
        changes: [{ kind: 'action', key: list.key, action: { name: 'clearCompleted' } }],
      }
    )
  }

  private renamePlace(device: Device, marker: string): Made | undefined {
    const list = this.list(device)
    if (!list) return undefined
    return {
      what: 'rename list',
      changes: [{ kind: 'change', key: list.key, patch: { title: marker } }],
      promise: { field: 'title' },
    }
  }

  deleteList(device: Device): Made | undefined {
    const list = this.list(device, false)
    if (!list) return undefined
    const inside = device.replica.rows('tasks', list.id).map(({ key }) => key)
    return {
      what: 'delete list',
      changes: [{ kind: 'delete', key: list.key }],
      promise: { ends: [list.key, ...inside] },
    }
  }

  private async deleteCalendar(device: Device): Promise<Made | undefined> {
    const calendars = device.replica.rows('calendarList').filter(({ value }) => !value?.primary)
    if (calendars.length < 2) return undefined
    const { id } = this.pick(calendars)
    return {
      what: 'delete calendar',
      changes: [{ kind: 'delete', key: recordKey('calendars', null, id) }],
      promise: { ends: [recordKey('calendars', null, id), ...(await eventsIn(device, id))] },
    }
  }

  private async clearCalendar(device: Device): Promise<Made | undefined> {
    const primary = device.replica.rows('calendarList').find(({ value }) => value?.primary)
    if (!primary) return undefined
    return {
      what: 'clear calendar',
      changes: [{ kind: 'action', key: recordKey('calendars', null, primary.id), action: { name: 'clearCalendar' } }],
      promise: { ends: await eventsIn(device, primary.id) },
    }
  }

  /** A list, a task in it, and two subtasks, each created before its parent was sent. */
  private async family(device: Device): Promise<void> {
    const keys = await this.hands.edit(device, (marker) => ({
      what: 'create list',
      changes: [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: `t${marker}` } }],
    }))
    const list = keys?.[0] && parseRecordKey(device.replica.realKey(keys[0])).id
    if (!list) return
    let parent: string | undefined
    for (let count = 0; count < 3; count++) {
      const [key] =
        (await this.hands.edit(device, (marker) => ({
          what: 'create in family',
          changes: [this.newTask(list, `t${marker}`, marker, parent)],
          promise: { field: 'made' },
        }))) ?? []
      if (!key) return
      parent ??= parseRecordKey(device.replica.realKey(key)).id
    }
  }

  /** Two or three records of the same name, each with its own words. */
  private async createSameNames(device: Device): Promise<void> {
    const list = this.list(device)
    if (!list) return
    const count = 2 + Math.floor(this.random() * 2)
    const name = `Twin ${Math.floor(this.random() * 3)}`
    for (let number = 0; number < count; number++)
      await this.hands.edit(device, (marker) => ({
        what: 'create twin',
        changes: [this.newTask(list.id, name, marker)],
        promise: { field: 'made' },
      }))
  }

  /** Someone changes what this user changed and sent, and then the user undoes it. */
  private async undoLater(device: Device): Promise<void> {
    const row = this.task(device)
    const item = this.random() < 0.5 ? this.pick(device.replica.items(from, to)) : undefined
    const key = item ? recordKey('events', item.calendarId, item.eventId) : row?.key
    if (!key) return
    const field = item ? 'summary' : 'title'
    const keys = await this.hands.edit(device, (marker) => ({
      what: 'change to undo',
      changes: [{ kind: 'change', key, patch: { [field]: marker } }],
      promise: { field },
    }))
    if (!keys) return
    await this.hands.pass(10_000)
    this.others.act(device.replica.realKey(key))
    if (this.random() < 0.5) await this.hands.pass(70_000)
    await this.hands.undo(device)
  }

  private newTask(list: string, title: string, marker: string, parent?: string): Change {
    const value = { title, notes: `made ${marker}.`, status: 'needsAction' }
    return { kind: 'create', collection: 'tasks', parent: list, value, place: parent ? { parent } : {} }
  }

  private occurrence({ replica }: Device): CalendarItem | undefined {
    return this.pick(replica.items(from, to).filter(({ masterId }) => masterId))
  }

  private task({ replica }: Device): Row | undefined {
    const there = (list: string): boolean => !!replica.peek(recordKey('tasklists', null, list))?.value
    const tasks = replica.rows('tasks').filter((row) => row.value && row.parent && there(row.parent))
    return this.pick(this.random() < 0.5 ? tasks.slice(-3) : tasks)
  }

  private list({ replica }: Device, any = true): Row | undefined {
    return this.pick(replica.rows('tasklists').filter(({ id, value }) => value && (any || id !== 'inbox')))
  }

  private tryTo<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  private get random(): () => number {
    return this.hands.random
  }

  private pick<T>(items: readonly T[]): T {
    return pickFrom(this.random, items)
  }
}

/** Keys of a calendar's events on a computer, also of those that its window hasn't read from the disk yet. */
export async function eventsIn(device: Device, calendar: string): Promise<string[]> {
  const stored = await device.stored('events', calendar)
  return [...new Set([...device.replica.eventKeys(calendar), ...stored.map(({ key }) => key)])]
}

/** The key of an occurrence's series. */
export function seriesKeyOf(key: string): string | undefined {
  const { collection, parent, id } = parseRecordKey(key)
  const instance = collection === 'events' ? parseInstanceId(id) : undefined
  return instance && recordKey(collection, parent, instance.masterId)
}
