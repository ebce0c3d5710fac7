import 'fake-indexeddb/auto'
import { factsOf, type Facts } from '#shared/facts/facts'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { idSource, type IdSource } from '#shared/mutation/ids'
import type { Change } from '../../src-renderer/replica/api'
import { applyRecords } from '../../src-renderer/replica/apply'
import { layoutsFor } from '../../src-renderer/replica/blocks/layouts'
import { Commits } from '../../src-renderer/replica/commits'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { systemEnvironment } from '../../src-renderer/replica/environment'
import { fillWindow, loadState, loadVisible } from '../../src-renderer/replica/load'
import { Memory } from '../../src-renderer/replica/memory'
import { settle } from '../../src-renderer/replica/settle'
import { Steps } from '../../src-renderer/replica/steps'
import { behaviors } from '../../src-renderer/behaviors'
import { someAccount } from './account'
import { silentBridge } from './silent-bridge'

const limits = { minRows: 1, loose: 2, rows: 100 }

/** A replica's memory and store on a persistent database, without sync. */
export class ReplicaState {
  readonly store: DexieStore
  readonly memory: Memory
  readonly commits: Commits
  readonly steps: Steps
  readonly ids: IdSource = idSource(systemEnvironment.now, systemEnvironment.random, '')

  constructor(name: string, facts: Facts = factsOf()) {
    this.store = new DexieStore(name, { layouts: layoutsFor(facts), limits })
    this.memory = new Memory(behaviors, this.store.layouts, facts)
    this.store.onMoved((moved) => this.memory.follow(moved))
    this.commits = new Commits(this.memory, this.store, silentBridge, () => undefined)
    const { memory, store, commits, ids } = this
    const parts = { account: someAccount(), store, memory, commits, ids, environment: systemEnvironment }
    this.steps = new Steps({ ...parts, writing: () => true }, () => undefined)
  }

  /** Opens the store as at app start. */
  static async open(name: string, facts?: Facts): Promise<ReplicaState> {
    const rooms = new ReplicaState(name, facts)
    const { store, memory } = rooms
    await store.open()
    const state = await loadState(store, memory, 0)
    await loadVisible(store, memory, state.entries, 0)
    await fillWindow(
      store,
      memory,
      systemEnvironment,
      () => undefined,
      () => false,
    )
    return rooms
  }

  /** Pulls a full page. */
  async pull(records: readonly RemoteRecord[]): Promise<void> {
    const { memory, commits, store } = this
    const deps = { memory, commits, store, now: systemEnvironment.now, setTimer: systemEnvironment.setTimer }
    await applyRecords(deps, records, true)
    await commits.settled()
  }

  async edit(...changes: Change[]): Promise<string[]> {
    const { keys } = await this.steps.edit(changes, { label: 'Edit' })
    await this.commits.settled()
    return keys
  }

  /** Applies the outcome of a send. */
  async settle(outcome: Outcome, entry = this.entry): Promise<void> {
    await this.commits.run('sync', (tx) => settle({ tx, ...this.context }, entry.id, outcome)).saved
    await this.commits.settled()
  }

  get context(): { ids: IdSource; now: () => number; backOff: () => number } {
    return { ids: this.ids, now: () => 1, backOff: () => 0 }
  }

  /** The oldest outbox entry. */
  get entry(): OutboxEntry {
    return this.memory.entries()[0]!
  }
}
