import { readStored, writeStored } from '../../context/account-storage'
import type { AppContext } from '../../context/context'

/** The list that the service never deletes: the one that other apps add tasks to. Asked once per account. */
export class DefaultList {
  #id = $state<unknown>()

  constructor(private readonly app: AppContext) {
    this.#id = readStored(localStorage, 'default-list', app.account.id)
  }

  is(list: string): boolean {
    return list === this.#id
  }

  async look(): Promise<void> {
    const { account, bridge, replica } = this.app
    if (this.#id !== undefined || replica.status.offline) return
    const answer = await bridge.ask('service/call', {
      accountId: account.id,
      operation: 'tasks.tasklists.get',
      params: { tasklist: '@default' },
    })
    if (!answer.ok) return
    this.#id = answer.value['id']
    writeStored(localStorage, 'default-list', account.id, this.#id)
  }
}
