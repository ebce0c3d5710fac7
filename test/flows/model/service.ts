import { localPrefix } from '#shared/domain/collections'
import { deriveInstance, parseInstanceId, seriesOf } from '#shared/domain/instances'
import type { FaultCode } from '#shared/fault'
import { sameJson, type JsonObject } from '#shared/json'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import type { CallAnswer, CallOptions, Client } from '../../../src-main/services/client'
import { Ledger, wordsIn, wordsOfAnswer, type Sight } from './ledger'
import { fail } from './refusal'
import { ModelTrafficking } from './trafficking'

interface Held {
  value: JsonObject
  sequence: number
  deleted: boolean
  /** True for an exception whose occurrence no longer exists. */
  fallen?: boolean
  /** What an exception has that its series doesn't imply, with null for missing fields. */
  own?: JsonObject
}

/** One list of records with versions, tombstones, and a change sequence. */
class Shelf {
  readonly held = new Map<string, Held>()

  constructor(
    private readonly name: string,
    private readonly ledger: Ledger,
  ) {}

  put(id: string, held: Held): void {
    this.held.set(id, held)
    this.ledger.store(`${this.name} ${id}`, held.deleted ? undefined : wordsIn(held.value))
  }

  /** Hidden records count as removed, like deleted ones. */
  hides(id: string, value: JsonObject): void {
    this.ledger.hide(`${this.name} ${id}`, wordsIn(value))
  }

  drop(id: string): void {
    this.held.delete(id)
    this.ledger.store(`${this.name} ${id}`)
  }
}

export interface Call {
  id: string
  params: JsonObject
  body?: JsonObject
  /** The caller, if known. */
  who?: string
  /** What the caller had seen of the service. A call without an edit removes nothing. */
  sight?: () => Sight
  toWrite?: boolean
  /** When it was sent, if that isn’t now. */
  asked?: number
}

/** When a call fails: before anything happened, or after everything did and only the response is lost. */
export type Trouble = (call: Call, moment: 'before' | 'after') => FaultCode | undefined

const serverOwned = new Set([
  'etag',
  'updated',
  'position',
  'kind',
  'selfLink',
  'htmlLink',
  'created',
  'creator',
  'organizer',
  'recurringEventId',
  'originalStartTime',
])

/**
 * A small but accurate model of the services: etags and preconditions, client IDs, tombstones, expiring sync tokens, instances
 * of series, task order and nesting, and trafficking in a separate class. Replaces the HTTP client.
 */
export class ModelService {
  readonly shelves = new Map<string, Shelf>()
  readonly calls: Call[] = []
  readonly ledger: Ledger
  readonly trafficking: ModelTrafficking
  /** Local IDs that were sent. */
  readonly leaked: string[] = []
  private sequence = 0
  private made = 0
  private oldestToken = 0
  trouble: Trouble = () => undefined
  /** Called with each completed call and its outcome. */
  watch: ((call: Call, outcome: string) => void) | null = null
  /** Delays the response to a call. */
  delay: (call: Call) => Promise<void> | undefined = () => undefined

  /** Runs someone else's action just before a call. */
  meanwhile: (call: Call) => void = () => undefined

  /** Delays a failing call before it's cut. */
  hangs: () => Promise<void> | undefined = () => undefined
  private cached: {
    left: number
    answers: Map<string, { answer: CallAnswer<JsonObject | undefined>; turn: number }>
  } | null = null

  /** Simulates a cache: answers this many equal list requests with the first response. */
  cache(left: number): void {
    this.cached = left > 0 ? { left, answers: new Map() } : null
  }

  /** Runs someone else's action after a call whose response is lost. */
  unanswered: (call: Call, made: JsonObject) => void = () => undefined

  constructor(private readonly now: () => number) {
    this.ledger = new Ledger(now)
    this.trafficking = new ModelTrafficking(now, ({ collection, id, after }) =>
      this.ledger.store(`trafficking.${collection} ${id}`, after && wordsIn(after)),
    )
    this.shelf('calendarList').put(
      'me',
      this.fresh({ id: 'me', summary: 'Me', accessRole: 'owner', primary: true, selected: true, timeZone: 'UTC' }),
    )
    this.shelf('calendarList').put(
      'work',
      this.fresh({ id: 'work', summary: 'Work', accessRole: 'writer', selected: true, timeZone: 'UTC' }),
    )
    this.shelf('calendars').put('me', this.fresh({ id: 'me', summary: 'Me', timeZone: 'UTC' }))
    this.shelf('calendars').put('work', this.fresh({ id: 'work', summary: 'Work', timeZone: 'UTC' }))
    this.shelf('tasklists').put('inbox', this.fresh({ id: 'inbox', title: 'Inbox' }))
  }

