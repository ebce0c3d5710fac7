import { seriesOf, instanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import { occurrences } from '#shared/time/recurrence'
import { pickFrom, type Hands } from './hands'
import { editParts, guests } from './part-lists'
import type { Call } from './call'
import type { ModelService } from './service'

const someone = 'x'

interface Place {
  name: string
  parent: string
  value: JsonObject
}

/** Another user without a device, who sees everything in calendar and tasks and does everything users do there. */
export class Others {
  constructor(
    private readonly service: ModelService,
    private readonly hands: Hands,
  ) {}

  /** Does one thing, to the record of this key if it exists. */
  act(key?: string): void {
    const [, parent, id] = key?.split('\n') ?? []
    const tasks = this.inside('tasks', 'tasklists')
    const events = this.inside('events', 'calendarList')
    const ofKey = (one: Place): boolean => one.value.id === id && one.parent === parent
    const [task] = tasks.filter(ofKey)
    const [event] = events.filter(ofKey)
    const dice = this.random()
    if (event) return this.changeEvent(event)
    if (task) return this.changeTask(task)
    if (dice < 0.3 && tasks.length > 0) return this.changeTask(this.pick(tasks))
    if (dice < 0.65 && events.length > 0) return this.changeEvent(this.pick(events))
    if (dice < 0.8) return this.makeTask()
    if (dice < 0.9) return this.makeEvent()
    this.changePlace()
  }

  /** Creates a record of the same name just before someone else's creation arrives. */
  createSameName({ id, params, body }: Call): void {
    const words = this.hands.mark(someone)
    if (id === 'tasks.tasks.insert')
      this.call('others twin', id, { tasklist: params.tasklist! }, { ...body, notes: `made ${words}.` })
  }

  /** Changes a new record whose author hasn't had a response. */
  changeNew(call: Call, made: JsonObject): void {
    const parent = String(call.params.tasklist ?? call.params.calendarId)
    const place = { name: '', parent, value: made }
    if (call.id === 'tasks.tasks.insert') this.changeTask(place)
    else if (call.id === 'calendar.events.insert') this.changeEvent(place)
    else if (call.id === 'tasks.tasklists.insert')
      this.call('others rename list', 'tasks.tasklists.patch', { tasklist: made.id! }, { title: this.word() })
  }

  private changeTask({ parent, value }: Place): void {
    const params = { tasklist: parent, task: value.id! }
    const dice = this.random()
    const word = this.word()
    if (dice < 0.35) this.call('others rename task', 'tasks.tasks.patch', params, { title: word })
    else if (dice < 0.5)
      this.call('others write notes', 'tasks.tasks.patch', params, { notes: `${String(value.notes ?? '')} ${word}` })
    else if (dice < 0.6) this.call('others complete', 'tasks.tasks.patch', params, { status: 'completed' })
    else if (dice < 0.7)
      this.call('others add subtask', 'tasks.tasks.insert', { tasklist: parent, parent: value.id! }, { title: word })
    else if (dice < 0.85) {
      const destinationTasklist = this.pick(this.service.living('tasklists')).id!
      this.call('others move task', 'tasks.tasks.move', {
        ...params,
        ...(destinationTasklist !== parent && { destinationTasklist }),
      })
    } else this.call('others delete task', 'tasks.tasks.delete', params)
  }

  private changeEvent({ parent, value }: Place): void {
    const master = seriesOf(value)
    const dice = this.random()
    const word = this.word()
    const [occurrence] = master ? occurrences(master, -8.64e15, 8.64e15, 4).slice(Math.floor(this.random() * 4)) : []
    const eventId = occurrence && dice < 0.6 ? instanceId(String(value.id), occurrence.idSuffix) : String(value.id)
    const params = { calendarId: parent, eventId }
    const field = this.random() < 0.5 ? 'summary' : 'location'
    if (dice < 0.5)
      this.call(occurrence ? 'others change instance' : 'others change event', 'calendar.events.patch', params, {
        [field]: word,
      })
    else if (dice < 0.7) {
      const edit = editParts(guests, value, word, this.random)
      if (edit)
        this.call('others change guests', 'calendar.events.patch', { ...params, eventId: value.id! }, edit.patch)
    } else if (dice < 0.85)
      this.call('others move event', 'calendar.events.move', {
        ...params,
        eventId: value.id!,
        destination: this.pick(this.service.living('calendarList')).id!,
      })
    else this.call('others delete event', 'calendar.events.delete', params)
  }

  private makeTask(): void {
    const list = this.pick(this.service.living('tasklists')).id!
    const word = this.word()
    this.call('others make task', 'tasks.tasks.insert', { tasklist: list }, { title: word, status: 'needsAction' })
  }

  private makeEvent(): void {
    const calendarId = this.pick(this.service.living('calendarList')).id!
    const day = String(1 + Math.floor(this.random() * 28)).padStart(2, '0')
    const [start, end] = [10, 11].map((hour) => ({ dateTime: `2026-03-${day}T${hour}:00:00Z`, timeZone: 'UTC' }))
    const recurring = this.random() < 0.5 ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}
    const body = { summary: this.word(), start: start!, end: end!, ...recurring }
    this.call('others make event', 'calendar.events.insert', { calendarId }, body)
  }

  private changePlace(): void {
    const lists = this.service.living('tasklists').filter(({ id }) => id !== 'inbox')
    const calendars = this.service.living('calendarList').filter(({ primary }) => !primary)
    const dice = this.random()
    if (dice < 0.2) this.call('others make list', 'tasks.tasklists.insert', {}, { title: this.word() })
    else if (dice < 0.45 && lists.length > 0)
      this.call(
        'others rename list',
        'tasks.tasklists.patch',
        { tasklist: this.pick(lists).id! },
        { title: this.word() },
      )
    else if (dice < 0.65 && lists.length > 0)
      this.call('others delete list', 'tasks.tasklists.delete', { tasklist: this.pick(lists).id! })
    else if (dice < 0.75) this.call('others clear tasks', 'tasks.tasks.clear', { tasklist: 'inbox' })
    else if (dice < 0.85 && calendars.length > 1)
      this.call('others delete calendar', 'calendar.calendars.delete', { calendarId: this.pick(calendars).id! })
  }

  private inside(collection: string, places: string): Place[] {
    return this.service.living(places).flatMap(({ id }) => {
      const name = `${collection} ${String(id)}`
      return this.service.living(name).map((value) => ({ name, parent: String(id), value }))
    })
  }

  private call(what: string, id: string, params: JsonObject, body?: JsonObject): void {
    try {
      this.service.callAs(someone, id, params, body)
      this.hands.trace(what, JSON.stringify([params, body]))
    } catch {
      this.hands.trace('others refused')
    }
  }

  private word(): string {
    return this.hands.mark(someone)
  }

  private get random(): () => number {
    return this.hands.random
  }

  private pick<T>(items: readonly T[]): T {
    return pickFrom(this.random, items)
  }
}
