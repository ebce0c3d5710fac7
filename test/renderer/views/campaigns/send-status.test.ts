import { expect, it } from 'vitest'
import type { LaneStatus } from '../../../../src-renderer/replica/api'
import { sendStatusWords } from '../../../../src-renderer/views/campaigns/send-status'

const now = 1_000_000
const words = (lane: Partial<LaneStatus>, more: { paused?: boolean; offline?: boolean } = {}): string =>
  sendStatusWords(
    {
      paused: false,
      offline: false,
      ...more,
      lanes: [{ service: 'trafficking', phase: 'idle', lastPull: null, unsent: 1, needsYou: 0, drafts: 0, ...lane }],
    },
    'trafficking',
    { now, signedOut: false },
  )

it('the reason that blocks a post has a name', () => {
  expect(words({ phase: 'pushing' })).toBe('')
  expect(words({ phase: 'idle' }, { paused: true })).toBe('Sending is paused')
  expect(words({ phase: 'offline' }, { offline: true })).toBe('You’re offline')
  expect(words({ phase: 'offline' })).toBe('Offline')
  expect(words({ phase: 'signIn' })).toBe('Session expired')
  expect(words({ phase: 'waiting', nextTry: now + 3_000, fault: { code: 'rateLimited', message: 'Too fast' } })).toBe(
    'Rate limited, retrying in 3 s',
  )
})