  /**
   * @param who the client's user, if it matters who has seen what
   * @param sight for a writing client: what the edit's author had seen
   */
  client(who?: string, sight?: () => Sight): Client {
    const whose = { ...(who !== undefined && { who }), ...(sight && { sight }) }
    const call = (id: string, params: JsonObject, options?: CallOptions): Promise<CallAnswer<JsonObject | undefined>> =>
      this.call({ id, params, ...bodyOf(options), ...whose }, options)
    return { call, pages: () => undefined } as unknown as Client
  }

  /** Calls as a user who meets no errors and has seen everything. @throws FaultError */
  callAs(who: string, id: string, params: JsonObject, body?: JsonObject): JsonObject | undefined {
    return this.carryOut({ id, params, ...(body && { body }), who, sight: () => 'everything' }).body
  }

  /** Expires all sync tokens. */
  expireTokens(): void {
    this.oldestToken = this.sequence + 1
    this.sequence++
  }

  /** The visible records of a shelf. */
  living(shelf: string): JsonObject[] {
    return [...this.shelf(shelf).held.values()].filter((held) => !held.deleted).map((held) => held.value)
  }

  /** IDs of the canceled occurrences of living series. */
  canceled(shelf: string): string[] {
    return [...this.shelf(shelf).held].flatMap(([id, { deleted, fallen }]) =>
      deleted && !fallen && this.hasOccurrence(shelf, id) ? [id] : [],
    )
  }

  /** True if a living series has this occurrence, canceled or not. */
  hasOccurrence(shelf: string, id: string): boolean {
    return implied(this.shelf(shelf), id) !== undefined
  }

  shelf(name: string): Shelf {
    let shelf = this.shelves.get(name)
    if (!shelf) this.shelves.set(name, (shelf = new Shelf(name, this.ledger)))
    return shelf
  }

  private async call(call: Call, options: CallOptions = {}): Promise<CallAnswer<JsonObject | undefined>> {
    const date = this.now()
    await Promise.resolve()
    const { id, params, body, who } = call
    call.asked = date
    this.calls.push(call)
    await this.delay(call)
    if (namesLocal(params) || (body && namesLocal(body))) {
      this.leaked.push(`${id} ${JSON.stringify([params, body])}`)
      fail('invalid', `A made-up id travelled: ${id}`)
    }
    const early = this.trouble(call, 'before')
    if (early) {
      this.watch?.(call, `${early} before`)
      await this.hangs()
      fail(early)
    }
    this.meanwhile(call)
    const question = this.cached && id.endsWith('.list') && !call.sight ? JSON.stringify([who, id, params]) : undefined
    const earlier = question === undefined ? undefined : this.cached!.answers.get(question)
    if (earlier && this.cached!.left-- > 0) {
      this.watch?.(call, 'cached')
      // A sync token leaves few ways to ask for a list.
      if (who !== undefined && params.syncToken !== undefined && params.prettyPrint !== undefined)
        this.ledger.listedBefore(who, placeOf(id, params).name, earlier.turn)
      return earlier.answer
    }
    const answer = this.carryOut(call, options)
    const asOf = this.ledger.moment()
    // The response doesn't include what's written while it travels.
    if (who !== undefined) this.noteLook(who, call, answer.body)
    const late = this.trouble(call, 'after')
    await Promise.resolve()
    if (late) {
      if (answer.body) this.unanswered(call, answer.body)
      this.watch?.(call, `${late} after`)
      await this.hangs()
      fail(late)
    }
    if (who !== undefined) {
      this.ledger.heard(who, wordsOfAnswer(answer.body, id.endsWith('.list')))
    }
    const complete = { status: 200, date, ...answer }
    if (question !== undefined) this.cached?.answers.set(question, { answer: complete, turn: asOf })
    return complete
  }

