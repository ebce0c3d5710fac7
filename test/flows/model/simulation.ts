import { recordKey } from '#shared/domain/collections'
import type { FaultCode } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { EditOptions, Row } from '../../../src-renderer/replica/api'
import { seeded, VirtualClock } from './clock'
import { Campaigns, type Made } from './campaigns'
import { Device, type PlantedBug } from './device'
import { content, ModelService } from './service'

/** What one run found wrong; empty when everything held. */
export interface Verdict {
  problems: string[]
  trace: string[]
  /** How often each kind of step and fault was taken. */
  coverage: Map<string, number>
}

/** An edit that was acknowledged and must be found again. */
interface Promised {
  device: string
  marker: string
  key: string
  field: string
}

const troubles: FaultCode[] = [
  'answerLost',
  'unavailable',
  'rateLimited',
  'unreachable',
  'conflict',
  'badAnswer',
  'signInExpired',
  'quotaSpent',
]
const from = Date.UTC(2026, 2, 1)
const to = Date.UTC(2026, 3, 1)

export interface People {
  /** They write to the same few records, and decide soon about what needs them. */
  quarrel?: boolean
  /** Their computers have this mistake. */
  bug?: PlantedBug
  /** Whatever goes wrong goes wrong with all services alike; otherwise it is often one alone that is in trouble. */
  even?: boolean
  /** They traffic as well: drafts that they post, parts that they keep here, and somebody else who writes there. */
  campaigns?: boolean
}

/** Steps of a schedule where nothing is said. */
export const defaultSteps = 32

/** One schedule: a few devices, one service, trouble of every kind, and an auditor at the end. */
export class Simulation {
  readonly clock = new VirtualClock()
  readonly service = new ModelService(() => this.clock.time)
  readonly devices: Device[] = []
  readonly trace: string[] = []
  readonly coverage = new Map<string, number>()
  private readonly random: () => number
  private readonly clocks: () => number
  private readonly sides: () => number
  private promised: Promised[] = []
  /** Which device wrote a marker. */
  private readonly author = new Map<string, string>()
  /** Keys by which a record was known before a restart. */
  private readonly aliases = new Map<string, string>()
  /** Records that someone else moved, by the marker they were made with. */
  private readonly movedByOthers = new Set<string>()
  /** Ids of tasks that somebody else gave another title, whoever gave them one after that. */
  private readonly renamedByOthers = new Set<string>()
  private trouble: {
    left: number
    code: FaultCode
    moment: 'before' | 'after'
    service?: 'calendar' | 'tasks' | 'trafficking'
  } | null = null
  /** Computers whose database was emptied. */
  private readonly wiped = new Set<string>()
  private marked = 0
  private readonly campaigns: Campaigns | undefined
  /** Drawn apart, so that seeds keep their steps. */
  private readonly trafficked: () => number

  constructor(
    private readonly seed: number,
    private readonly steps = defaultSteps,
    private readonly people: People = {},
  ) {
    this.random = seeded(seed)
    this.clocks = seeded(seed * 17 + 5)
    this.sides = seeded(seed * 13 + 3)
    this.trafficked = seeded(seed * 19 + 7)
    if (people.campaigns)
      this.campaigns = new Campaigns(this.service, this.clock, this.trafficked, (word) => this.author.get(word))
    this.service.meanwhile = (call) => {
      if (!this.campaigns || !call.who || !/^trafficking\..*\.patch$/.test(call.id) || this.trafficked() >= 0.06) return
      if (this.campaigns.slipsIn(call, this.mark('x'))) this.count('gap')
    }
    this.service.trouble = (call, moment) => {
      const { trouble } = this
      if (!trouble || trouble.moment !== moment || trouble.left <= 0) return undefined
      if (moment === 'after' && /list|get/.test(call.id)) return undefined
      if (trouble.service && !call.id.startsWith(`${trouble.service}.`)) return undefined
      trouble.left--
      this.count(`fault ${trouble.code} ${moment}`)
      if (trouble.service) this.count(`fault of ${trouble.service} alone`)
      return trouble.code
    }
  }

