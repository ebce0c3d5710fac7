import { readStored, writeStored } from '../../context/account-storage'
import type { AppContext } from '../../context/context'

type Asking = Pick<AppContext, 'account' | 'bridge'>

/** The list that the service never deletes: the one that other apps add tasks to. */
export class DefaultList {
  #id = $state<unknown>()
  /** The lists that the service was last asked about, and answered. */
  #asked = ''

  constructor(private readonly app: Asking) {
    this.#id = readStored(localStorage, 'default-list', app.account.id)
  }

  is(list: string): boolean {
    return list === this.#id
  }

  /** Asks the service if none of these lists is known to be the default one, once per set of lists. */
  async look(lists: readonly string[]): Promise<void> {
    const asked = lists.join()
    if (this.#asked === asked || lists.some((list) => this.is(list))) return
    this.#asked = asked
    const { account, bridge } = this.app
    const answer = await bridge.ask('service/call', {
      accountId: account.id,
      operation: 'tasks.tasklists.get',
      params: { tasklist: '@default' },
    })
    if (!answer.ok) {
      if (this.#asked === asked) this.#asked = ''
      return
    }
    this.#id = answer.value['id']
    writeStored(localStorage, 'default-list', account.id, this.#id)
  }
}
