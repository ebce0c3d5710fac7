import { faultOf } from '#shared/fault'
import { nameOf } from './account-words'
import type { AppContext } from './context'

/** Signs in to the account shown, or cancels that while it waits for the browser. Says how it ended. */
export async function toggleSignIn(app: AppContext): Promise<void> {
  const { account, accounts } = app
  if (accounts.isSigningIn(account.id)) return accounts.cancelSignIn(account.id)
  try {
    await accounts.signIn(account.id)
    app.announce(`Signed in to ${nameOf(account)}`)
  } catch (error) {
    const fault = faultOf(error)
    if (fault.code !== 'aborted') app.toasts.show(`Couldn’t sign in. ${fault.message}`, { level: 'error' })
  }
}
