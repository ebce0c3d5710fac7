import { describe, expect, it } from 'vitest'
import { statusWords } from '../../../src-renderer/app/status-words'
import type { SyncStatus } from '../../../src-renderer/replica/api'

const now = Date.parse('2026-07-14T10:00:00Z')
const status = (part: Partial<SyncStatus>): SyncStatus => ({
  phase: 'idle',
  offline: false,
  paused: false,
  unsent: 0,
  needsYou: 0,
  notUnderstood: 0,
  lastPull: now - 180_000,
  unitsLastMinute: 0,
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
      'The service does not answer, next try in 12 s | 1 change on this computer, not sent yet',
    ],
    [{ phase: 'waiting', nextTry: now + 600_000 }, 'The service does not answer, next try in 10 min'],
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