  private noteLook(who: string, { id, params, sight, asked }: Call, body: JsonObject | undefined): void {
    const how = sight ? 'look' : 'read'
    for (const record of recordsIn(id, params, body)) this.ledger.looked(who, record, how)
    // A search for one new record doesn't count as a look at what a clearing would remove.
    if (!id.endsWith('.list') || sight || isTrafficking(id)) return
    const { name } = placeOf(id, params)
    if (params.pageToken === undefined) this.ledger.began(who, name)
    if (!body?.nextPageToken) this.ledger.listed(who, name, asked ?? this.now())
  }

  private carryOut(call: Call, options: CallOptions = {}): { body: JsonObject | undefined; status?: number } {
    const { id, who, sight, asked = this.now() } = call
    const answer = this.answer(call, options)
    this.watch?.(call, '')
    if (who === undefined) this.ledger.skip()
    else
      this.ledger.judge(who, { id, record: recordOf(call), guarded: !isTrafficking(id), asked }, sight?.() ?? nothing)
    return answer
  }

  private answer(call: Call, options: CallOptions): { body: JsonObject | undefined; status?: number } {
    const { id, params, body } = call
    try {
      return isTrafficking(id)
        ? { body: this.trafficking.call(id, params, body) }
        : this.execute(id, params, body, options)
    } catch (error) {
      this.watch?.(call, String(error))
      throw error
    }
  }

  private execute(
    id: string,
    params: JsonObject,
    body: JsonObject = {},
    options: CallOptions,
  ): { body: JsonObject | undefined; status?: number } {
    const { collection, verb, parent, name, recordId } = placeOf(id, params)
    if (collection === 'events' && !this.alive('calendarList', String(parent))) fail('notFound')
    if (collection === 'tasks' && !this.alive('tasklists', String(parent))) fail('notFound')
    const shelf = this.shelf(name)
    switch (verb) {
      case 'list':
        return { body: this.list(shelf, collection, params) }
      case 'get': {
        const held = this.findAny(shelf, collection, recordId)
        if (held.deleted) return { body: tombstone(collection, held.value) }
        if (options.ifNoneMatch && options.ifNoneMatch === held.value.etag) return { status: 304, body: undefined }
        return { body: held.value }
      }
      case 'insert':
        return { body: this.insert(shelf, collection, params, body) }
      case 'patch':
      case 'update': {
        const isTask = collection === 'tasks'
        const [asked, living] = isTask ? [body.deleted, false] : [body.status, 'confirmed']
        const restored = asked === living || (verb === 'update' && !asked)
        const master = collection === 'events' ? parseInstanceId(recordId)?.masterId : undefined
        const held = this.findAny(shelf, collection, recordId)
        if (options.ifMatch && options.ifMatch !== held.value.etag) fail('preconditionFailed')
        if (body.status === 'cancelled' && !held.deleted) {
          this.remove(shelf, collection, recordId)
          return { body: tombstone(collection, shelf.held.get(recordId)!.value) }
        }
        const next: JsonObject =
          verb === 'patch'
            ? { ...held.value, ...writable(body) }
            : { ...ownedPart(held.value), ...writable(body), id: recordId }
        // A task that is reopened is visible again.
        if (isTask && next.status !== 'completed') delete next.hidden
        if (isTask) delete next.deleted
        // A change leaves a deleted record deleted.
        const isDeleted = held.deleted && !restored
        const answered = isDeleted && !isTask ? { ...next, status: held.value.status ?? null } : next
        // What changes nothing leaves no new version, and no exception. A calendar's entry in a list gets one.
        if (collection !== 'calendarList' && isDeleted === held.deleted && sameContent(withOwn(answered), held.value))
          return { body: isDeleted ? tombstone(collection, held.value) : held.value }
        // An occurrence is there only with its series.
        const isGone = isDeleted || (master !== undefined && !alive(shelf, master))
        const value = isDeleted && master !== undefined ? { ...next, status: 'cancelled' } : next
        const written = this.write(shelf, recordId, value, isGone)
        if (collection === 'calendars') this.renameListed(written)
        return { body: isGone ? tombstone(collection, written) : written }
      }
      case 'delete': {
        const held = this.find(shelf, collection, recordId)
        if (collection === 'calendars' && recordId === 'me') fail('forbidden', 'A primary calendar cannot be deleted')
        if (options.ifMatch && options.ifMatch !== held.value.etag) fail('preconditionFailed')
        this.remove(shelf, collection, recordId)
        return { body: undefined }
      }
      case 'move':
        return { body: collection === 'events' ? this.moveEvent(params) : this.moveTask(params) }
      case 'clear':
        if (collection === 'calendars') this.clearCalendar(recordId)
        else this.clearCompleted(shelf)
        return { body: undefined }
      default:
        return fail('invalid', `The model does not know ${id}`)
    }
  }

