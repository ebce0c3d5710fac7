import { describe, expect, it } from 'vitest'
import { statusWords } from '../../../src-renderer/app/status-words'
import { laneWords, saidWords, unsentWords } from '../../../src-renderer/context/lane-words'
import type { LaneStatus, SyncStatus } from '../../../src-renderer/replica/api'
import { accountStatus } from '../../../src-renderer/sync/account-status'

const now = Date.parse('2026-07-14T10:00:00Z')
const status = (part: Partial<SyncStatus>): SyncStatus => ({
  phase: 'idle',
  offline: false,
  paused: false,
  unsent: 0,
  needsYou: 0,
  drafts: 0,
  notUnderstood: 0,
  lastPull: now - 180_000,
  unitsLastMinute: 0,
  lanes: [],
  ...part,
})
const words = (part: Partial<SyncStatus>): string => {
  const { text, waiting } = statusWords(status(part), now)
  return waiting ? `${text} | ${waiting}` : text
}

describe('the status line', () => {
  it.each<[Partial<SyncStatus>, string]>([
    [{}, 'No pending changes · synced 3 min ago'],
    [{ lastPull: null }, 'No pending changes · not synced yet'],
    [{ unsent: 1 }, 'Ready to send | 1 pending change'],
    [{ unsent: 2, needsYou: 2 }, 'synced 3 min ago'],
    [{ phase: 'offline', offline: true, unsent: 3 }, 'Offline mode | 3 pending changes'],
    [{ phase: 'offline' }, 'Offline | Edits are saved on this computer'],
    [{ phase: 'pushing', unsent: 3 }, 'Sending 3 changes…'],
    [{ phase: 'paused', unsent: 1200 }, 'Sending is paused | 1,200 pending changes'],
    [
      { phase: 'waiting', unsent: 1, nextTry: now + 12_000 },
      'The service isn’t responding, retrying in 12 s | 1 pending change',
    ],
    [{ phase: 'waiting', nextTry: now + 600_000 }, 'The service isn’t responding, retrying in 10 min'],
    [{ phase: 'signIn' }, 'Session expired | Your data stays on this computer'],
    [{ unsent: 1, notUnderstood: 1 }, 'synced 3 min ago | 1 change from a newer version of Flightplan'],
    [
      { unsent: 5, notUnderstood: 2, needsYou: 1 },
      'Waiting for the change that needs attention | 2 pending changes · 2 changes from a newer version of Flightplan',
    ],
    [{ phase: 'firstSync', progress: { done: 2, total: 8, records: 1234 } }, 'First sync, 2 of 8 · 1,234 records'],
  ])('%o', (part, expected) => {
    expect(words(part)).toBe(expected)
  })
  it('never claims an empty queue while changes are pending', () => {
    for (const phase of [
      'idle',
      'pulling',
      'offline',
      'paused',
      'waiting',
      'signIn',
      'starting',
      'firstSync',
      'pushing',
    ] as const) {
      expect(words({ phase, unsent: 2 })).not.toMatch(/No pending changes/)
      expect(words({ phase, unsent: 2 })).toMatch(/2 (pending )?changes/)
    }
  })
})