  async run(): Promise<Verdict> {
    const count = 2 + Math.floor(this.random() * 2)
    for (let i = 0; i < count; i++) {
      const skew = this.random() < 0.2 ? (this.random() - 0.5) * 86_400_000 * 365 * 10 : 0
      const device = new Device(
        `d${i}`,
        this.service,
        this.clock,
        seeded(this.seed * 31 + i),
        Math.round(skew),
        this.people.bug,
      )
      device.sends = (entry) => this.campaigns?.sent(device.name, entry)
      this.devices.push(device)
      await device.start()
    }
    await this.clock.pass(2_000)
    for (const device of this.campaigns ? this.devices : []) await this.choose(device, 0.6)
    for (let i = 0; i < this.steps; i++) await this.step(this.pick(this.devices))
    this.trouble = null
    for (const device of this.devices) {
      device.store.failing = null
      device.store.beforeWrite = null
      device.beforeAnswer = null
      device.journal.failing = false
    }
    for (const last of [false, true]) for (const device of this.devices) await this.finish(device, last)
    const problems = await this.audit()
    for (const device of this.devices) device.crash()
    return { problems, trace: this.trace, coverage: this.coverage }
  }

  /** Everything is posted and read, and nothing is under way. */
  private async finish(device: Device, last: boolean): Promise<void> {
    if (this.campaigns) {
      await this.post(device, true)
      for (const { id } of device.replica.rows('userProfiles'))
        await device.replica.download({ parent: id, what: 'all' })
    }
    for (const { key } of device.replica.downloads()) {
      await device.replica.pauseDownload(key, false)
      if (last) device.replica.refreshDownload(key)
    }
    await device.quiesce()
  }

  private async step(device: Device): Promise<void> {
    if (this.campaigns && this.trafficked() < 0.75) return this.traffic(device, this.campaigns)
    if (this.people.quarrel && this.random() < 0.5) await this.decide(device)
    const dice = this.random()
    if (dice < 0.6) await this.edit(device)
    else if (dice < 0.75) await this.pass()
    else if (dice < 0.8)
      await this.do(device, 'offline', () => device.replica.setOffline(!device.replica.status.offline))
    else if (dice < 0.85) this.orderTrouble()
    else if (dice < 0.88) await this.crash(device)
    else if (dice < 0.9) await this.crashInside(device)
    else if (dice < 0.915) this.expire()
    else if (dice < 0.93) await this.diskFull(device)
    else if (dice < 0.94) await this.wipe(device)
    else if (dice < 0.97) await this.undo(device)
    else await this.decide(device)
  }

  private async traffic(device: Device, campaigns: Campaigns): Promise<void> {
    const dice = this.trafficked()
    if (dice < 0.5) {
      const seen = await campaigns.seenOn(device)
      await this.edit(device, (marker) => campaigns.change(seen, marker))
    } else if (dice < 0.58) await this.post(device, true)
    else if (dice < 0.68) await this.post(device, false)
    else if (dice < 0.72) await this.withdrawDraft(device, campaigns)
    else if (dice < 0.81) {
      const what = campaigns.othersWrite(this.mark('x'))
      this.count(what)
      this.log(what)
    } else if (dice < 0.88) await this.changeDownloads(device)
    else if (dice < 0.93) this.orderTrouble()
    else if (dice < 0.96) await this.undo(device)
    else await this.decide(device)
  }

  private async post(device: Device, all: boolean): Promise<void> {
    const { campaigns } = this
    if (!campaigns) return
    const markers = [...this.author].flatMap(([marker, name]) => (name === device.name ? [marker] : []))
    const what = await this.do(device, 'post', () => campaigns.post(device, all, markers))
    if (what) this.count(what)
  }

