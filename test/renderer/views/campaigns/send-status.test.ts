import { expect, it } from 'vitest'
import type { LaneStatus } from '../../../../src-renderer/replica/api'
import { sendStatusWords, sendTimeWords } from '../../../../src-renderer/views/campaigns/send-status'

const now = 1_000_000
interface More {
  paused?: boolean
  offline?: boolean
}
const statusOf = (lane: Partial<LaneStatus>, more: More): Parameters<typeof sendTimeWords>[0] => ({
  ...{ paused: false, offline: false, ...more },
  lanes: [{ service: 'trafficking', phase: 'idle', lastPull: null, unsent: 1, needsYou: 0, drafts: 0, ...lane }],
})
const words = (lane: Partial<LaneStatus>, more: More = {}): string =>
  sendStatusWords(statusOf(lane, more), 'trafficking', { now, signedOut: false })

it('the reason that blocks a post has a name', () => {
  expect(words({ phase: 'pushing' })).toBe('')
  expect(words({ phase: 'idle' }, { paused: true })).toBe('Sending is paused')
  expect(words({ phase: 'offline' }, { offline: true })).toBe('You’re offline')
  expect(words({ phase: 'offline' })).toBe('Offline')
  expect(words({ phase: 'signIn' })).toBe('Session expired')
  expect(words({ phase: 'waiting', nextTry: now + 3_000, fault: { code: 'rateLimited', message: 'Too fast' } })).toBe(
    'Rate limited, retrying in 3 s',
  )
  expect(words({ phase: 'waiting', nextTry: now + 3_000, fault: { code: 'unreachable', message: 'No route' } })).toBe(
    'The service can’t be reached, retrying in 3 s',
  )
})

it('a post says what it waits for', () => {
  const time = (lane: Partial<LaneStatus>, more: More = {}): string =>
    sendTimeWords(statusOf(lane, more), 'trafficking')
  expect(time({ phase: 'offline' }, { paused: true, offline: true })).toBe('when you resume')
  expect(time({ phase: 'offline' }, { offline: true })).toBe('when you go online')
  expect(time({ phase: 'offline' })).toBe('when you’re back online')
  expect(time({ phase: 'signIn' })).toBe('when you sign in again')
  expect(time({ phase: 'waiting' })).toBe('as soon as possible')
})
