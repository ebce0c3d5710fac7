import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { openLink } from '../../../src-renderer/app/links/open-link'
import type { AppContext } from '../../../src-renderer/context/context'

it('a link with an alias opens the record that the server returns', async () => {
  const id = 'alex@example.com'
  const key = recordKey('calendars', null, id)
  const row = { key, collection: 'calendars', parent: null, id, value: { summary: 'Alex' } }
  const shown: object[] = []
  let look = (): void => undefined
  const app = {
    account: { id: 'a' },
    preferences: { zone: 'Europe/Berlin' },
    accounts: { accountWith: () => Promise.resolve(undefined) },
    navigation: { go: (view: string, params: object) => shown.push({ view, params }) },
    announce: () => undefined,
    toasts: { show: (_text: string, { action }: { action: { run: () => void } }) => (look = action.run) },
    bridge: { ask: () => Promise.resolve({ ok: true, value: { ...row, etag: null } }) },
    replica: {
      status: { offline: false },
      facts: { all: [], of: () => ({ service: 'calendar' }) },
      read: (asked: string) => Promise.resolve(asked === key ? row : null),
      syncNow: () => undefined,
      subscribe: () => () => undefined,
    },
  }
  await openLink(app as unknown as AppContext, 'flightplan://record/calendars/-/primary')
  look()
  await expect.poll(() => shown).toEqual([{ view: 'settings', params: { calendar: id } }])
})
