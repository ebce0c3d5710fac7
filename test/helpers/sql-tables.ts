import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { readReportFile } from '../../src-main/report-data/read-file'
import type { ResultTable } from '../../src-main/report-data/table'

/** Columns of the generated reports: their headers, and how SQL reads a nonempty cell. */
const columns = {
  Campaign: 'cell',
  'Campaign ID': 'CAST(cell AS HUGEINT)',
  Site: 'cell',
  Date: "date_diff('day', DATE '1970-01-01', CAST(cell AS DATE))",
  Month: "CAST(split_part(cell, '-', 1) AS INT) * 12 + CAST(split_part(cell, '-', 2) AS INT) - 1",
  Impressions: 'CAST(cell AS BIGINT)',
  Clicks: 'CAST(cell AS BIGINT)',
  'Media Cost': 'CAST(CAST(cell AS DECIMAL(30,6)) * 1000000 AS BIGINT)',
  'Click Rate': "CAST(CAST(replace(cell, '%', '') AS DECIMAL(12,4)) * 10000 AS BIGINT) / 1000000",
  'Unique Reach: Total Reach': 'CAST(cell AS BIGINT)',
} as const
export type Head = keyof typeof columns
export const heads = Object.keys(columns) as readonly Head[]
export const keyHeads = ['Campaign', 'Campaign ID', 'Site', 'Date', 'Month'] as const
export const sumHeads = ['Impressions', 'Clicks', 'Media Cost'] as const

/** Cells by row, in the order of `heads`. */
export type Cells = readonly (readonly string[])[]

const gap = fc.constantFrom('', '(not set)', '---')
const withGaps = (cell: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: cell, weight: 6 }, { arbitrary: gap, weight: 1 })
const day = fc.integer({ min: 18_000, max: 18_040 })
const iso = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)
const hazards = [
  ...[
    'say "no"',
    'two\nlines',
    'two\r\nlines',
    'a,b',
    ' lead',
    'trail ',
    'tab\tbed',
    "'=1",
    '=1+1',
    '-5',
    '0123',
    'null',
  ],
  ...[
    'A9',
    'a10',
    'A10',
    'a9',
    'Ä',
    'A\u0308',
    'ä',
    'z',
    'Z',
    'ß',
    'SS',
    'ΟΔΟΣ',
    'οδοσ',
    'Οδος 2',
    '👩‍👩‍👧‍👦',
    '🇪🇺',
    'שלום',
    '東京',
    'Ünï 10',
    'Ünï 9',
  ],
]
/** Texts that are valid in SQL and don't end a row. */
const name = fc.oneof(
  fc.constantFrom(...hazards),
  fc.string({ unit: fc.constantFrom('a', 'B', 'c', '1', '2', ' ', '-', 'é'), maxLength: 6 }),
)
const few = fc.constantFrom('a', 'B', 'Ab', 'two\nlines', 'ß', '👍')
const count = fc.oneof(fc.nat(9), fc.nat(100_000), fc.integer({ min: 2 ** 31, max: 2 ** 40 })).map(String)
const money = fc
  .tuple(fc.integer({ min: -(10 ** 6), max: 10 ** 6 }), fc.nat(999_999), fc.integer({ min: 2, max: 6 }))
  .map(([whole, micros, decimals]) => `${whole}.${String(micros).padStart(6, '0').slice(0, decimals)}`)
  .map((text) => text.replace(/(\.\d\d\d*?)0+$/, '$1').replace(/^-0\.0+$/, '0.00'))
const rate = fc.nat(1_000_000).map((one) => `${(one / 10_000).toFixed(4)}%`)
const id = fc
  .oneof(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }))
  .map(String)

/** Reports with all possible cells. `repeating`: few distinct keys, so that rows form groups. */
export const reports = (repeating: boolean): fc.Arbitrary<Cells> =>
  fc.array(
    fc.tuple(
      withGaps(repeating ? few : name),
      withGaps(repeating ? fc.constantFrom('9007199254740993', '9007199254740992', '12') : id),
      withGaps(few),
      withGaps((repeating ? day.map((one) => 18_000 + (one % 3)) : day).map(iso)),
      withGaps(day.map((one) => iso(one).slice(0, 7))),
      withGaps(count),
      withGaps(count),
      withGaps(money),
      withGaps(rate),
      withGaps(count),
    ),
    { maxLength: 40 },
  )

/** The report as a file of the trafficking service. */
function fileOf(rows: Cells): string {
  const total = ['Grand Total:', ...heads.slice(1).map(() => '---')]
  const lines = stringify([[...heads], ...rows.map((row) => [...row]), total], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  })
  return `Figures\r\nDate Range,2019-04-14 - 2019-05-24\r\n\r\nReport Fields\r\n${lines}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** Quotes an SQL name. */
export const named = (head: string): string => `"${head}"`

export interface SqlTable {
  /** The file as the app reads it. */
  table: ResultTable
  /**
   * Queries the other engine. Its table has `row_at` (from 0) and for each header the value, `text:` the cell, and `gap:` 0 or
   * the kind of gap.
   */
  sql(query: string): Promise<unknown[][]>
}

export interface SqlEngine {
  /** Reads a file with both engines into a table of this name. */
  load(rows: Cells, name?: string): Promise<SqlTable>
  close(): Promise<void>
}

/** Starts another engine to verify results. */
export async function startSql(): Promise<SqlEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-sql-'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const sql = async (query: string): Promise<unknown[][]> => (await connection.runAndReadAll(query)).getRowsJS()
  return {
    load: async (rows, name = 't') => {
      const path = join(folder, `${name}.csv`)
      await writeFile(path, fileOf(rows))
      const struct = heads.map((head) => `${quoted(head)}: 'VARCHAR'`).join(', ')
      const read = `read_csv(${quoted(path)}, auto_detect=false, header=false, skip=5, delim=',', quote='"', escape='"',
        nullstr=${quoted('\u0001')}, parallel=false, columns={${struct}})`
      const typed = heads.map((head) => {
        const cell = named(head)
        const which = `CASE ${cell} WHEN '' THEN 1 WHEN '(not set)' THEN 2 WHEN '---' THEN 3 ELSE 0 END`
        const value = `CASE WHEN ${which} = 0 THEN ${columns[head].replaceAll('cell', cell)} END`
        return `${cell} AS ${named(`text:${head}`)}, ${which} AS ${named(`gap:${head}`)}, ${value} AS ${named(`value:${head}`)}`
      })
      const renamed = heads.map(
        (head) => `${named(`value:${head}`)} AS ${named(head)}, ${named(`text:${head}`)}, ${named(`gap:${head}`)}`,
      )
      await sql(`CREATE OR REPLACE TABLE ${name} AS SELECT row_at, ${renamed.join(', ')} FROM (
        SELECT row_number() OVER () - 1 AS row_at, ${typed.join(', ')} FROM ${read} WHERE ${named('Campaign')} <> 'Grand Total:')`)
      return { table: await readReportFile(path), sql }
    },
    close: async () => {
      connection.closeSync()
      instance.closeSync()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
