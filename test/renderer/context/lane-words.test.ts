import { expect, it } from 'vitest'
import { laneWords } from '../../../src-renderer/context/lane-words'
import type { LaneStatus } from '../../../src-renderer/replica/api'

it.each([
  ['unavailable', 'Server error, retrying in 5 s'],
  ['aborted', 'Interrupted, retrying in 5 s'],
  ['answerLost', 'No response, retrying in 5 s'],
] as const)('says why a service waits after %s', (code, text) => {
  const lane = { phase: 'waiting', fault: { code, message: '' }, nextTry: 5_000 } as unknown as LaneStatus
  expect(laneWords(lane, { offline: false, now: 0, signedOut: false }).text).toBe(text)
})
