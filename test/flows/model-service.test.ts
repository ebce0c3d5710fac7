import { expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { cases } from '../helpers/ring'
import { serviceForEach } from '../helpers/for-file'
import { seeded, VirtualClock } from './model/clock'
import { pickFrom } from './model/hands'
import { ModelService } from './model/service'

const sandbox = serviceForEach()
const seeds = Array.from({ length: cases(4, 60) }, (_, at) => at + 1)

type Run = (id: string, params: JsonObject, body: JsonObject | undefined, ifMatch?: string) => Promise<JsonObject>

/** One of the two services, and its IDs by the names that both share. */
class Side {
  readonly ids = new Map<string, string>()
  private readonly tokens = new Map<string, string>()
  /** The etag of each record as first read. */
  private readonly etags = new Map<string, string>()

  constructor(private readonly run: Run) {}

  /**
   * Returns the code of the error, or the answer.
   * @param guarded true to require the version that the first answer about the record had
   */
  async call(id: string, params: JsonObject, body?: JsonObject, guarded = false): Promise<JsonObject | string> {
    const named = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, this.ids.get(String(value)) ?? value]),
    )
    const record = String(params.eventId ?? params.task)
    try {
      const answer = await this.run(id, named, body, guarded ? this.etags.get(record) : undefined)
      if (typeof answer.etag === 'string' && !this.etags.has(record)) this.etags.set(record, answer.etag)
      return answer
    } catch (error) {
      if (error instanceof FaultError) return error.fault.code
      throw error
    }
  }

  /** Returns the records on all pages of a list. */
  async all(id: string, params: JsonObject): Promise<JsonObject[]> {
    return (await this.pages(id, params)).found
  }

  /** Returns what changed in a list since the last time, at first all of it. */
  async changes(id: string, params: JsonObject): Promise<JsonObject[]> {
    const place = JSON.stringify([id, params])
    const syncToken = this.tokens.get(place)
    const { found, token } = await this.pages(id, { ...params, ...(syncToken !== undefined && { syncToken }) })
    this.tokens.set(place, token)
    return found
  }

  private async pages(id: string, params: JsonObject): Promise<{ found: JsonObject[]; token: string }> {
    const found: JsonObject[] = []
    for (let page: JsonObject = {}; ;) {
      const answer = await this.call(id, { ...params, ...page })
      if (typeof answer === 'string') return { found: [{ summary: answer }], token: '' }
      found.push(...((answer.items ?? []) as JsonObject[]))
      if (answer.nextPageToken === undefined) return { found, token: String(answer.nextSyncToken) }
      page = { pageToken: answer.nextPageToken }
    }
  }
}

/** Tasks of a list in order, subtasks after their task. */
async function outline(side: Side, list: string, inOrder: boolean): Promise<string> {
  const params = { tasklist: list, showHidden: true, showDeleted: true, showCompleted: true, maxResults: 100 }
  const found = await side.all('tasks.tasks.list', params)
  const names = new Map([...side.ids].map(([name, id]) => [id, name]))
  const living = found.filter(({ deleted }) => !deleted)
  const at = (parent: unknown): string[] =>
    living
      .filter((task) => task.parent === parent)
      .sort((a, b) =>
        (inOrder ? String(a.position) < String(b.position) : names.get(String(a.id))! < names.get(String(b.id))!)
          ? -1
          : 1,
      )
      .map((task) => {
        const marks = `${task.status === 'completed' ? '!' : ''}${task.hidden ? '?' : ''}`
        return `${names.get(String(task.id))}=${String(task.title)}${marks}(${at(task.id).join(' ')})`
      })
  const lost = living.filter(({ parent }) => parent !== undefined && !living.some(({ id }) => id === parent))
  return [...at(undefined), ...lost.map(({ id }) => `lost ${names.get(String(id))}`).sort()].join(' ')
}

/** The sandbox, and a new model. */
function sides(): readonly [Side, Side] {
  const clock = new VirtualClock()
  const model = new ModelService(() => clock.time).client('me', () => 'everything')
  const [real, modeled] = [sandbox.client, model].map(
    (client) =>
      new Side(async (id, params, body, ifMatch) => {
        const options = { ...(body && { body }), ...(ifMatch !== undefined && { ifMatch }) }
        const { body: answer } = await client.call(id as never, params as never, options as never)
        return (answer ?? {}) as JsonObject
      }),
  )
  return [real!, modeled!]
}

/** Makes the same calls on both sides, which must answer alike. */
class Steps {
  private readonly lines: string[] = []
  private readonly random: () => number

  constructor(
    readonly both: readonly [Side, Side],
    private readonly seed: number,
    private readonly contents: (side: Side) => Promise<string>,
  ) {
    this.random = seeded(seed + 1_000)
  }

