import { expect, it } from 'vitest'
import type { Bridge } from '#shared/ipc/contract'
import { Subscriptions } from '../../../src-renderer/context/subscriptions.svelte'
import type { Toasts } from '../../../src-renderer/ui/toasts.svelte'

it('says that the list can’t be read until it’s known again', async () => {
  const shown: string[] = []
  let tell: (accountId: string) => void = () => undefined
  const message = 'Couldn’t read the subscribed calendars in list.json. The file is unchanged.'
  const bridge: Bridge = {
    ask: () => Promise.resolve({ ok: false, fault: { code: 'storage', message } }),
    on: (_name, listener) => {
      tell = (accountId) => listener({ accountId, subscriptions: [] } as never)
      return () => undefined
    },
  }
  const toasts = { show: (text: string) => shown.push(text) } as unknown as Toasts
  const subscriptions = new Subscriptions(bridge, toasts, 'account')
  subscriptions.follow()
  await expect.poll(() => subscriptions.problem).toBe(message)
  expect(shown).toEqual([message])
  tell('another')
  expect(subscriptions.problem).toBe(message)
  tell('account')
  expect(subscriptions.problem).toBeNull()
})
