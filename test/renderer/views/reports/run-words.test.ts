import { expect, it } from 'vitest'
import { isMoving, retryOptions, runWords, stuckBy } from '../../../../src-renderer/views/reports/run-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Run } from '#shared/reports/runs'

const now = Date.parse('2026-06-10T08:00:00Z')
const run = (more: Partial<Run>): Run =>
  ({ state: 'working', words: 'Running at the service', hasFile: true, ...more }) as Run

it.each([
  ['queued', run({ state: 'held', words: 'Queued' }), false, 'Queued'],
  ['running', run({}), true, 'Running at the service'],
  ['between checks', run({ next: { at: now + 120_000 } }), true, 'Running at the service · next check in 2 min'],
  [
    'waiting after an error',
    run({ next: { at: now + 120_000, fault: { code: 'offline', message: 'No connection.' } } }),
    false,
    'No connection. Retrying in 2 min.',
  ],
  [
    'waiting after an error that the service has words for',
    run({ next: { at: now + 120_000, fault: { code: 'unavailable', status: 500, message: 'Backend Error' } } }),
    false,
    'Server error (Backend Error). Retrying in 2 min.',
  ],
  ['downloading', run({ state: 'fetching', fetched: { done: 2_000 } }), true, 'Downloading 2 KB'],
  ['complete', run({ state: 'kept', rows: 1 }), false, '1 row'],
  ['complete, but lost', run({ state: 'kept', rows: 1, hasFile: false }), false, 'File not found · 1 row'],
] as const)('a %s run', (_name, shown, moving, words) => {
  expect([isMoving(shown), runWords(shown, now)]).toEqual([moving, words])
})

it('a run whose file is lost can run again', () => {
  expect(retryOptions(run({ state: 'kept' }))).toEqual([])
  expect(retryOptions(run({ state: 'kept', hasFile: false }))).toEqual([{ label: 'Run again', rerun: false }])
})
it('a run whose record can’t be read can’t run again', () => {
  expect(retryOptions(run({ state: 'failed' }))).toHaveLength(1)
  expect(retryOptions(run({ state: 'failed', damaged: true }))).toEqual([])
})

it('a queued run names the change that needs attention first, also one that its own changes depend on', () => {
  const entry = (id: string, state: string, dependsOn: string[] = []): OutboxEntry =>
    ({ id, state, dependsOn, label: `Change ${id} of *Sites*` }) as unknown as OutboxEntry
  const held = run({ state: 'held', words: 'Waiting for the report’s changes to be sent', awaits: ['name'] })
  const outbox = [
    entry('other', 'needsYou'),
    entry('name', 'waiting', ['type', 'gone']),
    entry('type', 'waiting', ['range']),
  ]
  expect(stuckBy(held, outbox)).toBeUndefined()
  const stuck = stuckBy(held, [...outbox, entry('range', 'needsYou')])
  expect(stuck?.id).toBe('range')
  expect(runWords(held, now, stuck)).toBe('Waiting until you resolve “Change range of Sites” in Sync')
  expect(stuckBy(held, [entry('name', 'needsYou')])?.id).toBe('name')
  expect(stuckBy(run({}), [entry('name', 'needsYou')])).toBeUndefined()
})
