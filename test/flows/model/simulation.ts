import { recordKey } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import type { FaultCode } from '#shared/fault'
import { valuesOf, type JsonObject } from '#shared/json'
import type { Edited, EditOptions } from '../../../src-renderer/replica/api'
import { differences, duplicates } from './audit'
import { seeded, VirtualClock } from './clock'
import { Campaigns, type Made } from './campaigns'
import { Claims, madeIn } from './claims'
import { Device, quiesce, type PlantedBug } from './device'
import { wordsIn } from './ledger'
import { pickFrom, type Hands } from './hands'
import { Mishaps } from './mishaps'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { isNotYet, notYetSteps } from './not-yet'
import { Others } from './others'
import { Planning } from './planning'
import { Promises } from './promises'
import { claimBack, isCreated, Restoring } from './restoring'
import { Reverting } from './reverting'
import { isTrafficking, type Call } from './call'
import { ModelService } from './service'
import { Sights } from './sights'
import { isBelow } from './task-tree'
import { changesOf, Typing, wasLeft, type Typed } from './typing'

/** The problems of one run; empty if all is well. */
export interface Verdict {
  problems: string[]
  trace: string[]
  /** Number of judgments, and of impossible ones by subject and reason. */
  judged: number
  unjudged: string[]
  /** How often each type of step and fault occurred. */
  coverage: Map<string, number>
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
  /** They write to the same few records and resolve conflicts quickly. */
  quarrel?: boolean
  /** Their computers have this bug. */
  bug?: PlantedBug
  /** Faults affect all services alike. Otherwise, often only one fails. */
  even?: boolean
  /** They repeat only the first seeds' steps. */
  basic?: boolean
  /** Steps that the engine can't handle yet are tried and fail, too. */
  strict?: boolean
  /** They use campaigns as well: drafts that they post, downloads, and someone else who writes there. */
  campaigns?: boolean
  /** They type into fields for a while, as others do. */
  typing?: boolean
  /** They delete records, restore them, and undo how they resolved conflicts. */
  restoring?: boolean
  /** They revert finished changes. */
  reverting?: boolean
}

interface Trouble {
  left: number
  code: FaultCode
  moment: 'before' | 'after'
  service?: 'calendar' | 'tasks' | 'trafficking'
  /** True if only writes fail. */
  ofWrites?: boolean
  /** Milliseconds that a call hangs before it's cut. */
  hangs?: number
}

const services = ['calendar', 'tasks', 'trafficking'] as const

/** Answers whether a record came from a creation: users recognize its words. */
function isOwnRecord({ conflict, patch }: OutboxEntry): boolean | undefined {
  if (conflict?.made === undefined) return undefined
  const there = wordsIn(conflict.remote)
  return [...wordsIn(patch)].some((word) => there.has(word))
}

type Streams = [() => number, () => number, () => number, () => number]

const nothing: Made = { changes: [], what: '' }

/** Default number of steps. */
export const defaultSteps = 32

/** One schedule: a few devices, one service, every type of fault, and an auditor at the end. */
export class Simulation {
  readonly clock = new VirtualClock()
  readonly service = new ModelService(() => this.clock.time)
  readonly devices: Device[] = []
  readonly trace: string[] = []
  readonly coverage = new Map<string, number>()
  private random: () => number
  private clocks: () => number
  private sides: () => number
  private readonly promises = new Promises(this.service.ledger)
  private readonly sights = new Sights(this.service.ledger)
  /** The device that wrote a marker. */
  private readonly author = new Map<string, string>()
  private trouble: Trouble | null = null
  /** When computers' databases were last cleared or replaced by older ones. */
  private readonly lost = new Map<string, number>()
  /** Computers whose database was replaced by an older one. */
  private readonly setBack = new Set<string>()
  /** Words of new records that others changed before their author had a response. */
  private readonly met = new Set<string>()
  private readonly claims = new Claims(this.devices, this.service)
  /** Exceptions in our own code during a step. */
  private readonly broken: string[] = []
  private marked = 0
  private isTraced = false
  private readonly campaigns: Campaigns | undefined
  /** A separate random stream, so that seeds keep their steps. */
  private trafficked: () => number
  private readonly others: Others
  private readonly planning: Planning
  private readonly mishaps: Mishaps
  private readonly restoring: Restoring
  private readonly reverting: Reverting
  private readonly typing: Typing
  /** A separate random stream, so that seeds keep their steps. */
  private typed: () => number

