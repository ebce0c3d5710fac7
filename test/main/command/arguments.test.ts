import { describe, expect, it } from 'vitest'
import { readArguments, UsageError } from '../../../src-main/command/arguments'

const read = (line: string): ReturnType<typeof readArguments> => readArguments(line === '' ? [] : line.split(' '))

describe('the command line', () => {
  it.each([
    ['--list', { what: 'list', account: 'sandbox', json: false }],
    ['--account sandbox --list --json --quiet', { what: 'list', json: true, quiet: true }],
    [
      '--report Delivery --out a.csv',
      { what: 'report', report: 'Delivery', latest: false, timeout: 60, output: { format: 'csv', dialect: 'plain' } },
    ],
    [
      '--file in.csv --out OUT.XLSX --filter Campaign=A=B --filter Site= --filter campaign=C --group Campaign,Date,campaign --sort Clicks:desc --sort Date',
      {
        what: 'file',
        output: {
          format: 'xlsx',
          shape: {
            filters: [
              { column: 'Campaign', condition: { how: 'is', texts: ['A=B', 'C'] } },
              { column: 'Site', condition: { how: 'is', texts: [''] } },
            ],
            group: ['Campaign', 'Date'],
            sort: [
              { column: 'Clicks', descending: true },
              { column: 'Date', descending: false },
            ],
          },
        },
      },
    ],
    ['--template Pacing --out a.csv', { what: 'report', starter: 'pacing' }],
    ['--starter Pacing --out a.csv', { what: 'report', starter: 'pacing' }],
    ['--report x --out a.csv --range last-30-days', { report: 'x', days: { relativeDateRange: 'LAST_30_DAYS' } }],
    [
      '--report x --out a.csv --from 2026-10-01 --to 2026-10-31',
      { days: { startDate: '2026-10-01', endDate: '2026-10-31' } },
    ],
    ['--help', { what: 'help' }],
    ['--version --list', { what: 'version' }],
  ])('%s', (line, order) => {
    expect(read(line)).toMatchObject(order)
  })

  it("accepts a template's former name", () => {
    expect(readArguments(['--template', 'Where, on what', '--out', 'a.csv'])).toMatchObject({ starter: 'where' })
  })

  it.each([
    ['', 'Specify --list'],
    ['--list --report x', 'Use only one of'],
    ['--report x --out a.csv --out b.csv', 'Use --out only once.'],
    ['--list --out a.csv', '--out can’t be used with --list'],
    ['--report x', 'Missing --out PATH'],
    ['--report x --out a.doc', '--out must end with .csv'],
    ['--report x --out a.csv --timeout soon', '--timeout must be'],
    ['--report x --out a.pdf --dialect plain', '--dialect works only with .csv and .tsv'],
    ['--report x --out a.csv --dialect loud', '--dialect must be plain, spreadsheet, or raw'],
    ['--report x --out a.csv --dialect raw --group A', '--dialect raw saves the file from the service'],
    ['--report x --out a.csv --filter A', '--filter must be COLUMN=VALUE'],
    ['--file a.csv --out b.csv --latest', '--latest can’t be used with --file'],
    ['--template pacing --starter pacing --out a.csv', 'Use only one of --template, --starter'],
    ['--template Nothing --out a.csv', 'Unknown template “Nothing”. Available: Delivery by campaign'],
    ['--template pacing --out a.csv --latest', '--template can’t be used with --latest'],
    ['--report x --out a.csv --latest --range yesterday', '--from, --to, and --range can’t be used with --latest'],
    ['--report x --out a.csv --from 2026-10-01', 'Use --from and --to together'],
    ['--report x --out a.csv --from 2026-10-32 --to 2026-11-01', 'Invalid date “2026-10-32”'],
    ['--report x --out a.csv --from 2026-11-02 --to 2026-11-01', '--from is after --to'],
    ['--report x --out a.csv --range someday', '--range must be one of today, yesterday'],
    ['--list --from 2026-11-01', '--from can’t be used with --list'],
    ['--everything', 'Unknown option'],
    ['--list more', /^Unexpected argument 'more'$/],
  ])('%j is an error', (line, words) => {
    expect(() => read(line)).toThrow(UsageError)
    expect(() => read(line)).toThrow(words)
  })
})