  /** A calendar in a list has the name of the calendar, which is no new version of it there. */
  private renameListed({ id, summary }: JsonObject): void {
    const { held } = this.shelf('calendarList')
    const listed = held.get(String(id))
    if (listed) held.set(String(id), { ...listed, value: { ...listed.value, summary: summary! } })
  }

  private list(shelf: Shelf, collection: string, params: JsonObject): JsonObject {
    const since = typeof params.syncToken === 'string' ? Number(params.syncToken) : undefined
    if (since !== undefined && since < this.oldestToken) fail('cursorExpired')
    const min = typeof params.updatedMin === 'string' ? Date.parse(params.updatedMin) : undefined
    const all = [...shelf.held.values()].filter((held) => {
      if (since !== undefined) return held.sequence > since
      if (min !== undefined) return Date.parse(String(held.value.updated)) >= min
      const { recurringEventId: master } = held.value
      return !held.deleted || (typeof master === 'string' && !held.fallen && alive(shelf, master))
    })
    // A page continues after the last one's final record, and the final token is from the start, so a list that changes
    // between pages misses nothing.
    const [after, started] =
      typeof params.pageToken === 'string' ? (JSON.parse(params.pageToken) as [string, string]) : ['', '']
    const token = started || String(this.sequence)
    let rest = all
    if (after !== '') {
      const order = new Map([...shelf.held.keys()].map((key, index) => [key, index]))
      rest = all.filter((held) => order.get(String(held.value.id))! > (order.get(after) ?? -1))
    }
    const size = 7
    const items = rest.slice(0, size).map((held) => (held.deleted ? tombstone(collection, held.value) : held.value))
    if (rest.length > size) return { items, nextPageToken: JSON.stringify([items.at(-1)!.id, token]) }
    return { items, nextSyncToken: token }
  }

  private insert(shelf: Shelf, collection: string, params: JsonObject, body: JsonObject): JsonObject {
    if (body.summary === 'poison' || body.title === 'poison') fail('invalid', 'Poison is not allowed')
    const given = collection === 'events' && typeof body.id === 'string' ? body.id : undefined
    if (given && shelf.held.has(given)) fail('duplicate')
    if (collection === 'tasks') checkPlace(shelf, params)
    const id = given ?? `${collection}${++this.made}`
    const status = statusOf[collection] && { status: statusOf[collection] }
    const value = this.write(shelf, id, { ...status, ...writable(body), id })
    if (collection === 'calendars') {
      this.write(this.shelf('calendarList'), id, {
        id,
        summary: value.summary,
        accessRole: 'owner',
        selected: true,
        timeZone: 'UTC',
      })
    }
    if (collection === 'tasks') return this.place(shelf, id, params)
    return value
  }

