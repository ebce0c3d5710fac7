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
      '--file in.csv --out OUT.XLSX --filter Campaign=A=B --filter Site= --filter campaign=C --group Campaign,Date --sort Clicks:desc --sort Date',
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
    ['--help', { what: 'help' }],
    ['--version --list', { what: 'version' }],
  ])('%s', (line, order) => {
    expect(read(line)).toMatchObject(order)
  })

  it.each([
    ['', 'Say what is wanted'],
    ['--list --report x', 'Only one of'],
    ['--list --out a.csv', '--out has no meaning with --list'],
    ['--report x', 'Say where to write'],
    ['--report x --out a.doc', '--out has to end with .csv'],
    ['--report x --out a.csv --timeout soon', '--timeout is minutes'],
    ['--report x --out a.pdf --dialect plain', '--dialect is for .csv and .tsv'],
    ['--report x --out a.csv --dialect loud', '--dialect is plain, spreadsheet or raw'],
    ['--report x --out a.csv --dialect raw --group A', '--dialect raw is what the service wrote'],
    ['--report x --out a.csv --filter A', '--filter is COLUMN=VALUE'],
    ['--file a.csv --out b.csv --latest', '--latest has no meaning with --file'],
    ['--everything', 'Unknown option'],
    ['--list more', 'Unexpected argument'],
  ])('%j is a mistake', (line, words) => {
    expect(() => read(line)).toThrow(UsageError)
    expect(() => read(line)).toThrow(words)
  })
})
