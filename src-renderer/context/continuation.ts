import { wallOfInstant } from '#shared/time/zones'
import { counted } from '../ui/counted'
import { dayOf } from '../ui/dates'
import type { AppContext } from './context'
import { following, successorCount } from './repeating-tasks'
import { haveRepeating, secondSuccessors } from './second-successors'

type App = Pick<AppContext, 'replica' | 'account' | 'settings' | 'clock' | 'preferences' | 'edit'>

/** Number of handled tasks and creations that are remembered. */
const mostDone = 300

/**
 * Creates the next one of repeating tasks that another app completed, and leaves one of those that this computer and another
 * created. Handles each once: if the user undoes that, it stays, also after a restart.
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
      await this.#joinSecond()
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
    this.#remember(changes.flatMap((change) => ('key' in change ? [change.key] : [])))
    const added = successorCount(changes)
    const why = added === 1 ? 'the previous one was' : 'the previous ones were'
    const text = `${counted(added, 'repeating task')} added, because ${why} completed elsewhere`
    await edit(
      changes,
      { label: 'Continue repeating tasks' },
      added > 0 ? { text, show: true } : { text: 'Repeating tasks updated' },
    )
  }

  async #joinSecond(): Promise<void> {
    const { replica, clock, edit } = this.#app
    if (!haveRepeating(replica.rows('tasks'))) return
    const history = await replica.history(500)
    // Edits made since then count.
    const joined = secondSuccessors(replica, history, clock.now, this.#done)
    if (joined.length === 0) return
    this.#remember(joined.flatMap(({ creations }) => creations))
    const changes = joined.flatMap((one) => one.changes)
    if (changes.length === 0) return
    const what = counted(joined.filter((one) => one.changes.length > 0).length, 'repeating task')
    await edit(
      changes,
      { label: `Merge ${what} added twice` },
      { text: `${what} added on two computers, now merged`, show: true },
    )
  }

  #remember(handled: readonly string[]): void {
    for (const one of handled) this.#done.add(one)
    const { settings, account } = this.#app
    const own = [...this.#done].slice(-mostDone)
    settings.set({ continuedTasks: { ...settings.values.continuedTasks, [account.id]: own } })
  }
}
