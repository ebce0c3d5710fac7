import type { RunRecord } from '../../src-main/reports/run-record'

/** A completed trafficking report run, as its record on disk. */
export const keptRun = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  version: 1,
  id,
  accountId: 'sandbox',
  service: 'trafficking',
  reportId: '7',
  name: 'Delivery',
  type: 'STANDARD',
  definition: {},
  format: 'csv',
  state: 'kept',
  words: 'Complete',
  asked: 0,
  fragments: [],
  ...more,
})
