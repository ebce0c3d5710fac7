import { expect, it } from 'vitest'
import type { LaneStatus } from '../../../../src-renderer/replica/api'
import { healthOf, permissionsOf } from '../../../../src-renderer/views/settings/account-health'
import { someAccount } from '../../../helpers/account'

const now = Date.UTC(2026, 5, 10, 6)
const lane = (more: Partial<LaneStatus>): LaneStatus => ({
  ...{ service: 'calendar', phase: 'idle', lastPull: now - 5 * 60_000, unsent: 0, needsYou: 0, drafts: 0 },
  ...more,
})

it('says for each service what it does, when it was synced, and what’s left of its quota', () => {
  const lanes = [
    lane({}),
    lane({ service: 'tasks', phase: 'waiting', lastPull: null, fault: { code: 'quotaSpent', message: '' } }),
    lane({ service: 'trafficking', phase: 'signIn' }),
  ]
  const budgets = [
    { service: 'calendar', per: 'minute', used: 20, limit: 600, renews: now },
    { service: 'tasks', per: 'day', used: 60_000, limit: 50_000, renews: now },
    { service: 'trafficking', per: 'second', used: 1, limit: 1, renews: now },
  ] as const
  expect(healthOf(someAccount({ signIn: 'expired' }), { lanes, offline: false }, budgets, now)).toEqual([
    {
      service: 'calendar',
      words: 'No pending changes · Synced 5 min ago · 580 of 600 units left this minute',
      warning: false,
    },
    {
      service: 'tasks',
      words: 'Daily quota used up · Not synced yet · 0 of 50,000 calls left today',
      warning: true,
    },
    { service: 'trafficking', words: 'Session expired · Synced 5 min ago', warning: true },
  ])
})

it('names the permissions of an account’s services only', () => {
  expect(permissionsOf(someAccount())).toEqual([])
  const tasks = someAccount({ kind: 'service', services: { tasks: 'https://tasks.example' } })
  expect(permissionsOf(tasks)).toEqual(['See, edit, and delete your tasks and task lists'])
  const campaigns = someAccount({ kind: 'service', services: { trafficking: 'https://campaigns.example' } })
  expect(permissionsOf(campaigns)).toHaveLength(3)
})