  private async withdrawDraft(device: Device, campaigns: Campaigns): Promise<void> {
    const draft = campaigns.draftToWithdraw(device)
    if (!draft) return
    await this.do(device, 'withdraw a draft', () => device.replica.withdraw(draft.id))
    this.keepOnly(device, draft)
  }

  /** A person chooses what of the campaigns is kept on a computer: all, what belongs to something, or what to choose from. */
  private async choose(device: Device, widest = 1): Promise<void> {
    const { replica } = device
    const profiles = replica.rows('userProfiles')
    if (profiles.length === 0) return
    const parent = this.pickOf(profiles).id
    const dice = this.trafficked() * widest
    const by = dice < 0.75 ? ('advertisers' as const) : ('campaigns' as const)
    const records = replica.rows(by, parent).filter(({ base }) => base !== null)
    const part = dice >= 0.6 && records.length > 0
    const what = dice < 0.5 ? 'all' : part ? { collection: by, id: this.pickOf(records).id } : 'index'
    const name = typeof what === 'string' ? what : what.collection
    await this.do(device, `download ${name}`, () => replica.download({ parent, what }))
  }

  private async changeDownloads(device: Device): Promise<void> {
    const { replica } = device
    const dice = this.trafficked()
    const downloads = replica.downloads()
    if (downloads.length === 0 || dice < 0.4) return this.choose(device)
    const { key, paused } = this.pickOf(downloads)
    if (dice < 0.6) await this.do(device, 'pause download', () => replica.pauseDownload(key, !paused))
    else if (dice < 0.75) await this.do(device, 'remove download', () => replica.removeDownload(key))
    else {
      this.count('refresh download')
      replica.refreshDownload(key)
    }
  }

  private async pass(): Promise<void> {
    const ms = Math.round(this.random() ** 3 * 90_000)
    this.log(`pass ${ms}`)
    this.setAClock()
    await this.clock.pass(ms)
  }

  /** Somebody sets the clock of a computer, by days in either direction; drawn apart, so that seeds keep their steps. */
  private setAClock(): void {
    if (this.clocks() >= 0.15) return
    const device = this.devices[Math.floor(this.clocks() * this.devices.length)]!
    device.skew = Math.round((this.clocks() - 0.5) * 86_400_000 * 6)
    this.log(`${device.name} clock set by ${device.skew}`)
    this.count('clock set')
  }

  private mark(author: string): string {
    const marker = `m${++this.marked}`
    this.author.set(marker, author)
    return marker
  }

  private async edit(
    device: Device,
    make: (marker: string) => Made | undefined = (marker) => this.makeChange(device, marker),
  ): Promise<void> {
    const marker = this.mark(device.name)
    const made = make(marker)
    if (!made) return
    const { changes, promise, what } = made
    const options: EditOptions = { label: marker }
    const along = (promise?.ends ?? []).flatMap((ended) => this.restingOn(device, ended))
    let key: string | undefined
    const edit = device.replica.edit(changes, options).then(
      ({ keys }) => {
        key = keys[0]
      },
      () => undefined,
    )
    await Promise.race([edit, this.clock.settle().then(() => this.clock.settle())])
    this.log(`${device.name} ${what} ${marker} ${key ? '' : 'not acknowledged'}`)
    this.count(what)
    // A deletion that was not acknowledged may still be there after a crash.
    for (const ended of promise?.ends ?? []) this.forget(device, ended)
    const lies = (key: string): boolean => device.replica.peek(key) !== undefined
    this.promised = this.promised.filter(
      (other) => other.device !== device.name || !along.includes(other.key) || lies(other.key),
    )
    if (promise?.field) {
      const keys = key ? [key] : []
      for (const change of changes) if (change.kind === 'change') keys.push(change.key)
      // What was not acknowledged may have superseded an earlier one all the same.
      this.promised = this.promised.filter(
        (other) =>
          other.device !== device.name ||
          other.field !== promise.field ||
          !keys.some((one) => this.same(device, other.key, one)),
      )
      if (key) this.promised.push({ device: device.name, key, field: promise.field, marker })
    }
  }

