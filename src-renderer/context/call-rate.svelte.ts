import type { AppContext } from './context'

/** Calls per second that the service of campaigns allows. */
class CallRate {
  /** Undefined until it's known, and where there's no limit. */
  perSecond = $state<number>()
}

const rates = new WeakMap<AppContext['replica'], CallRate>()

/** The rate of an account, found by its replica. Main is asked once, and again only if it didn't answer. */
export function callRateOf({ bridge, account, replica }: Pick<AppContext, 'bridge' | 'account' | 'replica'>): CallRate {
  const known = rates.get(replica)
  if (known) return known
  const rate = new CallRate()
  rates.set(replica, rate)
  void bridge.ask('sync/budget', { accountId: account.id }).then((answer) => {
    if (!answer.ok) return void rates.delete(replica)
    rate.perSecond = answer.value.budgets.find(
      ({ service, per }) => service === 'trafficking' && per === 'second',
    )?.limit
  })
  return rate
}
