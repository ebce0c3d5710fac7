import type { ServiceName } from '#shared/wire/services'
import type { LaneStatus, SyncStatus } from '../replica/api'
import type { Shared } from './engine'
import { Lane, type LaneHooks } from './lane'
import { Downloads, type Looks } from './downloads'
import { Pace } from './pace'
import { QuotaUsage } from './quota-usage'
import { accountStatus } from './account-status'
import { syncedServices } from './targets'
import { watched } from './watchdog'

export type LoopHooks = Pick<LaneHooks, 'changed' | 'pulled'>

/** The lanes of an account, one per service, and their combined state. */
export class SyncLoop {
  private readonly lanes: readonly Lane[]
  readonly downloads: Downloads
  private readonly spent: QuotaUsage
  private readonly shared: Shared
  private offline = false
  private paused = false

  constructor(parts: Omit<Shared, 'spend' | 'pace'>, hooks: LoopHooks) {
    this.spent = new QuotaUsage(parts.environment.elapsed)
    this.shared = {
      ...parts,
      pace: new Pace(parts.memory, parts.environment.elapsed),
      bridge: watched(parts.bridge, parts.environment),
      spend: (units) => this.spent.add(units),
    }
    this.lanes = syncedServices(parts.memory.facts).map((service): Lane => {
      return new Lane(service, this.shared, {
        ...hooks,
        // Entries that depend on this one may be in another lane.
        sent: () => {
          this.lanes.forEach((lane) => lane.service !== service && lane.wake())
          this.sweep()
        },
        read: () => void this.watch(),
      })
    })
    const lanes = new Map(this.lanes.map((lane) => [lane.service, lane]))
    this.downloads = new Downloads(this.shared, lanes)
  }

  get status(): SyncStatus {
    const { outbox } = this.shared.memory
    const shown = this.lanes.filter(({ service, roots }) => roots.length > 0 || outbox.countOf(service).unsent > 0)
    const lanes = shown.map(({ service, state }): LaneStatus => ({ ...state, ...outbox.countOf(service) }))
    const { offline, paused } = this
    const { size, unknown: notUnderstood, needsYou, drafts } = outbox
    const unitsLastMinute = this.spent.lastMinute
    const unsent = size + notUnderstood
    return accountStatus(lanes, { offline, paused, unsent, needsYou, notUnderstood, drafts, unitsLastMinute })
  }

  /** State of reading, by service. */
  get looks(): Looks[] {
    return this.lanes.map((lane) => lane.looks)
  }

  start(): void {
    for (const lane of this.lanes) lane.start()
    this.sweep()
  }

  /** Resolves once all lanes are idle. */
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()))
  }

  /** Called when these collections have something new to send. Frequent edits in one service don't delay others. */
  edited(changed: ReadonlySet<string>): void {
    const services = new Set(
      this.shared.memory.facts.all.flatMap(({ name, service }) => (changed.has(name) ? service : [])),
    )
    for (const lane of this.lanes) if (services.has(lane.service)) lane.edited()
    this.sweep()
  }

  /** Entries have ended. Rows that can't be removed now are removed later. */
  private sweep(): void {
    void this.downloads.sweep().catch(() => undefined)
  }

  /** Pulls and sends everything now, of all services or of one. Also resumes after an expired sign-in. */
  syncNow(service?: ServiceName): void {
    for (const lane of this.lanes) if (service === undefined || lane.service === service) lane.syncNow()
  }

  /** Sends ready entries of these services now, even if their lanes are waiting. */
  sendNow(services: ReadonlySet<ServiceName>): void {
    for (const lane of this.lanes) if (services.has(lane.service)) lane.sendNow()
  }

  /** Compares local records with all services or one. */
  checkSync(service?: ServiceName): void {
    for (const lane of this.lanes) if (service === undefined || lane.service === service) lane.checkSync()
  }

  cancelCheck(service?: ServiceName): void {
    for (const lane of this.lanes) if (service === undefined || lane.service === service) lane.cancelCheck()
  }

  /** Reads before sending, after the computer woke or came online. */
  resume(): void {
    for (const lane of this.lanes) lane.resume()
  }

  /** Called when the service reports a change. */
  notified(key: string): void {
    for (const lane of this.lanes) lane.notified(key)
  }

  setOffline(offline: boolean): void {
    this.offline = offline
    for (const lane of this.lanes) lane.setOffline(offline)
  }

  setPaused(paused: boolean): void {
    this.paused = paused
    for (const lane of this.lanes) lane.setPaused(paused)
  }

  /** Requests notifications where a service supports them. Everything else is polled. */
  private async watch(): Promise<void> {
    const wanted = this.lanes.flatMap(({ watchable }) => watchable)
    const { bridge, account } = this.shared
    const request = wanted.map(({ collection, parent }) => ({ collection, parent }))
    const answer = await bridge.ask('sync/watch', { accountId: account.id, targets: request })
    const keys = new Set(answer.ok ? answer.value.watched : [])
    for (const lane of this.lanes) lane.watched(keys)
  }
}
