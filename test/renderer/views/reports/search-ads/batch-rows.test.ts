import { expect, it } from 'vitest'
import { headsOf, momentOf, namesColumns } from '#shared/search-ads/batch-columns'
import { conversionCells, conversionColumns } from '#shared/search-ads/conversion-columns'
import { readRow, readRows, type RowTerms } from '../../../../../src-renderer/views/reports/search-ads/batch-rows'

const now = Date.UTC(2026, 5, 20, 12)
const terms = (head: string[], more: Partial<RowTerms> = {}): RowTerms => ({
  columns: headsOf(head).columns,
  kind: 'insert',
  place: { agencyId: '1', advertiserId: '2', engineAccountId: '3' },
  activity: '',
  zone: 'Europe/Berlin',
  now,
  ...more,
})
const wrong = (head: string[], cells: string[], more: Partial<RowTerms> = {}): string[] =>
  readRow({ id: 'made', cells }, terms(head, more)).problems.map(
    ({ column, words }) => `${column === undefined ? '' : `${head[column]}: `}${words}`,
  )

it('headers match field names and labels in any case, and unknown ones are reported', () => {
  const heads = headsOf(['TIME (utc)', 'conversionid', 'Revenue', 'Shoe size', 'Changed (UTC)', 'revenueMicros', ''])
  expect(heads.columns.map((column) => column && [column.field, column.raw])).toEqual([
    ['conversionTimestamp', false],
    ['conversionId', true],
    ['revenueMicros', false],
    ...[undefined, undefined, undefined, undefined],
  ])
  expect([heads.unknown, heads.unused, heads.twice]).toEqual([['Shoe size'], ['Changed (UTC)'], ['revenueMicros']])
  expect(namesColumns(['2026-06-10', '12', 'EUR'])).toBe(false)
})

it('a row becomes the same conversion as in the form', () => {
  const head = ['When', 'Activity', 'Click ID', 'Value', 'Currency', 'Quantity', 'Campaign ID']
  const { body, problems } = readRow(
    { id: 'made', cells: ['2026-06-10 12:34', 'Shoes', 'click', '12,50', 'eur', '2', '77'] },
    terms(head),
  )
  expect(problems).toEqual([])
  expect(body).toEqual({
    ...{ agencyId: '1', advertiserId: '2', engineAccountId: '3', campaignId: '77' },
    ...{ conversionId: 'made', conversionTimestamp: String(Date.UTC(2026, 5, 10, 10, 34)), type: 'TRANSACTION' },
    ...{ segmentationType: 'TRACKING', segmentationName: 'Shoes', clickId: 'click' },
    ...{ revenueMicros: '12500000', currencyCode: 'EUR', quantityMillis: '2000' },
  })
})

it('the header distinguishes API values from typed ones', () => {
  const at = String(Date.UTC(2026, 5, 10))
  const { body, problems } = readRow(
    { id: 'made', cells: [at, '5', '12500000', 'EUR'] },
    terms(['conversionTimestamp', 'segmentationId', 'revenueMicros', 'currencyCode']),
  )
  expect([problems, body['revenueMicros'], body['segmentationId']]).toEqual([[], '12500000', '5'])
  expect(wrong(['Time', 'Activity', 'revenueMicros', 'Currency'], ['2026-06-10', 'a', '12.50', 'EUR'])).toEqual([
    'revenueMicros: Enter a whole number in millionths, such as 12500000 for 12.50',
  ])
})

it('each error names its column and a fix', () => {
  const head = ['Time', 'Activity', 'Type', 'Revenue', 'Currency', 'State']
  expect(wrong(head, ['2026-06-10 12:34', 'a', '', '', '', ''])).toEqual([])
  expect(wrong(head, ['10.06.2026', 'a', '', '', '', ''])).toEqual(['Time: Enter a time such as 2026-06-10 12:34'])
  expect(wrong(head, ['2027-01-01', 'a', '', '', '', ''])).toEqual(['Time: Choose a time in the past'])
  expect(wrong(head, ['#N/A', '#REF!', '', '', '', ''])).toEqual([
    'Time: The spreadsheet couldn’t calculate this cell',
    'Activity: The spreadsheet couldn’t calculate this cell',
  ])
  expect(wrong(head, ['', '', 'Sale', '', '', ''])).toEqual([
    'Time: Enter a time',
    'Type: Enter Action or Transaction',
    'Activity: Choose an activity',
  ])
  expect(wrong(head, ['2026-06-10', 'a', 'Transaction', '', '', ''])).toEqual([
    'Revenue: Enter the revenue of the transaction',
  ])
  expect(wrong(head, ['2026-06-10', 'a', '', '1', 'Euro', ''])).toEqual(['Currency: Enter three letters, such as EUR'])
  expect(wrong(head, ['2026-06-10', 'a', '', '', '', 'Removed'])).toEqual(['State: A new conversion can’t be removed'])
  expect(wrong(head, ['2026-06-10', '', '', '', '', ''], { activity: 'Shoes' })).toEqual([])
  expect(wrong([...head, 'Campaign ID'], ['2026-06-10', 'a', '', '', '', '', 'x1'])).toHaveLength(1)
})