  /** @param name of what the call creates */
  async take(id: string, params: JsonObject, body?: JsonObject, name?: string): Promise<boolean> {
    const guarded = /\.(patch|update|delete)$/.test(id) && this.random() < 0.2
    const answers = await Promise.all(this.both.map((side) => side.call(id, params, body, guarded)))
    const codes = answers.map((answer) => (typeof answer === 'string' ? answer : 'ok'))
    this.lines.push(
      `${guarded ? 'if unchanged ' : ''}${id} ${JSON.stringify(params)} ${JSON.stringify(body ?? {})} ${codes[0]}`,
    )
    const steps = `seed ${this.seed}\n${this.lines.join('\n')}`
    expect(codes[1], steps).toBe(codes[0])
    if (codes[0] !== 'ok') return false
    if (name !== undefined) this.both.forEach((side, at) => side.ids.set(name, String((answers[at] as JsonObject).id)))
    const [real, modeled] = await Promise.all(this.both.map(this.contents))
    expect(modeled, steps).toBe(real)
    return true
  }
}

it.each(seeds)('the model treats tasks as the sandbox does: seed %i', async (seed) => {
  const random = seeded(seed)
  const lists: string[] = []
  const tasks: { name: string; list: string }[] = []
  let made = 0
  // A restored task may be anywhere.
  let inOrder = true
  const contents = async (side: Side): Promise<string> =>
    (await Promise.all(lists.map((list) => outline(side, list, inOrder)))).join('\n')
  const steps = new Steps(sides(), seed, contents)
  for (const name of ['A', 'B'])
    if (await steps.take('tasks.tasklists.insert', {}, { title: name }, name)) lists.push(name)
  for (let count = 0; count < 40; count++) {
    const list = pickFrom(random, lists)
    const one = random() < 0.9 && tasks.length > 0 ? pickFrom(random, tasks) : undefined
    const near = tasks.filter((task) => task.list === (one?.list ?? list))
    const parent = random() < 0.4 && near.length > 0 ? { parent: pickFrom(random, near).name } : {}
    const previous = random() < 0.4 && near.length > 0 ? { previous: pickFrom(random, near).name } : {}
    const dice = random()
    const params = one && { tasklist: one.list, task: one.name }
    if (!params || dice < 0.3) {
      const at = one?.list ?? list
      const name = `t${++made}`
      if (await steps.take('tasks.tasks.insert', { tasklist: at, ...parent, ...previous }, { title: `T${made}` }, name))
        tasks.push({ name, list: at })
    } else if (dice < 0.4) await steps.take('tasks.tasks.patch', params, { title: `T${++made}` })
    else if (dice < 0.5) await steps.take('tasks.tasks.patch', params, { status: 'completed' })
    else if (dice < 0.55) await steps.take('tasks.tasks.patch', params, { status: 'needsAction' })
    else if (dice < 0.6) {
      inOrder = false
      await steps.take('tasks.tasks.patch', params, { deleted: false })
    } else if (dice < 0.65) await steps.take('tasks.tasks.delete', params)
    else if (dice < 0.7) await steps.take('tasks.tasks.clear', { tasklist: one.list })
    else if (dice < 0.85) await steps.take('tasks.tasks.move', { ...params, ...parent, ...previous })
    else if (dice < 0.9) await steps.take('tasks.tasks.get', params)
    else {
      const destinationTasklist = pickFrom(random, lists)
      if (await steps.take('tasks.tasks.move', { ...params, destinationTasklist })) one.list = destinationTasklist
    }
  }
})

/** Events of a calendar by ID, with canceled occurrences, and what changed since the last time. */
async function events(side: Side, calendarId: string): Promise<string> {
  const params = { calendarId, maxResults: 250 }
  const line = ({ id, status, summary, location }: JsonObject): string =>
    status === 'cancelled' ? `${String(id)} canceled` : `${String(id)} ${String(summary)} ${String(location)}`
  const text = (found: JsonObject[]): string => found.map(line).sort().join(', ')
  const changed = text(await side.changes('calendar.events.list', params))
  return `${calendarId}: ${text(await side.all('calendar.events.list', params))}\nchanged: ${changed}`
}