  private write(shelf: Shelf, id: string, value: JsonObject, isDeleted = false): JsonObject {
    if (value.summary === 'poison' || value.title === 'poison') fail('invalid', 'Poison is not allowed')
    const clean = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined))
    const held = this.fresh({ ...clean, id })
    const deleted = isDeleted || clean.status === 'cancelled'
    delete clean.deleted
    const before = shelf.held.get(id)?.value
    const own = parseInstanceId(id) ? differences(implied(shelf, id, true) ?? {}, held.value) : undefined
    shelf.put(id, { ...held, deleted, ...(own && { own }) })
    if (before?.recurrence) this.followSeries(shelf, held.value, deleted)
    return held.value
  }

  /** Adds and removes exceptions with their occurrences. The others inherit what they don't have themselves. */
  private followSeries(shelf: Shelf, master: JsonObject, isDeleted: boolean): void {
    const series = isDeleted ? undefined : seriesOf(master)
    for (const [key, held] of shelf.held) {
      const instance = parseInstanceId(key)
      if (!instance || instance.masterId !== master.id) continue
      const occurrence = series && occurrenceBySuffix(series, instance.suffix)
      const fallen = occurrence === undefined
      const value = occurrence ? withOwn(deriveInstance(master, occurrence), held.own) : held.value
      const isCanceled = value.status === 'cancelled'
      // A canceled occurrence stays as it is.
      if (fallen === (held.fallen === true) && (fallen || isCanceled)) shelf.held.set(key, { ...held, value })
      else shelf.put(key, { ...held, ...this.fresh(value), deleted: fallen || isCanceled, fallen })
    }
  }

  private remove(shelf: Shelf, collection: string, id: string): void {
    const leaveTombstone = (on: Shelf, key: string): void => {
      const { value } = on.held.get(key)!
      on.put(key, { ...this.fresh(value), deleted: true })
    }
    const instance = collection === 'events' ? parseInstanceId(id) : undefined
    if (instance) {
      this.write(shelf, id, { ...this.find(shelf, 'events', id).value, status: 'cancelled' })
      return
    }
    leaveTombstone(shelf, id)
    if (collection === 'events')
      for (const [key, held] of shelf.held)
        if (parseInstanceId(key)?.masterId === id && !held.fallen)
          shelf.put(key, { ...held, ...this.fresh(held.value), deleted: true, fallen: true })
    if (collection === 'tasks') {
      for (const [key, held] of shelf.held)
        if (!held.deleted && held.value.parent === id) this.remove(shelf, collection, key)
    }
    if (collection === 'tasklists') this.discard(`tasks ${id}`)
    if (collection === 'calendars') {
      leaveTombstone(this.shelf('calendarList'), id)
      this.discard(`events ${id}`)
    }
  }

  private discard(name: string): void {
    const shelf = this.shelves.get(name)
    for (const id of shelf?.held.keys() ?? []) shelf!.drop(id)
    this.shelves.delete(name)
  }

  private clearCalendar(id: string): void {
    if (!this.find(this.shelf('calendarList'), 'calendarList', id).value.primary)
      fail('invalid', 'Only a primary calendar can be cleared')
    const shelf = this.shelf(`events ${id}`)
    for (const [key, { deleted, value }] of [...shelf.held])
      if (!deleted && !value.recurringEventId) this.remove(shelf, 'events', key)
  }

  private clearCompleted(shelf: Shelf): void {
    for (const [key, { value, deleted }] of shelf.held)
      if (!deleted && value.status === 'completed' && !value.hidden) {
        this.write(shelf, key, { ...value, hidden: true })
        shelf.hides(key, value)
      }
  }

  private moveEvent(params: JsonObject): JsonObject {
    const from = this.shelf(`events ${String(params.calendarId)}`)
    const to = this.shelf(`events ${String(params.destination)}`)
    const id = String(params.eventId)
    const { value, deleted } = this.findAny(from, 'events', id)
    if (deleted) fail('notFound')
    if (value.recurringEventId) fail('invalid', 'Cannot change the organizer of an instance.')
    if (from === to) fail('invalid', 'It is there already')
    if (!this.alive('calendarList', String(params.destination))) fail('notFound')
    if (to.held.get(id) && !to.held.get(id)!.deleted) fail('duplicate')
    const exceptions = [...from.held].filter(([key]) => parseInstanceId(key)?.masterId === id)
    this.remove(from, 'events', id)
    const moved = this.write(to, id, value)
    for (const [key, held] of exceptions) to.put(key, { ...held, ...this.fresh(held.value), deleted: held.deleted })
    return moved
  }

  private moveTask(params: JsonObject): JsonObject {
    const list = String(params.tasklist)
    const id = String(params.task)
    const from = this.shelf(`tasks ${list}`)
    this.find(from, 'tasks', id)
    const destination = typeof params.destinationTasklist === 'string' ? params.destinationTasklist : list
    if (!this.alive('tasklists', destination)) fail('notFound')
    const to = this.shelf(`tasks ${destination}`)
    checkPlace(to, params, id, from)
    if (destination !== list) {
      const carry = (task: string): void => {
        const { value } = from.held.get(task)!
        from.put(task, { ...this.fresh(value), deleted: true })
        this.write(to, task, value)
        for (const [key, held] of from.held) if (!held.deleted && held.value.parent === task) carry(key)
      }
      carry(id)
    }
    return this.place(to, id, params)
  }

  private place(shelf: Shelf, id: string, params: JsonObject): JsonObject {
    const parent = typeof params.parent === 'string' ? params.parent : undefined
    const { parent: _old, ...value } = shelf.held.get(id)!.value
    const row = [...shelf.held.values()]
      .filter((held) => !held.deleted && held.value.id !== id && (held.value.parent ?? undefined) === parent)
      .sort((a, b) => (String(a.value.position) < String(b.value.position) ? -1 : 1))
    const at = typeof params.previous === 'string' ? row.findIndex((held) => held.value.id === params.previous) + 1 : 0
    const [before, after] = [row[at - 1], row[at]].map((held) => held && BigInt(String(held.value.position)))
    const free = positionBetween(before, after)
    // Siblings that leave no position free are spread out again.
    if (free === undefined) {
      row.splice(at, 0, { value: { ...value, ...(parent && { parent }) }, sequence: 0, deleted: false })
      row.forEach((held, index) => {
        const position = positionText(middle + BigInt(index) * gap)
        this.write(shelf, String(held.value.id), { ...held.value, position })
      })
    } else this.write(shelf, id, { ...value, ...(parent && { parent }), position: positionText(free) })
    return shelf.held.get(id)!.value
  }

  private find(shelf: Shelf, collection: string, id: string): Held {
    const held = this.findAny(shelf, collection, id)
    return held.deleted ? fail(collection === 'events' ? 'gone' : 'notFound') : held
  }

  /** Finds events and tasks that were deleted, too, and occurrences of deleted series. */
  private findAny(shelf: Shelf, collection: string, id: string): Held {
    const held = shelf.held.get(id)
    if (held && (!held.deleted || /^(events|tasks)$/.test(collection))) return held
    const occurrence = collection === 'events' ? implied(shelf, id, true) : undefined
    if (!occurrence) return fail('notFound')
    const { masterId } = parseInstanceId(id)!
    // An occurrence without changes of its own is as old as its series.
    const { etag } = shelf.held.get(masterId)!.value
    return { value: { ...occurrence, etag: `${id} of ${String(etag)}` }, sequence: 0, deleted: !alive(shelf, masterId) }
  }

  private alive(shelf: string, id: string): boolean {
    return alive(this.shelf(shelf), id)
  }

  private fresh(value: JsonObject): Held {
    this.sequence++
    const updated = new Date(this.now()).toISOString()
    return { value: { ...value, etag: `"${this.sequence}"`, updated }, sequence: this.sequence, deleted: false }
  }
}