  constructor(
    private readonly seed: number,
    private readonly steps = defaultSteps,
    private readonly people: People = {},
  ) {
    this.random = seeded(seed)
    this.clocks = seeded(seed * 17 + 5)
    this.sides = seeded(seed * 13 + 3)
    this.trafficked = seeded(seed * 19 + 7)
    this.typed = seeded(seed * 29 + 13)
    if (people.campaigns)
      this.campaigns = new Campaigns(
        this.service,
        this.clock,
        () => this.trafficked(),
        (word) => this.author.get(word),
        people.basic === true ? undefined : { slips: this.takes('slipsIntoParts') },
      )
    this.typing = new Typing(() => this.typed(), this.campaigns)
    const hands = this.hands()
    this.others = new Others(this.service, hands)
    this.planning = new Planning(hands, this.others)
    this.restoring = new Restoring(hands, this.planning, this.claims)
    this.reverting = new Reverting(hands, this.claims, this.service.ledger)
    const { clock, promises, others } = this
    this.mishaps = new Mishaps({
      clock,
      promises,
      others,
      hands,
      ledger: this.service.ledger,
      restart: (device) => this.restart(device),
      expire: () => this.expire(),
    })
    this.service.meanwhile = (call) => {
      if (!people.basic && call.who) this.concurrently(call)
      if (!this.campaigns || !call.who || !/^trafficking\..*\.patch$/.test(call.id) || this.trafficked() >= 0.06) return
      if (this.campaigns.overwritesFirst(call, this.mark('x'))) this.count('gap')
    }
    this.service.unanswered = (call, made) => {
      if (people.basic || !/insert$/.test(call.id) || this.sides() >= 0.3) return
      for (const word of wordsIn(made)) this.met.add(word)
      if (!isTrafficking(call.id)) this.others.changeNew(call, made)
      else if (this.campaigns?.renamesNew(call, made, this.mark('x'))) this.count('others rename unanswered')
    }
    this.service.hangs = () => this.sleepOf(this.trouble?.hangs)
    this.service.trouble = (call, moment) => {
      const { trouble } = this
      if (!trouble || trouble.moment !== moment || trouble.left <= 0) return undefined
      if ((moment === 'after' || trouble.ofWrites) && /list|get/.test(call.id)) return undefined
      if (trouble.service && !call.id.startsWith(`${trouble.service}.`)) return undefined
      trouble.left--
      if (trouble.hangs !== undefined) this.count('hang')
      this.count(`fault ${trouble.code} ${moment}`)
      if (trouble.service) this.count(`fault of ${trouble.service} alone`)
      return trouble.code
    }
  }

  private sleepOf(ms: number | undefined): Promise<void> | undefined {
    if (ms === undefined) return undefined
    const { setTimer } = this.clock.environment(this.random, () => true)
    return new Promise((resolve) => void setTimer(resolve, ms))
  }

  /** Logs every write call, too. */
  withTrace(): this {
    this.isTraced = true
    this.service.watch = ({ id, who, params, body }, outcome) => {
      if (!process.env.READS && /\.(get|list)$/.test(id) && outcome === '') return
      this.log(`  ${who ?? '?'} → ${id} ${JSON.stringify(params)} ${JSON.stringify(body ?? null)} ${outcome}`)
    }
    return this
  }

