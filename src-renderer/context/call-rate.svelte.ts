import type { ServiceName } from '#shared/wire/services'
import type { AppContext } from './context'

/** Calls per second that a service allows. Undefined until it's known, and where there's no limit. */
export class CallRate {
  perSecond = $state<number>()

  constructor({ bridge, account }: Pick<AppContext, 'bridge' | 'account'>, service: ServiceName) {
    void bridge.ask('sync/budget', { accountId: account.id }).then((answer) => {
      if (!answer.ok) return
      this.perSecond = answer.value.budgets.find((one) => one.service === service && one.per === 'second')?.limit
    })
  }
}