  private makeChange(device: Device, marker: string): Made | undefined {
    const { replica } = device
    const tasks = replica
      .rows('tasks')
      .filter((row) => row.parent && replica.peek(recordKey('tasklists', null, row.parent))?.value)
    const calendars = replica.rows('calendarList')
    const lists = replica.rows('tasklists')
    const events = replica.items(from, to)
    const dice = this.random()
    const title = this.random() < 0.03 ? 'poison' : `t${marker}`
    if (dice < 0.15 && calendars.length > 0) {
      const day = 1 + Math.floor(this.random() * 28)
      const start = { dateTime: `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`, timeZone: 'UTC' }
      const end = { dateTime: `2026-03-${String(day).padStart(2, '0')}T11:00:00Z`, timeZone: 'UTC' }
      const recurring = this.random() < 0.25 ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}
      const value = { summary: title, description: `made ${marker}.`, start, end, ...recurring } as JsonObject
      const calendar = this.pick(calendars).id
      return {
        what: 'create event',
        changes: [{ kind: 'create', collection: 'events', parent: calendar, value }],
        promise: { field: 'made' },
      }
    }
    if (dice < 0.4 && events.length > 0) {
      const item = this.pick(this.wanted(events))
      const key = recordKey('events', item.calendarId, item.eventId)
      const field = this.pick(['summary', 'location'] as const)
      return {
        what: item.masterId ? 'change instance' : 'change event',
        changes: [{ kind: 'change', key, patch: { [field]: marker } }],
        promise: { field },
      }
    }
    if (dice < 0.45 && events.length > 0) {
      const item = this.pick(events)
      const whole = item.masterId && this.random() < 0.4
      const key = recordKey('events', item.calendarId, whole ? item.masterId! : item.eventId)
      return { what: 'delete event', changes: [{ kind: 'delete', key }], promise: { ends: [key] } }
    }
    if (dice < 0.49 && events.length > 0 && calendars.length > 1) {
      const item = this.pick(events)
      if (item.masterId) return undefined
      const destination = this.pick(calendars).id
      return {
        what: 'move event',
        changes: [{ kind: 'action', key: item.rowKey, action: { name: 'moveEvent', destination } }],
      }
    }
    if (dice < 0.64 && lists.length > 0) {
      const list = this.pick(lists).id
      const inside = tasks.filter((row) => row.parent === list)
      const parent = inside.length > 0 && this.random() < 0.4 ? this.pick(inside).id : undefined
      const value = { title, notes: `made ${marker}.`, status: 'needsAction' }
      const place = parent ? { parent } : {}
      return {
        what: 'create task',
        changes: [{ kind: 'create', collection: 'tasks', parent: list, value, place }],
        promise: { field: 'made' },
      }
    }
    if (dice < 0.8 && tasks.length > 0) {
      const row = this.pick(this.wanted(tasks))
      const made = /made (m\d+)\./.exec(String(row.value!.notes))?.[1]
      if (made && this.author.get(made) !== device.name) this.renamedByOthers.add(row.id)
      return {
        what: 'change task',
        changes: [{ kind: 'change', key: row.key, patch: { title: marker } }],
        promise: { field: 'title' },
      }
    }
    if (dice < 0.84 && tasks.length > 0) {
      const row = this.pick(tasks)
      return {
        what: 'delete task',
        changes: [{ kind: 'delete', key: row.key }],
        promise: { ends: tasks.filter((task) => this.below(tasks, task, row.id)).map((task) => task.key) },
      }
    }
    if (dice < 0.93 && tasks.length > 1) {
      const row = this.pick(tasks)
      const other = this.pick(tasks)
      const destination = this.random() < 0.3 ? this.pick(lists).id : undefined
      for (const task of destination ? tasks.filter((one) => this.below(tasks, one, row.id)) : []) {
        const made = /made (m\d+)\./.exec(String(task.value!.notes))?.[1]
        if (made && this.author.get(made) !== device.name) this.movedByOthers.add(made)
      }
      const same =
        other.parent === (destination ?? row.parent) && other.key !== row.key && !this.below(tasks, other, row.id)
      const previous = same && !other.value!.parent ? other.id : undefined
      return {
        what: destination ? 'move task away' : 'move task',
        changes: [
          {
            kind: 'action',
            key: row.key,
            action: {
              name: 'moveTask',
              ...(destination && destination !== row.parent && { destination }),
              ...(previous && { previous }),
            },
          },
        ],
      }
    }
    if (dice < 0.97) {
      return {
        what: 'create list',
        changes: [{ kind: 'create', collection: 'tasklists', parent: null, value: { title } }],
      }
    }
    return {
      what: 'create calendar',
      changes: [{ kind: 'create', collection: 'calendars', parent: null, value: { summary: title } }],
    }
  }

  private below(tasks: readonly Row[], task: Row, ancestor: string): boolean {
    for (let at: Row | undefined = task, depth = 0; at && depth < 50; depth++) {
      if (at.id === ancestor) return true
      const parent: unknown = at.value!.parent
      at = tasks.find((row) => row.id === parent && row.parent === task.parent)
    }
    return false
  }

  private orderTrouble(): void {
    this.trouble = {
      left: 1 + Math.floor(this.random() * 4),
      code: this.pick(troubles),
      moment: this.random() < 0.5 ? 'before' : 'after',
    }
    if (this.trouble.moment === 'after') this.trouble.code = this.pick(['answerLost', 'unavailable', 'badAnswer'])
    // Drawn apart, so that seeds keep their steps.
    const side = this.people.even ? 1 : this.sides()
    if (this.campaigns && side >= 0.4) this.trouble.service = 'trafficking'
    else if (side < 0.6) {
      this.trouble.service = side < 0.3 ? 'calendar' : 'tasks'
      // Such trouble often lasts, as a spent quota does.
      if (this.sides() < 0.5) this.trouble.left *= 10
    }
    this.log(`trouble ${JSON.stringify(this.trouble)}`)
  }

  private async crash(device: Device): Promise<void> {
    this.log(`${device.name} crash`)
    this.count('crash')
    device.crash()
    await this.restart(device)
  }

  /** The window dies at one of the next points where it waits for the disk or for main. */
  private async crashInside(device: Device): Promise<void> {
    let left = Math.floor(this.random() * 6)
    const after = this.random() < 0.5
    const tick = (): void => {
      if (left-- === 0) device.crash()
    }
    device.store.beforeWrite = after ? null : tick
    device.beforeAnswer = after ? tick : null
    await this.edit(device)
    await this.clock.pass(Math.round(this.random() * 3_000))
    device.store.beforeWrite = null
    device.beforeAnswer = null
    this.log(`${device.name} crash inside, ${left} left`)
    this.count('crash inside')
    device.crash()
    await this.restart(device)
  }

  /** A new window knows the made-up ids of the old one no more. */
  private async restart(device: Device): Promise<void> {
    for (const { device: name, key } of this.promised) {
      const now = name === device.name ? device.replica.peek(key)?.key : undefined
      if (now && now !== key) this.aliases.set(`${name} ${key}`, now)
    }
    await device.start()
    await this.clock.settle()
  }

  private expire(): void {
    this.log('expire tokens')
    this.count('expire')
    this.service.expireTokens()
  }

  private async diskFull(device: Device): Promise<void> {
    this.log(`${device.name} disk full`)
    this.count('disk full')
    if (this.random() < 0.5) device.store.failing = new Error('full')
    else device.journal.failing = true
    await this.edit(device)
    await this.clock.pass(Math.round(this.random() * 2_000))
    device.store.failing = null
    device.journal.failing = false
  }

  /** The system empties the database behind our back. */
  private async wipe(device: Device): Promise<void> {
    this.log(`${device.name} wipe`)
    this.count('wipe')
    this.wiped.add(device.name)
    device.crash()
    for (const table of Object.values(device.disk.data)) table.clear()
    await this.restart(device)
  }

  private async undo(device: Device): Promise<void> {
    const label = await this.do(device, 'undo', () =>
      this.random() < 0.7 ? device.replica.undo() : device.replica.redo(),
    )
    if (label)
      this.promised = this.promised.filter(
        (promised) => promised.device !== device.name || !this.undone(device, promised, label),
      )
  }

  private undone(device: Device, promised: Promised, label: string): boolean {
    if (promised.marker === label) return true
    // Taking back a creation takes the edits on top of it along.
    const made = this.promised.find(
      (other) => other.device === device.name && other.marker === label && other.field === 'made',
    )
    return made !== undefined && this.same(device, made.key, promised.key)
  }

  /** Someone looks at what needs them. */
  private async decide(device: Device): Promise<void> {
    const stuck = device.replica.outbox().filter((entry) => entry.state === 'needsYou')
    if (stuck.length === 0) return
    const entry = this.pick(stuck)
    const mine = this.random() < 0.5
    const before = new Set(device.replica.outbox().flatMap(({ id, kind }) => (kind === 'create' ? [id] : [])))
    if (entry.conflict) {
      const fields = Object.fromEntries(
        entry.conflict.fields.map((field) => [field, mine ? ('mine' as const) : ('theirs' as const)]),
      )
      const keep = mine ? 'mine' : 'theirs'
      const choice = entry.conflict.fields.length > 0 && entry.conflict.remote ? { fields } : { keep: keep as 'mine' }
      await this.do(device, `resolve ${keep}`, () => device.replica.resolve(entry.id, choice))
      this.follow(device, before)
    } else if (mine) await this.do(device, 'retry', () => device.replica.retry(entry.id))
    else await this.do(device, 'withdraw', () => device.replica.withdraw(entry.id))
    if (!mine) this.keepOnly(device)
  }

  /** Of what was promised on a device, what is still waiting or has arrived; the rest was given up. */
  private keepOnly(device: Device, withdrawn?: OutboxEntry): void {
    const outbox = device.replica.outbox()
    const texts = JSON.stringify(outbox.map(({ patch }) => patch))
    const held = new Set((texts.match(/\bt?m\d+\b/g) ?? []).map((text) => text.replace('t', '')))
    // One edit may have written the word into several records, of which only this one was given up.
    const givenUp = ({ key, marker }: Promised): boolean =>
      withdrawn !== undefined &&
      this.same(device, key, ownKey(withdrawn)) &&
      !outbox.some(
        (entry) =>
          this.same(device, key, ownKey(entry)) && new RegExp(`\\bt?${marker}\\b`).test(JSON.stringify(entry.patch)),
      )
    this.promised = this.promised.filter(
      (promised) =>
        promised.device !== device.name || (held.has(promised.marker) && !givenUp(promised)) || this.reached(promised),
    )
  }

  /** What was gone and is made again has a new id, by which it may be deleted. */
  private follow(device: Device, before: ReadonlySet<string>): void {
    const made = device.replica.outbox().filter(({ id, kind }) => kind === 'create' && !before.has(id))
    for (const promised of this.promised.filter((one) => one.device === device.name)) {
      const form = new RegExp(`\\b(made |t)?${promised.marker}\\b`)
      const entry = made.find(({ patch }) => form.test(JSON.stringify(patch)))
      if (entry) promised.key = recordKey(entry.collection, entry.parent, entry.recordId)
    }
  }

  private async do<T>(device: Device, what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.count(what)
    let result: T | undefined
    const done = work().then(
      (value) => {
        result = value
      },
      (error: unknown) => this.log(`${device.name} ${what} refused: ${String(error)}`),
    )
    await Promise.race([done, this.clock.settle().then(() => this.clock.settle())])
    this.log(`${device.name} ${what} ${String(result ?? '')}`)
    return result
  }

  private forget(device: Device, key: string): void {
    const id = key.split('\n')[2]!
    this.promised = this.promised.filter((promised) => {
      if (promised.device !== device.name) return true
      const other = device.replica.peek(promised.key)?.key ?? promised.key
      // What lies inside goes along: subtasks, and occurrences of a series.
      return !(
        this.same(device, promised.key, key) ||
        other.split('\n')[2]!.startsWith(`${id}_`) ||
        this.gone(device, promised.key)
      )
    })
  }

  /** Keys of new records that name a new one, or one that does: some are nothing without it. */
  private restingOn(device: Device, key: string): string[] {
    const creations = device.replica.outbox().filter(({ kind }) => kind === 'create')
    const names = new Set([key.split('\n')[2]!])
    const found: string[] = []
    // Made in the order in which they can refer to each other.
    for (const { collection, parent, recordId, patch } of creations)
      if (localIdsIn(patch).some((id) => names.has(id))) {
        names.add(recordId)
        found.push(recordKey(collection, parent, recordId))
      }
    return found
  }

  private gone(device: Device, key: string): boolean {
    const row = device.replica.peek(key)
    return row !== undefined && row.value === null
  }

  private same(device: Device, a: string, b: string): boolean {
    const names = (key: string): string[] => {
      const alias = this.aliases.get(`${device.name} ${key}`)
      return [key, ...(alias ? [alias] : [])]
        .flatMap((one) => [one, device.replica.peek(one)?.key ?? one])
        .map((one) => one.split('\n')[2]!)
    }
    const known = new Set(names(a))
    return names(b).some((name) => known.has(name))
  }

  private reached({ marker }: Promised): boolean {
    const form = new RegExp(`\\b(made |t)?${marker}\\b`)
    return this.service.written.some((text) => form.test(text))
  }

  private async audit(): Promise<string[]> {
    const problems: string[] = []
    for (const promised of this.promised) {
      const device = this.devices.find(({ name }) => name === promised.device)!
      const form = new RegExp(`\\b(made |t)?${promised.marker}\\b`)
      const listed = device.replica.outbox().some((entry) => form.test(JSON.stringify([entry.patch, entry.base])))
      if (!listed && !this.reached(promised))
        problems.push(`lost: ${promised.marker} (${promised.field}) of ${promised.device}`)
    }
    problems.push(...this.service.ledger.overwritten.map((line) => `overwritten: ${line}`))
    problems.push(...this.untold().map((line) => `slipped: ${line}`))
    problems.push(...this.duplicates())
    problems.push(...this.service.leaked.map((line) => `leaked: ${line}`))
    problems.push(...this.service.trafficking.dangling().map((line) => `dangling: ${line}`))
    problems.push(...(this.campaigns?.unposted ?? []).map((line) => `unposted: ${line}`))
    for (const device of this.devices) problems.push(...(await this.compare(device)))
    return problems
  }

  /** Words that slipped into the gap before a write, of which the person who wrote was never told. */
  private untold(): string[] {
    return this.service.ledger.slipped.flatMap(({ word, of, by, record }) => {
      this.count('slipped')
      const device = this.devices.find(({ name }) => name === by)!
      const form = new RegExp(`\\bt?${word}\\b`)
      const told = device.replica.notices().some(({ text }) => form.test(text))
      // A database that is gone has taken along what was sent, and so what it went over.
      return told || this.wiped.has(by) ? [] : [`${word} of ${of} by ${by} (${record})`]
    })
  }

  private duplicates(): string[] {
    const seen = new Map<string, number>()
    for (const name of this.service.shelves.keys()) {
      if (!/^(events|tasks) /.test(name)) continue
      for (const value of this.service.living(name)) {
        const made = /made (m\d+)\./.exec(String(value.description ?? value.notes ?? ''))?.[1]
        if (!made || value.recurringEventId) continue
        // The task service takes no ids of ours: a copy that someone else renamed or moved before we could look for it after a
        // lost answer is nobody's to recognise.
        if (this.movedByOthers.has(made) || this.renamedByOthers.has(String(value.id))) continue
        seen.set(made, (seen.get(made) ?? 0) + 1)
      }
    }
    for (const { made, name } of this.campaigns?.made() ?? [])
      if (!name || this.author.get(name) === this.author.get(made)) seen.set(made, (seen.get(made) ?? 0) + 1)
    const lists = this.service
      .living('tasklists')
      .map((value) => String(value.title))
      .filter((title) => title !== 'poison')
    for (const title of lists) if (lists.filter((other) => other === title).length > 1) seen.set(`list ${title}`, 2)
    return [...seen].filter(([, times]) => times > 1).map(([made]) => `doubled: ${made}`)
  }

  private async compare(device: Device): Promise<string[]> {
    const problems: string[] = []
    const { replica, name } = device
    const waiting = replica.outbox()
    for (const entry of waiting) {
      const held =
        entry.dependsOn.some((id) => waiting.some((other) => other.id === id)) ||
        waiting.some((other) => other.id < entry.id && other.recordId === entry.recordId)
      // Whoever takes a creation back takes along what needs it: nothing may be left that belongs to nothing.
      if (entry.fault?.location?.startsWith('local:')) problems.push(`orphan on ${name}: ${entry.kind} ${entry.label}`)
      if (entry.state !== 'needsYou' && !held)
        problems.push(
          `stuck on ${name}: ${entry.kind} ${entry.collection} ${entry.label} ${entry.fault?.message ?? ''}`,
        )
    }
    const touched = new Set(
      waiting.flatMap((entry) => [entry.recordId, ...(entry.shows ?? []).map((shown) => shown.key.split('\n')[2]!)]),
    )
    const equal = (what: string, mine: Map<string, JsonObject>, theirs: JsonObject[]): void => {
      const real = new Map(theirs.map((value) => [String(value.id), value]))
      for (const [id, value] of mine) {
        if (touched.has(id)) continue
        const there = real.get(id)
        if (!there) problems.push(`ghost on ${name}: ${what} ${id}`)
        else if (JSON.stringify(sorted(content(there))) !== JSON.stringify(sorted(content(value)))) {
          problems.push(
            `differs on ${name}: ${what} ${id} ${JSON.stringify(content(value))} / ${JSON.stringify(content(there))}`,
          )
        }
      }
      for (const id of real.keys())
        if (!mine.has(id) && !touched.has(id)) problems.push(`hole on ${name}: ${what} ${id}`)
    }
    const values = (rows: readonly Row[]): Map<string, JsonObject> => new Map(rows.map((row) => [row.id, row.value!]))
    equal('list', values(replica.rows('tasklists')), this.service.living('tasklists'))
    equal('calendar', values(replica.rows('calendarList')), this.service.living('calendarList'))
    for (const { id } of this.service.living('tasklists') as { id: string }[]) {
      equal(`task of ${id}`, values(replica.rows('tasks', id)), this.service.living(`tasks ${id}`))
    }
    for (const { id } of this.service.living('calendarList') as { id: string }[]) {
      const stored = (await device.stored('events', id)).filter((row) => row.base.status !== 'cancelled')
      equal(`event of ${id}`, new Map(stored.map((row) => [row.id, row.base])), this.service.living(`events ${id}`))
    }
    for (const { what, mine, theirs } of (await this.campaigns?.sides(device)) ?? []) equal(what, mine, theirs)
    return problems
  }

  /** What people who quarrel all write to. */
  private wanted<T>(items: readonly T[]): readonly T[] {
    return this.people.quarrel ? items.slice(0, 2) : items
  }

  private pickOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.trafficked() * items.length)]!
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!
  }

  private log(line: string): void {
    this.trace.push(`${this.clock.time % 100_000_000} ${line}`)
  }

  private count(what: string): void {
    this.coverage.set(what, (this.coverage.get(what) ?? 0) + 1)
  }
}

const sorted = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
