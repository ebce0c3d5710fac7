import type { Accounts } from '../context/accounts.svelte'
import type { Replica } from '../replica/api'
import { commitFocused } from '../ui/commit-focused'

/**
 * Saves what is being typed when the window closes. Forms save first, because they know that the window closes. What's typed
 * is saved in the order of edits, so once its turn has come, those saves are registered.
 * @returns a function that ends this
 */
export function saveWhenClosing({ bridge, edits }: Accounts, replica: Pick<Replica, 'inTurn'>): () => void {
  return bridge.on('app/closing', () => {
    const under = edits.begin('Saving unsaved text')
    setTimeout(() => {
      commitFocused()
      void replica.inTurn(() => Promise.resolve()).finally(under.end)
    })
  })
}
