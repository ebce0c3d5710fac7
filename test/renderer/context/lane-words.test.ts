import { expect, it } from 'vitest'
import { firstSyncWords, laneWords, retriedWords } from '../../../src-renderer/context/lane-words'
import type { LaneStatus } from '../../../src-renderer/replica/api'

it.each([
  ['unavailable', 'Server error, retrying in 5 s'],
  ['aborted', 'Interrupted, retrying in 5 s'],
  ['answerLost', 'No response, retrying in 5 s'],
] as const)('says why a service waits after %s', (code, text) => {
  const lane = { phase: 'waiting', fault: { code, message: '' }, nextTry: 5_000 } as unknown as LaneStatus
  expect(laneWords(lane, { offline: false, now: 0, signedOut: false }).text).toBe(text)
})

it('says what lists that never synced wait for', () => {
  const todo = (lane: Pick<LaneStatus, 'phase' | 'fault'>): string => firstSyncWords(lane).todo
  const expired = { code: 'signInExpired', message: 'Your session has expired.' } as const
  expect(todo({ phase: 'signIn', fault: undefined })).toBe('They’ll appear once you sign in.')
  expect(todo({ phase: 'idle', fault: expired })).toBe('They’ll appear once you sign in.')
  expect(todo({ phase: 'idle', fault: undefined })).toBe('Connect to the internet to load them.')
  const unreachable = { code: 'unreachable', message: 'Can’t reach the service.' } as const
  expect(todo({ phase: 'idle', fault: unreachable })).toBe('They’ll appear once the service responds.')
})

it('says once that something will be tried again, and only if it will', () => {
  expect(retriedWords({ code: 'answerLost', message: '127.0.0.1 didn’t respond in time' })).toBe(
    '127.0.0.1 didn’t respond in time. Flightplan will try again automatically.',
  )
  const invalid = 'The service returned an invalid response. Try again later.'
  expect(retriedWords({ code: 'badAnswer', message: invalid })).toBe(invalid)
  expect(retriedWords({ code: 'notFound', message: 'Not found' })).toBe('Not found.')
})