  /** @param only the steps to run; defaults to all */
  async run(only?: ReadonlySet<number>): Promise<Verdict> {
    const count = this.people.basic ? 2 + Math.floor(this.random() * 2) : 2 + Math.floor(this.random() ** 2 * 4)
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
      device.sightOf = (entry) => this.sights.of(device.name, entry)
      this.devices.push(device)
      await device.start()
    }
    await this.clock.pass(2_000)
    for (const device of this.campaigns ? this.devices : []) await this.choose(device, 0.6)
    for (let i = 0; i < this.steps; i++) if (!only || only.has(i)) await this.tryTo(i)
    this.trouble = null
    this.service.cache(0)
    for (const device of this.devices) {
      device.store.failing = null
      device.store.beforeWrite = null
      device.beforeAnswer = null
      device.journal.failing = false
    }
    for (const last of [false, true]) {
      for (const device of this.devices) {
        await this.finish(device, last)
        if (this.people.basic) await device.quiesce()
      }
      if (!this.people.basic) await quiesce(this.devices)
    }
    const verdict = await this.audit()
    for (const device of this.devices) device.crash()
    return { ...verdict, trace: this.trace, coverage: this.coverage }
  }

  /** Posts and reads everything. */
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
  }

  private async tryTo(index: number): Promise<void> {
    try {
      await this.take(index)
    } catch (error) {
      this.broken.push(`step ${index}: ${String(error)}`)
      this.log(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }

  /** Each step has its own random streams, so that it's the same when earlier ones are left out. */
  private async take(index: number): Promise<void> {
    if (this.people.basic) return this.step(this.pick(this.devices))
    const streams = [1, 2, 3, 4].map((kind) => seeded(this.seed * 8_191 + index * 4 + kind)) as Streams
    ;[this.random, this.clocks, this.sides, this.trafficked] = streams
    if (this.isTraced) this.log(`step ${index}`)
    this.checkSync(index)
    if (this.people.typing) await this.type(index)
    if (this.people.restoring) await this.restore(index)
    if (this.people.reverting) await this.revert(index)
    const device = this.pick(this.devices)
    if (this.random() < 0.3) this.mishaps.copy(device)
    const dice = this.random()
    if (dice < 0.13) await this.wholeComputerFault(device)
    else if (dice < 0.5) await this.step(device)
    else if (this.campaigns && dice < 0.7) await this.trafficMore(device, this.campaigns)
    else if (this.campaigns && dice < 0.8) await this.traffic(device, this.campaigns)
    else if (dice < 0.6 || (this.campaigns && dice < 0.85)) this.others.act()
    else await this.planning.work(device)
  }

  /** In one of four schedules, someone sometimes runs a sync check. Other seeds keep their steps. */
  private checkSync(index: number): void {
    if (seeded(this.seed * 23 + 11)() >= 0.25) return
    const random = seeded(this.seed * 6_151 + index)
    if (random() >= 0.15) return
    const device = this.devices[Math.floor(random() * this.devices.length)]!
    const cancels = random() < 0.1
    device.replica.checkSync()
    if (cancels) device.replica.cancelCheck()
    this.count(cancels ? 'sync check canceled' : 'sync check')
    this.log(`${device.name} checks sync${cancels ? ' and cancels' : ''}`)
  }

  private restore(index: number): Promise<void> {
    const random = seeded(this.seed * 5_003 + index)
    const device = pickFrom(random, this.devices)
    // An older database lists again what was restored since.
    const restores = !this.setBack.has(device.name)
    return this.restoring.act(device, random, restores, () => void (this.random = random))
  }

  private async revert(index: number): Promise<void> {
    const random = seeded(this.seed * 5_501 + index)
    if (random() >= 0.3) return
    const device = pickFrom(random, this.devices)
    await this.reverting.act(device, random, !this.setBack.has(device.name))
  }

  /** Someone begins to type into a field, or saves what they typed. */
  private async type(index: number): Promise<void> {
    this.typed = seeded(this.seed * 4_099 + index)
    for (let times = 0; times < 3; times++) {
      const device = this.devices[Math.floor(this.typed() * this.devices.length)]!
      const typed = this.typing.of(device)
      const { ledger } = this.service
      if (!typed) {
        const begun = await this.typing.begin(device, this.mark(device.name), () => ledger.moment())
        if (begun)
          this.log(`${device.name} types ${begun.text} into ${begun.path} of ${begun.key.replaceAll('\n', ' ')}`)
      } else if (this.typed() < 0.6) {
        this.typing.end(device)
        if (!wasLeft(await this.saveTyped(device, typed)) || this.typed() < 0.5) continue
        const again = await this.typing.again(device, typed, () => ledger.moment())
        if (again) await this.saveTyped(device, again)
      }
    }
  }

  private async saveTyped(device: Device, typed: Typed): Promise<Edited | undefined> {
    const { text, path, turn } = typed
    const changes = changesOf(typed)
    const before = this.promises.before(device, { field: path }, changes)
    this.sights.act(device, turn)
    let edited: Edited | undefined
    const edit = device.replica.edit(changes, { label: text }).then(
      (done) => {
        edited = done
      },
      () => undefined,
    )
    await Promise.race([edit, this.clock.settle().then(() => this.clock.settle())])
    this.sights.note(device)
    const left = wasLeft(edited)
    this.log(`${device.name} saves ${text} ${edited ? (left ? 'left' : '') : 'not acknowledged'}`)
    this.count(left ? 'typed over an unseen change' : 'typed')
    if (!left) this.promises.made(device, text, { field: path }, changes, edited?.keys, before)
    return edited
  }

  private async wholeComputerFault(device: Device): Promise<void> {
    const dice = this.random()
    if (dice < 0.7) this.scheduleMoreFaults()
    else if (dice < 0.78) this.service.cache(2 + Math.floor(this.random() * 20))
    else if (dice < 0.86) await this.mishaps.sleep()
    else {
      this.setBack.add(device.name)
      this.lost.set(device.name, this.service.ledger.moment())
      await this.mishaps.setBack(device, this.takes('setsAllBack') && dice > 0.94)
    }
  }

  /** Faults that affect writes more than reads, and calls that hang until they're cut. */
  private scheduleMoreFaults(): void {
    const service = this.random() < 0.6 ? this.pick(this.campaigns ? services : services.slice(0, 2)) : undefined
    const after = this.random() < 0.6
    const hangs = this.random() < 0.25 ? Math.round(this.random() * 120_000) : undefined
    const code = after
      ? this.pick(['answerLost', 'unavailable', 'badAnswer'] as const)
      : this.pick([...troubles, 'preconditionFailed', 'cursorExpired', 'forbidden'] as const)
    this.trouble = {
      left: 1 + Math.floor(this.random() ** 2 * 12),
      code: hangs === undefined ? code : 'answerLost',
      moment: after ? 'after' : 'before',
      ofWrites: code !== 'cursorExpired' && this.random() < 0.7,
      ...(service && { service }),
      ...(hangs !== undefined && { hangs }),
    }
    this.log(`trouble ${JSON.stringify(this.trouble)}`)
  }

  /** What others do during a call, or while its response is lost. */
  private concurrently(call: Call): void {
    if (!/insert$/.test(call.id) || this.sides() >= 0.06) return
    if (!isTrafficking(call.id)) this.others.createSameName(call)
    else if (this.campaigns?.createsSameName(call, this.mark('x'))) this.count('others twin record')
  }

  /** Lists of parts, and chains of new records that refer to each other. */
  private async trafficMore(device: Device, campaigns: Campaigns): Promise<void> {
    if (this.random() < 0.8) {
      const seen = await campaigns.seenOn(device)
      await this.edit(device, (marker) => campaigns.changeParts(seen, marker))
      return
    }
    for (let depth = 0; depth < 5; depth++) {
      const seen = await campaigns.seenOn(device)
      if (!(await this.edit(device, (marker) => campaigns.link(seen, depth, marker)))) return
    }
  }

  private takes(step: keyof typeof notYetSteps): boolean {
    return this.people.strict === true || notYetSteps[step]
  }

  private isExcused(problem: string): boolean {
    return !this.people.strict && isNotYet(problem)
  }

  private hands(): Hands {
    return {
      takes: (step) => this.takes(step),
      random: () => this.random(),
      mark: (author) => this.mark(author),
      edit: (device, make) => this.edit(device, make),
      undo: (device) => this.undo(device, true),
      pass: (ms) => this.clock.pass(ms),
      trace: (what, detail = '') => {
        this.count(what)
        this.log(`${what} ${detail}`)
      },
    }
  }

  private async step(device: Device): Promise<void> {
    if (this.campaigns && this.trafficked() < 0.75) return this.traffic(device, this.campaigns)
    if (this.people.quarrel && this.random() < 0.5) await this.decide(device)
    const dice = this.random()
    if (dice < 0.6) await this.edit(device)
    else if (dice < 0.75) await this.pass()
    else if (dice < 0.8)
      await this.do(device, 'offline', () => device.replica.setOffline(!device.replica.status.offline))
    else if (dice < 0.85) this.scheduleFaults()
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
    else if (dice < 0.72) await this.discardDraft(device, campaigns)
    else if (dice < 0.81) {
      const what = campaigns.othersWrite(this.mark('x'))
      this.count(what)
      this.log(what)
    } else if (dice < 0.88) await this.changeDownloads(device)
    else if (dice < 0.93) this.scheduleFaults()
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

  private async discardDraft(device: Device, campaigns: Campaigns): Promise<void> {
    const draft = campaigns.draftToDiscard(device)
    if (!draft) return
    this.promises.check(device)
    await this.do(device, 'withdraw a draft', () => device.replica.withdraw(draft.id))
    this.promises.keepOnly(device, draft)
  }

  /** A user selects a computer's campaign downloads: everything, one record's contents, or only the index. */
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

  /** Shifts a computer's clock by days in either direction. Uses a separate random stream, so that seeds keep their steps. */
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
    this.service.ledger.author(marker, author)
    this.sights.wrote(marker)
    return marker
  }

  private async edit(
    device: Device,
    make: (marker: string) => Made | undefined | Promise<Made | undefined> = (marker) =>
      this.makeChange(device, marker),
  ): Promise<string[] | undefined> {
    const marker = this.mark(device.name)
    const made = make(marker)
    const { changes, promise = {}, what } = (made instanceof Promise ? await made : made) ?? nothing
    if (changes.length === 0) return undefined
    const options: EditOptions = { label: marker }
    const before = this.promises.before(device, promise, changes)
    this.sights.act(device)
    let keys: string[] | undefined
    const edit = device.replica.edit(changes, options).then(
      (edited) => {
        keys = edited.keys
      },
      () => undefined,
    )
    await Promise.race([edit, this.clock.settle().then(() => this.clock.settle())])
    this.sights.note(device)
    this.log(`${device.name} ${what} ${marker} ${keys ? '' : 'not acknowledged'}`)
    if (this.isTraced) this.log(`  ${JSON.stringify(changes)}`)
    this.count(what)
    this.promises.made(device, marker, promise, changes, keys, before)
    return keys
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
      const inside = tasks.filter((row) => row.parent === list && !row.value!.parent)
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
        promise: { ends: tasks.filter((task) => isBelow(tasks, task, row.id)).map((task) => task.key) },
      }
    }
    if (dice < 0.93 && tasks.length > 1) {
      const row = this.pick(tasks)
      const other = this.pick(tasks)
      const destination = this.random() < 0.3 ? this.pick(lists).id : undefined
      const same =
        other.parent === (destination ?? row.parent) && other.key !== row.key && !isBelow(tasks, other, row.id)
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

  private scheduleFaults(): void {
    this.trouble = {
      left: 1 + Math.floor(this.random() * 4),
      code: this.pick(troubles),
      moment: this.random() < 0.5 ? 'before' : 'after',
    }
    if (this.trouble.moment === 'after') this.trouble.code = this.pick(['answerLost', 'unavailable', 'badAnswer'])
    // A separate random stream, so that seeds keep their steps.
    const side = this.people.even ? 1 : this.sides()
    if (this.campaigns && side >= 0.4) this.trouble.service = 'trafficking'
    else if (side < 0.6) {
      this.trouble.service = side < 0.3 ? 'calendar' : 'tasks'
      // Such faults often last, like an exhausted quota.
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

  /** The window crashes at one of its next waits for the disk or main. */
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

  /** A new window no longer knows the old one's local IDs. */
  private async restart(device: Device): Promise<void> {
    this.promises.restarts(device)
    // The form went with its window.
    this.typing.end(device)
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

  /** The system clears the database behind our back. */
  private async wipe(device: Device): Promise<void> {
    this.log(`${device.name} wipe`)
    this.count('wipe')
    this.lost.set(device.name, this.service.ledger.moment())
    device.crash()
    for (const table of Object.values(device.disk.data)) table.clear()
    await this.restart(device)
  }

  private async undo(device: Device, back = this.random() < 0.7): Promise<void> {
    const listed = device.replica.deleted()
    const label = await this.do(device, back ? 'undo' : 'redo', () =>
      back ? device.replica.undo() : device.replica.redo(),
    )
    if (!label) return
    for (const { key, items } of listed) {
      const record = items.at(-1)!
      // An occurrence may have become an event of its own.
      const isBack = record.collection !== 'tasklists' && device.replica.peek(key)?.value
      if (isBack || isCreated(device, record)) claimBack(this.claims, device, items)
    }
    this.promises.undone(device, label)
    for (const word of this.restoring.resolvedBy(label)) this.promises.undone(device, word)
  }

  /** A user resolves what needs attention. */
  private async decide(device: Device): Promise<void> {
    const stuck = device.replica.outbox().filter((entry) => entry.state === 'needsYou')
    if (stuck.length === 0) return
    this.promises.check(device)
    const entry = this.pick(stuck)
    const mine = isOwnRecord(entry) === undefined ? this.random() < 0.5 : !isOwnRecord(entry)
    const before = new Set(device.replica.outbox().flatMap(({ id, kind }) => (kind === 'create' ? [id] : [])))
    if (entry.conflict) {
      const fields = Object.fromEntries(
        entry.conflict.fields.map((field) => [field, mine ? ('mine' as const) : ('theirs' as const)]),
      )
      const keep = mine ? 'mine' : 'theirs'
      const choice = entry.conflict.fields.length > 0 && entry.conflict.remote ? { fields } : { keep: keep as 'mine' }
      this.sights.decided(device, entry)
      // An event that is created again has the same new ID everywhere. An occurrence may become an event next to its series.
      if (mine && entry.conflict.remote === null) {
        const made = madeIn({ ...entry.base, ...entry.patch })
        if (entry.collection !== 'events') this.claims.add(device, made)
        else if (parseInstanceId(entry.recordId)) this.claims.detached(made, entry.recordId)
      }
      await this.do(device, `resolve ${keep}`, () =>
        'fields' in choice && this.people.restoring
          ? this.restoring.resolve(device, entry, choice)
          : device.replica.resolve(entry.id, choice, { label: this.restoring.labelFor(entry) }),
      )
      this.promises.follow(device, before)
      if (mine) {
        this.promises.removed(device, entry.conflict.unseen ?? [])
        // One's own later value may be the other side, and the question shows it.
        this.promises.replaced(device, ownKey(entry), wordsIn(valuesOf(entry.conflict.remote, entry.conflict.fields)))
      }
    } else if (mine) await this.do(device, 'retry', () => device.replica.retry(entry.id))
    else await this.do(device, 'withdraw', () => device.replica.withdraw(entry.id))
    if (!mine) this.promises.keepOnly(device)
  }

  private async do<T>(device: Device, what: string, work: () => Promise<T>): Promise<T | undefined> {
    this.count(what)
    this.sights.act(device)
    let result: T | undefined
    const done = work().then(
      (value) => {
        result = value
      },
      (error: unknown) => this.log(`${device.name} ${what} refused: ${String(error)}`),
    )
    await Promise.race([done, this.clock.settle().then(() => this.clock.settle())])
    const turns = (what === 'undo' || what === 'redo') && result
    this.sights.note(device, turns ? { word: String(result), back: what === 'undo' } : undefined)
    this.log(`${device.name} ${what} ${String(result ?? '')}`)
    return result
  }

  private async audit(): Promise<Pick<Verdict, 'problems' | 'judged' | 'unjudged'>> {
    const { promises, service } = this
    const { ledger } = service
    promises.audit(this.devices)
    if (ledger.sameSecond > 0) this.coverage.set('removed in the same second', ledger.sameSecond)
    if (ledger.misled > 0) this.coverage.set('removed after a cached list', ledger.misled)
    const { doubled, judged } = duplicates(service, this.campaigns, this.met, this.claims)
    const slips = this.unreported()
    const problems = [
      ...promises.lost.map((line) => `lost: ${line}`),
      ...ledger.overwritten.map((line) => `overwritten: ${line}`),
      ...slips.unreported.map((line) => `slipped: ${line}`),
      ...this.broken.map((line) => `broke: ${line}`),
      ...this.reverting.removed.map((line) => `overwritten: reverted ${line}`),
      ...doubled.map((line) => `doubled: ${line}`),
      ...service.leaked.map((line) => `leaked: ${line}`),
      ...service.trafficking.dangling().map((line) => `dangling: ${line}`),
      ...(this.campaigns?.unposted ?? []).map((line) => `unposted: ${line}`),
    ]
    let compared = 0
    for (const device of this.devices) {
      const found = await differences(device, service, this.campaigns)
      problems.push(...found.problems)
      compared += found.judged
    }
    return {
      problems: problems.filter((line) => !this.isExcused(line)),
      judged: promises.judged + ledger.judged + judged + compared,
      unjudged: [...promises.unjudged, ...slips.unjudged, ...problems.filter((line) => this.isExcused(line))],
    }
  }

  /** Lost updates that were never reported to the user who wrote. */
  private unreported(): { unreported: string[]; unjudged: string[] } {
    const found = { unreported: [] as string[], unjudged: [] as string[] }
    for (const { word, of, by, record, turn } of this.service.ledger.slipped) {
      this.count('slipped')
      const device = this.devices.find(({ name }) => name === by)!
      if (device.replica.notices().some(({ text }) => wordsIn(text).has(word))) continue
      const where = this.campaigns?.partWords.has(word) ? 'part of ' : ''
      const line = `${word} of ${of} by ${by} (${where}${record})`
      // A lost database also lost what was sent until then, and with it the overwritten values.
      if (turn < (this.lost.get(by) ?? 0)) found.unjudged.push(`slip ${line}`)
      else found.unreported.push(line)
    }
    return found
  }

  /** The records that conflicting users share. */
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