/** What new records are without a status of their own. */
const statusOf: Partial<Record<string, string>> = { events: 'confirmed', tasks: 'needsAction' }

/** Distance of tasks that are added at an end of a list. */
const gap = 1_048_576n
const middle = 50_000_000_000_000_000_000n
const positionText = (position: bigint): string => position.toString().padStart(20, '0')

/** A position of 20 digits between two others. Undefined if none is free. */
function positionBetween(before: bigint | undefined, after: bigint | undefined): bigint | undefined {
  if (before === undefined) return after === undefined ? middle : after - gap
  if (after === undefined) return before + gap
  return after - before > 1n ? (before + after) / 2n : undefined
}

const alive = (shelf: Shelf, id: string): boolean => shelf.held.get(id)?.deleted === false

/**
 * Tasks have two levels, and siblings one order.
 * @param task moves there, from this shelf
 */
function checkPlace(shelf: Shelf, { parent, previous }: JsonObject, task?: string, from = shelf): void {
  const find = (id: unknown, name: string): JsonObject => {
    const found = shelf.held.get(String(id))
    if (!found || found.deleted || found.value.hidden || id === task) return fail('invalid', `No such ${name}`)
    return found.value
  }
  if (previous !== undefined && find(previous, 'previous').parent !== parent) fail('invalid', 'No such previous')
  const isHidden = task !== undefined && from.held.get(task)!.value.hidden
  if (isHidden && (parent !== undefined || previous !== undefined)) fail('invalid', 'A hidden task has no place')
  if (parent === undefined) return
  if (find(parent, 'parent').parent !== undefined) fail('invalid', 'A subtask cannot have subtasks')
  const hasSubtasks = [...from.held.values()].some(({ deleted, value }) => !deleted && value.parent === task)
  if (task !== undefined && hasSubtasks) fail('invalid', 'A task with subtasks cannot become a subtask')
}