it("a change needs a conversion's key", () => {
  const head = ['Time', 'Conversion ID', 'Type', 'Click ID', 'Revenue', 'Currency', 'State']
  const good = ['2026-06-10', 'a', 'Transaction', 'click', '5', 'EUR', 'Removed']
  expect(wrong(head, good, { kind: 'update' })).toEqual([])
  const { body } = readRow({ id: 'made', cells: good }, terms(head, { kind: 'update' }))
  expect(body).toMatchObject({ conversionId: 'a', clickId: 'click', state: 'REMOVED', revenueMicros: '5000000' })
  expect(wrong(head, ['2026-06-10', '', '', '', '', '', ''], { kind: 'update' })).toEqual([
    'Type: Enter the type, Action or Transaction',
    'Click ID: Enter the click ID or the keyword ID',
    'Conversion ID: Enter an ID',
  ])
})

it('a duplicate conversion is reported with the first row', () => {
  const head = ['Time', 'Activity', 'Conversion ID']
  const rows = [2, 3, 5].map((row) => ({
    ...{ row, id: `made ${row}`, state: 'here' as const },
    cells: ['2026-06-10', 'a', row === 3 ? 'other' : 'same'],
  }))
  const found = readRows(rows, terms(head))
  expect([...found].map(([row, { problems }]) => [row, problems.map(({ words }) => words)])).toEqual([
    [2, []],
    [3, []],
    [5, ['Row 2 has the same ID and time. Skip one of them']],
  ])
  expect(readRows([{ ...rows[0]!, out: true }, rows[2]!], terms(head)).get(5)!.problems).toEqual([])
})

it('an export imports as changes', () => {
  const conversion = {
    ...{ conversionId: 'x', conversionTimestamp: '1781071205283', type: 'TRANSACTION' as const, clickId: 'c' },
    ...{ revenueMicros: '12345678901', currencyCode: 'EUR', quantityMillis: '1500', state: 'ACTIVE' as const },
    ...{ agencyId: '1', advertiserId: '2', engineAccountId: '3', segmentationId: '5', segmentationType: 'TRACKING' },
  }
  const { body, problems } = readRow(
    { id: 'made', cells: conversionCells(conversion) },
    terms(
      conversionColumns.map(({ head }) => head),
      { kind: 'update', now: 1781071205283 + 86_400_000 },
    ),
  )
  expect(problems).toEqual([])
  const { state: _state, ...same } = conversion
  expect(body).toEqual(same)
})

it.each([
  ['2026-06-10T12:34:56.789Z', Date.UTC(2026, 5, 10, 12, 34, 56, 789)],
  ['2026-06-10 12:34:56+02:00', Date.UTC(2026, 5, 10, 10, 34, 56)],
  ['2026-06-10 12:34', Date.UTC(2026, 5, 10, 10, 34)],
  ['46183.5', Date.UTC(2026, 5, 10, 10)],
  ['2026-02-30', undefined],
  ['2026-06-10 25:00', undefined],
  ['6/10/2026', undefined],
])('the time %s', (text, at) => {
  expect(momentOf(text, 'Europe/Berlin')).toBe(at)
})

it('reads amounts as the rest of the app does', () => {
  const head = ['Time', 'Activity', 'Revenue', 'Currency']
  const sent = (revenue: string): unknown =>
    readRow({ id: 'made', cells: ['2026-06-10', 'a', revenue, 'EUR'] }, terms(head)).body['revenueMicros']
  expect(['1,250', '1,250.50', '1.250,50', '12,5', '0,085'].map(sent)).toEqual([
    ...['1250000000', '1250500000', '1250500000', '12500000', '85000'],
  ])
})
