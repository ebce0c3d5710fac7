import { accountKey } from '../../context/account-storage'
import type { AppContext } from '../../context/context'

/** The list that the service never deletes: the one that other apps add tasks to. Asked once per account. */
export class DefaultList {
  #id = $state<string | null>(null)
  readonly #key: string

  constructor(private readonly app: AppContext) {
    this.#key = accountKey('default-list', app.account.id)
    this.#id = localStorage.getItem(this.#key)
  }

  is(list: string): boolean {
    return list === this.#id
  }

  async look(): Promise<void> {
    const { account, bridge, replica } = this.app
    if (this.#id !== null || replica.status.offline) return
    const answer = await bridge.ask('service/call', {
      accountId: account.id,
      operation: 'tasks.tasklists.get',
      params: { tasklist: '@default' },
    })
    const id = answer.ok ? answer.value['id'] : undefined
    if (typeof id !== 'string') return
    this.#id = id
    try {
      localStorage.setItem(this.#key, id)
    } catch {
      // Storage is full. It's asked again next time.
    }
  }
}
