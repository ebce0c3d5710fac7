import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import type { CallAnswer, CallOptions, Client } from '../../../src-main/services/client'
import { clearCalendar, moveEvent, renameListed } from './calendars'
import { isTrafficking, namesLocal, placeOf, recordOf, recordsIn, type Call, type Trouble } from './call'
import { ownedPart, sameContent, tombstone, writable } from './content'
import { withOwn } from './events'
import { wordsIn, wordsOfAnswer, type Sight } from './ledger'
import { ModelRecords } from './records'
import { fail } from './refusal'
import { alive, type Shelf } from './shelf'
import { checkPlace, clearCompleted, moveTask, place } from './tasks'
import { ModelTrafficking } from './trafficking'

/**
 * A small but accurate model of the services: etags and preconditions, client IDs, tombstones, expiring sync tokens, instances
 * of series, task order and nesting, and trafficking in a separate class. Replaces the HTTP client.
 */
export class ModelService extends ModelRecords {
  readonly calls: Call[] = []
  readonly trafficking: ModelTrafficking
  /** Local IDs that were sent. */
  readonly leaked: string[] = []
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

  constructor(now: () => number) {
    super(now)
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
        if (collection === 'calendars') renameListed(this, written)
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
        return { body: collection === 'events' ? moveEvent(this, params) : moveTask(this, params) }
      case 'clear':
        if (collection === 'calendars') clearCalendar(this, recordId)
        else clearCompleted(this, shelf)
        return { body: undefined }
      default:
        return fail('invalid', `The model does not know ${id}`)
    }
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
    if (collection === 'tasks') return place(this, shelf, id, params)
    return value
  }
}

/** What new records are without a status of their own. */
const statusOf: Partial<Record<string, string>> = { events: 'confirmed', tasks: 'needsAction' }

const bodyOf = (options: CallOptions | undefined): Pick<Call, 'body'> =>
  options?.body ? { body: options.body as JsonObject } : {}

const nothing: Sight = { until: -1 }
