import type { RunRecord } from '../../src-main/reports/run-record'

/** A run of a trafficking report whose file is kept, as its record stands on disk. */
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
