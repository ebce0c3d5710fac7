import { expect, it } from 'vitest'
import { runRecordSchema } from '../../../src-main/reports/run-record'
import { resumedState } from '../../../src-main/reports/run-view'
import { keptRun } from '../../helpers/kept-run'

it('a run that an earlier version asked for is looked for before it’s asked for again', () => {
  const { serviceId: _none, ...run } = keptRun('one')
  const stored = { ...run, state: 'asked', fragments: [], told: { at: 1_760_000_000_000, known: ['7'] } }
  const read = runRecordSchema.parse(stored)
  expect(read.attempt).toEqual(stored.told)
  expect(resumedState(read).state).toBe('asked')
})
