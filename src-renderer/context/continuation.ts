import { wallOfInstant } from '#shared/time/zones'
import type { Change } from '../replica/api'
import { counted } from '../ui/counted'
import { dayOf } from '../ui/dates'
import type { AppContext } from './context'
import { following, haveEqualNext, secondSuccessors, successorCount } from './repeating-tasks'

type App = Pick<AppContext, 'replica' | 'account' | 'settings' | 'clock' | 'preferences' | 'edit'>

/** Number of handled tasks that are remembered. */
const mostDone = 300

/**
 * Creates the next one of repeating tasks that another app completed, and removes a next one that this computer and another
 * created at once. Handles each task once: if the user undoes that, it stays, also after a restart.
 */
export class Continuation {
  readonly #app: App
  readonly #done: Set<string>
  #busy = false

  constructor(app: App) {
    this.#app = app
    this.#done = new Set(app.settings.values.continuedTasks[app.account.id] ?? [])
  }

  /** To be called after tasks were read. */
  async look(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      await this.#removeSecond()
      await this.#addNext()
    } finally {
      this.#busy = false
    }
  }

  async #addNext(): Promise<void> {
    const { replica, clock, preferences, edit } = this.#app
    const tasks = replica.rows('tasks').filter(({ key, mark }) => mark === 'synced' && !this.#done.has(key))
    const changes = following(replica, tasks, dayOf(wallOfInstant(clock.now, preferences.zone)))
    if (changes.length === 0) return
    this.#remember(changes)
    const added = successorCount(changes)
    const why = added === 1 ? 'the one before was' : 'those before were'
    const text = `${counted(added, 'repeating task')} added, because ${why} completed elsewhere`
    await edit(
      changes,
      { label: 'Continue repeating tasks' },
      added > 0 ? { text, show: true } : { text: 'Repeating tasks updated' },
    )
  }

  async #removeSecond(): Promise<void> {
    const { replica, clock, edit } = this.#app
    if (!haveEqualNext(replica.rows('tasks'))) return
    const history = await replica.history(500)
    // What was edited in the meantime counts.
    const changes = secondSuccessors(replica.rows('tasks'), history, clock.now).filter(
      (change) => 'key' in change && !this.#done.has(change.key),
    )
    if (changes.length === 0) return
    this.#remember(changes)
    const what = counted(changes.length, 'repeating task')
    await edit(
      changes,
      { label: `Remove ${what} added twice` },
      { text: `${what} removed, because two computers added the same`, show: true },
    )
  }

  #remember(changes: readonly Change[]): void {
    for (const change of changes) if ('key' in change) this.#done.add(change.key)
    const { settings, account } = this.#app
    const own = [...this.#done].slice(-mostDone)
    settings.set({ continuedTasks: { ...settings.values.continuedTasks, [account.id]: own } })
  }
}