it.each(seeds)('the model treats events as the sandbox does: seed %i', async (seed) => {
  const at = (hour: number): JsonObject => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' })
  const random = seeded(seed)
  const calendars = ['me', 'work']
  const known: { id: string; calendar: string; isMoved?: true }[] = []
  const contents = async (side: Side): Promise<string> =>
    (await Promise.all(calendars.map((calendar) => events(side, calendar)))).join('\n')
  const both = sides()
  const steps = new Steps(both, seed, contents)
  both[0].ids.set('me', 'primary')
  const second = await both[0].call('calendar.calendars.insert', {}, { summary: 'Work', timeZone: 'UTC' })
  both[0].ids.set('work', String((second as JsonObject).id))
  let made = 0
  for (let count = 0; count < 40; count++) {
    const one = random() < 0.9 && known.length > 0 ? pickFrom(random, known) : undefined
    const isOccurrence = random() < 0.5 && one !== undefined
    // What changes the rest of a moved event isn’t modeled.
    const calendar = one && (isOccurrence || one.isMoved || random() < 0.9) ? one.calendar : pickFrom(random, calendars)
    const day = 2 + Math.floor(random() * 4)
    const eventId = one && (isOccurrence ? `${one.id}_2026030${day}T100000Z` : one.id)
    const dice = random()
    const params = { calendarId: calendar, ...(eventId && { eventId }) }
    const word = `w${++made}`
    if (!one || dice < 0.2) {
      const id = random() < 0.2 && one ? one.id : `event${made}`
      const recurrence = random() < 0.7 ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}
      const value = { id, summary: word, start: at(10), end: at(11), ...recurrence }
      if (await steps.take('calendar.events.insert', { calendarId: calendar }, value as JsonObject))
        known.push({ id, calendar })
    } else if (dice < 0.4) await steps.take('calendar.events.patch', params, { summary: word })
    else if (dice < 0.5) await steps.take('calendar.events.patch', params, { location: word })
    else if (dice < 0.6) await steps.take('calendar.events.patch', params, { status: 'confirmed' })
    else if (dice < 0.65) await steps.take('calendar.events.patch', params, { status: 'cancelled' })
    else if (dice < 0.7) await steps.take('calendar.events.delete', params)
    else if (dice < 0.8 && !isOccurrence)
      await steps.take('calendar.events.patch', params, { recurrence: [`RRULE:FREQ=DAILY;COUNT=${day}`] })
    else if (dice < 0.85) await steps.take('calendar.events.get', params)
    else {
      const destination = pickFrom(random, calendars)
      if (await steps.take('calendar.events.move', { ...params, destination })) {
        one.calendar = destination
        one.isMoved = true
      }
    }
  }
})

/** The calendars that a person sees, what changed since the last time, and the titles of their events. */
async function calendarLines(side: Side, names: readonly string[]): Promise<string> {
  const known = new Map([...side.ids].map(([name, id]) => [id === 'primary' ? 'me' : id, name]))
  const line = ({ id, deleted, summary, summaryOverride, selected }: JsonObject): string | undefined => {
    const name = known.get(String(id))
    if (name === undefined || name === 'me') return undefined
    return deleted ? `${name} deleted` : `${name} ${String(summaryOverride ?? summary)}${selected ? '!' : ''}`
  }
  const text = (found: JsonObject[]): string =>
    found
      .flatMap((one) => line(one) ?? [])
      .sort()
      .join(', ')
  const params = { maxResults: 250, showHidden: true }
  const events = await Promise.all(
    names.map(async (name) => {
      const answer = await side.all('calendar.events.list', { calendarId: name, maxResults: 250 })
      return `${name}: ${answer
        .map(({ summary }) => String(summary))
        .sort()
        .join(' ')}`
    }),
  )
  const list = 'calendar.calendarList.list'
  return `${text(await side.all(list, params))}\nchanged: ${text(await side.changes(list, params))}\n${events.join('\n')}`
}

it.each(seeds)('the model treats calendars as the sandbox does: seed %i', async (seed) => {
  const random = seeded(seed)
  const names = ['me']
  const both = sides()
  both[0].ids.set('me', 'primary')
  const steps = new Steps(both, seed, (side) => calendarLines(side, names))
  const time = (hour: number): JsonObject => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' })
  let made = 0
  for (let count = 0; count < 30; count++) {
    const calendarId = pickFrom(random, names)
    const word = `w${++made}`
    const dice = random()
    if (dice < 0.15 || names.length === 1) {
      names.push(word)
      await steps.take('calendar.calendars.insert', {}, { summary: word }, word)
    } else if (dice < 0.25) await steps.take('calendar.calendars.patch', { calendarId }, { summary: word })
    else if (dice < 0.35) await steps.take('calendar.calendarList.patch', { calendarId }, { summaryOverride: word })
    else if (dice < 0.4) await steps.take('calendar.calendarList.patch', { calendarId }, { selected: random() < 0.5 })
    else if (dice < 0.5) await steps.take('calendar.calendars.delete', { calendarId })
    else if (dice < 0.55) await steps.take('calendar.calendars.clear', { calendarId })
    else if (dice < 0.6) await steps.take('calendar.calendars.get', { calendarId })
    else {
      const value = { id: `event${made}`, summary: word, start: time(10), end: time(11) }
      await steps.take('calendar.events.insert', { calendarId }, value as JsonObject)
    }
  }
})
