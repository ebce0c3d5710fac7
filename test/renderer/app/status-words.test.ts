import { describe, expect, it } from 'vitest'
import { statusWords } from '../../../src-renderer/app/status-words'
import { laneWords, saidWords, unsentWords } from '../../../src-renderer/context/lane-words'
import type { LaneStatus, SyncStatus } from '../../../src-renderer/replica/api'
import { summed } from '../../../src-renderer/sync/sum'

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

describe('the status line tells the truth', () => {
  it.each<[Partial<SyncStatus>, string]>([
    [{}, 'Nothing waits to be sent · checked 3 min ago'],
    [{ lastPull: null }, 'Nothing waits to be sent · not checked yet'],
    [{ unsent: 1 }, 'Ready to send | 1 change on this computer, not sent yet'],
    [{ unsent: 2, needsYou: 2 }, 'checked 3 min ago'],
    [{ phase: 'offline', offline: true, unsent: 3 }, 'Offline | 3 changes on this computer, not sent yet'],
    [{ phase: 'offline' }, 'No network | edits are kept on this computer'],
    [{ phase: 'pushing', unsent: 3 }, 'Sending 3 changes'],
    [{ phase: 'paused', unsent: 1200 }, 'Sending is paused | 1,200 changes on this computer, not sent yet'],
    [
      { phase: 'waiting', unsent: 1, nextTry: now + 12_000 },
      'The service isn’t responding, next try in 12 s | 1 change on this computer, not sent yet',
    ],
    [{ phase: 'waiting', nextTry: now + 600_000 }, 'The service isn’t responding, next try in 10 min'],
    [{ phase: 'signIn' }, 'Sign-in has expired | everything here is kept'],
    [{ unsent: 1, notUnderstood: 1 }, 'checked 3 min ago | 1 change of a newer version of Flightplan kept, not sent'],
    [
      { unsent: 5, notUnderstood: 2, needsYou: 1 },
      'Ready to send | 2 changes on this computer, not sent yet · 2 changes of a newer version of Flightplan kept, not sent',
    ],
    [{ phase: 'firstSync', progress: { done: 2, total: 8, records: 1234 } }, 'First sync, 2 of 8 · 1,234 records'],
  ])('%o', (part, expected) => {
    expect(words(part)).toBe(expected)
  })
  it('never says that nothing waits while something does', () => {
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
      expect(words({ phase, unsent: 2 })).not.toMatch(/Nothing waits/)
      expect(words({ phase, unsent: 2 })).toMatch(/2 changes/)
    }
  })
})

describe('the status line of services that differ', () => {
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
    return summed(all, {
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
    [[{}, { service: 'tasks' }], 'Nothing waits to be sent · checked 3 min ago'],
    [[{}, { service: 'tasks', lastPull: now - 7_200_000 }], 'Nothing waits to be sent · checked 2 h ago'],
    [[{}, { service: 'tasks', lastPull: null }], 'Nothing waits to be sent · not checked yet'],
    [[{}, spent], 'Campaigns: no calls left today, next try in 5 h · Calendar: checked 3 min ago'],
    [
      [{}, { ...spent, unsent: 2 }],
      'Campaigns: no calls left today, next try in 5 h · Calendar: checked 3 min ago | 2 changes on this computer, not sent yet',
    ],
    [
      [
        { phase: 'pushing', unsent: 1 },
        { ...spent, unsent: 2 },
      ],
      'Campaigns: no calls left today, next try in 5 h · sending 1 change | 2 changes on this computer, not sent yet',
    ],
    [
      [
        {},
        { service: 'tasks' },
        { ...spent, fault: { code: 'unreachable', message: 'Refused' }, nextTry: now + 12_000 },
      ],
      'Campaigns: cannot be reached, next try in 12 s · The rest: checked 3 min ago',
    ],
    [[{}, { service: 'tasks', phase: 'signIn' }], 'Tasks: sign-in has expired · Calendar: checked 3 min ago'],
    [[{ phase: 'signIn' }, { service: 'tasks', phase: 'signIn' }], 'Sign-in has expired | everything here is kept'],
    [
      [
        { phase: 'waiting', nextTry: now + 12_000, fault: { code: 'unavailable', message: '' } },
        { service: 'tasks', phase: 'waiting', nextTry: now + 30_000, fault: { code: 'unreachable', message: '' } },
      ],
      'The service isn’t responding, next try in 12 s',
    ],
    [[{ ...spent, service: 'calendar' }], 'No calls left today, next try in 5 h'],
    [
      [{ fault: { code: 'badAnswer', message: '' } }, { service: 'tasks' }],
      'Nothing waits to be sent · checked 3 min ago · not all of Calendar could be read',
    ],
    [
      [
        { phase: 'pushing', unsent: 3 },
        { service: 'tasks', unsent: 1 },
      ],
      'Sending 3 changes | 1 change on this computer, not sent yet',
    ],
  ])('%o', (lanes, expected) => {
    expect(said(...lanes)).toBe(expected)
  })

  it('warns as long as one of them stands still', () => {
    expect(statusWords(sum({ phase: 'pulling' }, spent), now).tone).toBe('warning')
    expect(statusWords(sum({ phase: 'pulling' }, {}), now).tone).toBe('busy')
  })

  it('never says that nothing waits, nor that all was checked, while one is in trouble', () => {
    for (const phase of ['idle', 'pulling', 'pushing', 'paused', 'firstSync', 'starting'] as const)
      expect(said({ phase }, spent)).not.toMatch(/Nothing waits|^checked/)
  })

  it('says of each what it is doing, and what of it is not sent', () => {
    const context = { offline: false, now, signedOut: false }
    const words = (part: Partial<LaneStatus>): string => laneWords(lane(part), context).text
    expect(words({})).toBe('Nothing waits to be sent')
    expect(words({ unsent: 1 })).toBe('Ready to send')
    expect(words({ fault: { code: 'forbidden', message: '' } })).toBe('Not all of it could be read')
    expect(words(spent)).toBe('No calls left today, next try in 5 h')
    expect(words({ phase: 'signIn' })).toBe('Sign-in has expired')
    expect(saidWords({ code: 'invalid', message: 'No such list' })).toBe('No such list')
    expect(saidWords({ code: 'mistake', message: 'x is undefined' })).toBe('Flightplan made a mistake: x is undefined')
    expect(unsentWords(lane({ unsent: 3, needsYou: 1 }))).toBe('2 changes not sent yet · 1 needs you')
  })
})
