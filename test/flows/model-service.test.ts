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

type Run = (id: string, params: JsonObject, body: JsonObject | undefined) => Promise<JsonObject>

/** One of the two services, and its IDs by the names that both share. */
class Side {
  readonly ids = new Map<string, string>()

  constructor(private readonly run: Run) {}

  /** Returns the code of the error, or the answer. */
  async call(id: string, params: JsonObject, body?: JsonObject): Promise<JsonObject | string> {
    const named = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, this.ids.get(String(value)) ?? value]),
    )
    try {
      return await this.run(id, named, body)
    } catch (error) {
      if (error instanceof FaultError) return error.fault.code
      throw error
    }
  }

  /** Returns the records on all pages of a list. */
  async all(id: string, params: JsonObject): Promise<JsonObject[]> {
    const found: JsonObject[] = []
    for (let page: JsonObject = {}; ;) {
      const answer = (await this.call(id, { ...params, ...page })) as JsonObject
      found.push(...((answer.items ?? []) as JsonObject[]))
      if (answer.nextPageToken === undefined) return found
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
      new Side(async (id, params, body) => {
        const { body: answer } = await client.call(id as never, params as never, { ...(body && { body }) } as never)
        return (answer ?? {}) as JsonObject
      }),
  )
  return [real!, modeled!]
}

/** Makes the same calls on both sides, which must answer alike. */
class Steps {
  private readonly lines: string[] = []

  constructor(
    readonly both: readonly [Side, Side],
    private readonly seed: number,
    private readonly contents: (side: Side) => Promise<string>,
  ) {}

  /** @param name of what the call creates */
  async take(id: string, params: JsonObject, body?: JsonObject, name?: string): Promise<boolean> {
    const answers = await Promise.all(this.both.map((side) => side.call(id, params, body)))
    const codes = answers.map((answer) => (typeof answer === 'string' ? answer : 'ok'))
    this.lines.push(`${id} ${JSON.stringify(params)} ${JSON.stringify(body ?? {})} ${codes[0]}`)
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

/** Events of a calendar by ID, with canceled occurrences. */
async function events(side: Side, calendarId: string): Promise<string> {
  const found = await side.all('calendar.events.list', { calendarId, maxResults: 250 })
  const line = ({ id, status, summary, location }: JsonObject): string =>
    status === 'cancelled' ? `${String(id)} canceled` : `${String(id)} ${String(summary)} ${String(location)}`
  return `${calendarId}: ${found.map(line).sort().join(', ')}`
}

it.each(seeds)('the model treats events as the sandbox does: seed %i', async (seed) => {
  const at = (hour: number): JsonObject => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' })
  const random = seeded(seed)
  const calendars = ['me', 'work']
  /** `isWhole`: the series was neither cut nor deleted. */
  const known: { id: string; calendar: string; isWhole: boolean }[] = []
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
    const isOccurrence = random() < 0.5 && one?.isWhole
    const calendar = one && (isOccurrence || random() < 0.9) ? one.calendar : pickFrom(random, calendars)
    const day = 2 + Math.floor(random() * 4)
    const eventId = one && (isOccurrence ? `${one.id}_2026030${day}T100000Z` : one.id)
    const dice = random()
    const params = { calendarId: calendar, ...(eventId && { eventId }) }
    const word = `w${++made}`
    // What changes an occurrence that its series no longer has isn’t modeled.
    if (one && !isOccurrence && dice >= 0.6 && dice < 0.8) one.isWhole = false
    if (!one || dice < 0.2) {
      const id = random() < 0.2 && one ? one.id : `event${made}`
      const recurrence = random() < 0.7 ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}
      const value = { id, summary: word, start: at(10), end: at(11), ...recurrence }
      if (await steps.take('calendar.events.insert', { calendarId: calendar }, value as JsonObject))
        known.push({ id, calendar, isWhole: true })
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
      if (await steps.take('calendar.events.move', { ...params, destination })) one.calendar = destination
    }
  }
})