/** The fields of an exception that differ from what its series implies, with null for missing ones. */
function differences(derived: JsonObject, value: JsonObject): JsonObject {
  const fields = [...new Set([...Object.keys(derived), ...Object.keys(value)])]
  const own = fields.filter(
    (field) => !serverOwned.has(field) && !sameJson(derived[field] ?? null, value[field] ?? null),
  )
  return Object.fromEntries(own.map((field) => [field, value[field] ?? null]))
}

const withOwn = (derived: JsonObject, own: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries({ ...derived, ...own }).filter(([, field]) => field !== null))

/** An occurrence as its series has it. @param dead true to take a deleted series, too */
function implied(shelf: Shelf, id: string, dead = false): JsonObject | undefined {
  const instance = parseInstanceId(id)
  const master = instance && shelf.held.get(instance.masterId)
  const series = master && (dead || !master.deleted) ? seriesOf(master.value) : undefined
  const occurrence = series && occurrenceBySuffix(series, instance!.suffix)
  return occurrence && deriveInstance(master!.value, occurrence)
}

const writable = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !serverOwned.has(field) && field !== 'parent'))

/** Fields that a PUT doesn't change. */
const ownedPart = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([field]) => serverOwned.has(field) || field === 'parent' || field === 'accessRole' || field === 'primary',
    ),
  )

function tombstone(collection: string, value: JsonObject): JsonObject {
  if (collection === 'events') {
    const { id, recurringEventId, originalStartTime, etag } = value
    return { id, status: 'cancelled', recurringEventId, originalStartTime, etag }
  }
  return { ...value, deleted: true }
}

/** User-visible content, without the service's own fields. */
export function content(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([field]) => !['etag', 'updated', 'position', 'sequence'].includes(field)),
  )
}

export const sameContent = (a: JsonObject, b: JsonObject): boolean => sameJson(content(a), content(b))

const idParams: Readonly<Partial<Record<string, string>>> = {
  events: 'eventId',
  tasks: 'task',
  tasklists: 'tasklist',
  acl: 'ruleId',
  settings: 'setting',
}

/** Collection and verb of an operation. */
function partsOf(id: string): readonly [string, string] {
  const at = id.lastIndexOf('.')
  return [id.slice(id.indexOf('.') + 1, at), id.slice(at + 1)]
}

function placeOf(
  id: string,
  params: JsonObject,
): { collection: string; verb: string; parent: unknown; name: string; recordId: string } {
  const [collection, verb] = partsOf(id)
  const idParam = idParams[collection] ?? 'calendarId'
  const parent =
    collection === 'events' || collection === 'acl'
      ? params.calendarId
      : collection === 'tasks'
        ? params.tasklist
        : undefined
  const name = parent === undefined ? collection : `${collection} ${String(parent)}`
  return { collection, verb, parent, name, recordId: String(params[idParam]) }
}

export const isTrafficking = (id: string): boolean => id.startsWith('trafficking.')

const bodyOf = (options: CallOptions | undefined): Pick<Call, 'body'> =>
  options?.body ? { body: options.body as JsonObject } : {}

const nothing: Sight = { until: -1 }

/** True if data contains a local ID. */
const namesLocal = (data: JsonObject): boolean =>
  Object.values(data).some((value) =>
    typeof value === 'string'
      ? value.includes(localPrefix)
      : typeof value === 'object' && JSON.stringify(value).includes(localPrefix),
  )

/** The call's record, by its ledger name. */
function recordOf({ id, params, body }: Call): string {
  if (isTrafficking(id)) return `${id.slice(0, id.lastIndexOf('.'))} ${String(params.id ?? body?.id)}`
  const { name, recordId } = placeOf(id, params)
  return `${name} ${recordId}`
}

/** The records in a trafficking response. */
function recordsIn(id: string, params: JsonObject, body: JsonObject = {}): string[] {
  if (!isTrafficking(id)) return []
  if (!id.endsWith('.list')) return [recordOf({ id, params, body })]
  const shelf = id.slice(0, id.lastIndexOf('.'))
  const shown = Object.values(body).filter(Array.isArray).flat() as JsonObject[]
  return shown.map((one) => `${shelf} ${String(one.id)}`)
}