describe('the status line with differing services', () => {
  const lane = (part: Partial<LaneStatus>): LaneStatus => ({
    service: 'calendar',
    phase: 'idle',
    lastPull: now - 180_000,
    unsent: 0,
    needsYou: 0,
    drafts: 0,
    ...part,
  })
  const sum = (...lanes: Partial<LaneStatus>[]): SyncStatus => {
    const all = lanes.map(lane)
    const unsent = all.reduce((count, one) => count + one.unsent, 0)
    const needsYou = all.reduce((count, one) => count + one.needsYou, 0)
    return accountStatus(all, {
      offline: false,
      paused: false,
      unsent,
      needsYou,
      notUnderstood: 0,
      drafts: 0,
      unitsLastMinute: 0,
    })
  }
  const said = (...lanes: Partial<LaneStatus>[]): string => {
    const { text, waiting } = statusWords(sum(...lanes), now)
    return waiting ? `${text} | ${waiting}` : text
  }
  const spent: Partial<LaneStatus> = {
    service: 'trafficking',
    phase: 'waiting',
    nextTry: now + 5 * 3_600_000,
    fault: { code: 'quotaSpent', message: 'Used up' },
  }

  it.each<[Partial<LaneStatus>[], string]>([
    [[{}, { service: 'tasks' }], 'No pending changes · synced 3 min ago'],
    [[{}, { service: 'tasks', lastPull: now - 7_200_000 }], 'No pending changes · synced 2 h ago'],
    [[{}, { service: 'tasks', lastPull: null }], 'No pending changes · not synced yet'],
    [[{}, spent], 'Campaigns: daily quota used up, retrying in 5 h · Calendar: synced 3 min ago'],
    [
      [{}, { ...spent, unsent: 2 }],
      'Campaigns: daily quota used up, retrying in 5 h · Calendar: synced 3 min ago | 2 pending changes',
    ],
    [
      [
        { phase: 'pushing', unsent: 1 },
        { ...spent, unsent: 2 },
      ],
      'Campaigns: daily quota used up, retrying in 5 h · sending 1 change | 2 pending changes',
    ],
    [
      [
        {},
        { service: 'tasks' },
        { ...spent, fault: { code: 'unreachable', message: 'Refused' }, nextTry: now + 12_000 },
      ],
      'Campaigns: can’t be reached, retrying in 12 s · Other services: synced 3 min ago',
    ],
    [[{}, { service: 'tasks', phase: 'signIn' }], 'Tasks: session expired · Calendar: synced 3 min ago'],
    [
      [{ phase: 'signIn' }, { service: 'tasks', phase: 'signIn' }],
      'Session expired | Your data stays on this computer',
    ],
    [
      [
        { phase: 'waiting', nextTry: now + 12_000, fault: { code: 'unavailable', message: '' } },
        { service: 'tasks', phase: 'waiting', nextTry: now + 30_000, fault: { code: 'unreachable', message: '' } },
      ],
      'The service isn’t responding, retrying in 12 s',
    ],
    [[{ ...spent, service: 'calendar' }], 'Daily quota used up, retrying in 5 h'],
    [
      [{ fault: { code: 'badAnswer', message: '' } }, { service: 'tasks' }],
      'No pending changes · synced 3 min ago · Calendar not fully synced',
    ],
    [
      [
        { phase: 'pushing', unsent: 3 },
        { service: 'tasks', unsent: 1 },
      ],
      'Sending 3 changes… | 1 pending change',
    ],
  ])('%o', (lanes, expected) => {
    expect(said(...lanes)).toBe(expected)
  })

  it('warns while any service is down', () => {
    expect(statusWords(sum({ phase: 'pulling' }, spent), now).tone).toBe('warning')
    expect(statusWords(sum({ phase: 'pulling' }, {}), now).tone).toBe('busy')
  })

  it('never claims an empty queue or a full check while a service fails', () => {
    for (const phase of ['idle', 'pulling', 'pushing', 'paused', 'firstSync', 'starting'] as const)
      expect(said({ phase }, spent)).not.toMatch(/No pending changes|^synced/)
  })

  it("describes each service's activity and pending changes", () => {
    const context = { offline: false, now, signedOut: false }
    const words = (part: Partial<LaneStatus>): string => laneWords(lane(part), context).text
    expect(words({})).toBe('No pending changes')
    expect(words({ unsent: 1 })).toBe('Ready to send')
    expect(words({ unsent: 5, needsYou: 2 })).toBe('Waiting for the changes that need attention')
    expect(words({ fault: { code: 'forbidden', message: '' } })).toBe('Not fully synced')
    expect(words(spent)).toBe('Daily quota used up, retrying in 5 h')
    expect(words({ phase: 'signIn' })).toBe('Session expired')
    expect(saidWords({ code: 'invalid', message: 'No such list' })).toBe('No such list')
    expect(saidWords({ code: 'mistake', message: 'x is undefined' })).toBe('Error in Flightplan. x is undefined')
    expect(unsentWords(lane({ unsent: 3, needsYou: 1 }))).toBe('2 pending changes · 1 change needs attention')
  })
})
