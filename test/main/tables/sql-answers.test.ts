import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TableShape } from '#shared/results/questions'
import { atOnce } from '../../../src-main/report-data/steps'
import { compared } from '../../../src-main/tables/compare'
import { columnFinder } from '../../../src-main/tables/find-column'
import { shaped, type View } from '../../../src-main/tables/shape'
import { statisticsOf } from '../../../src-main/tables/statistics'
import type { ResultTable } from '../../../src-main/report-data/table'
import {
  heads,
  keyHeads,
  named,
  reports,
  startSql,
  sumHeads,
  type Cells,
  type Head,
  type SqlEngine,
} from '../../helpers/sql-tables'
import { cases } from '../../helpers/ring'

/** The app and an SQL engine read and query the same files. Their results must match. */
const numRuns = Number(process.env['FLIGHTPLAN_CASES'] ?? cases(25, 200))
const seed = Number(process.env['FLIGHTPLAN_SEED'] ?? 20_261_122)

let engine: SqlEngine
beforeAll(async () => {
  engine = await startSql()
})
afterAll(() => engine.close())

const always = <T extends unknown[]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...args: T) => Promise<void>,
) =>
  fc.assert((fc.asyncProperty as unknown as (...all: unknown[]) => fc.IAsyncProperty<T>)(...arbitraries, holds), {
    numRuns,
    seed,
  })

const view = (table: ResultTable, shape: Partial<TableShape>): View =>
  atOnce(shaped(table, { filters: [], group: [], sort: [], ...shape }))

/** A cell as in SQL: text, or a number in the column's unit; null if empty. */
function valueAt(
  { table }: { table: Pick<ResultTable, 'columns'> },
  head: string,
  row: number,
): string | number | null {
  const column = columnFinder(table.columns)(head)
  if (column.form === 'number') return column.gaps?.[row] ? null : column.values[row]!
  const text = column.text(row)
  return ['', '(not set)', '---'].includes(text) ? null : text
}
const plain = (value: unknown): string | number | null =>
  typeof value === 'bigint' ? Number(value) : (value as string | number | null)
/** IDs are text here and numbers there. */
const sqlKey = (head: Head): string => named(`text:${head}`)
const close = (ours: number | null, theirs: number | null): boolean =>
  ours === null || theirs === null ? ours === theirs : Math.abs(ours - theirs) <= Math.abs(theirs) * 1e-12
const collated = (head: Head): string => {
  const digits = `CASE WHEN regexp_full_match(part, '[0-9]+') THEN lpad(ltrim(part, '0'), 40, '0') ELSE part END`
  const parts = `list_transform(regexp_extract_all(${named(head)}, '[0-9]+|[^0-9]+'), lambda part: ${digits})`
  return `icu_sort_key(array_to_string(${parts}, ''), 'en')`
}
const textHeads: readonly Head[] = ['Campaign', 'Site']

describe('results match SQL', () => {
  it('unchanged', () =>
    always<[Cells]>([reports(false)], async (rows) => {
      const { table, sql } = await engine.load(rows)
      expect(table.length).toBe(rows.length)
      for (const head of heads) {
        const found = await sql(
          `SELECT ${head === 'Campaign ID' ? sqlKey(head) : named(head)}, ${sqlKey(head)} FROM t ORDER BY row_at`,
        )
        for (const [at, [value, text]] of found.entries()) {
          const gap = ['', '(not set)', '---'].includes(String(text))
          expect([head, valueAt({ table }, head, at)]).toEqual([head, gap ? null : plain(value)])
          expect(columnFinder(table.columns)(head).text(at)).toBe(text)
        }
      }
    }))

  it('sorted by one, two, or three columns, in both directions', () => {
    const key = fc.record({ column: fc.constantFrom(...heads), descending: fc.boolean() })
    const keys = fc.uniqueArray(key, { selector: ({ column }) => column, minLength: 1, maxLength: 3 })
    return always<[Cells, { column: Head; descending: boolean }[]]>(
      [fc.oneof(reports(false), reports(true)), keys],
      async (rows, sort) => {
        const { table, sql } = await engine.load(rows)
        const by = sort.flatMap(({ column, descending }) => {
          const way = descending ? 'DESC' : 'ASC'
          const values = textHeads.includes(column) ? [collated(column), named(column)] : [named(column)]
          return [named(`gap:${column}`), ...values.map((value) => `${value} ${way}`)]
        })
        const order = (await sql(`SELECT row_at FROM t ORDER BY ${[...by, 'row_at'].join(', ')}`)).map(([at]) =>
          Number(at),
        )
        expect([...view(table, { sort }).rows]).toEqual(order)
      },
    )
  })

  it('with every type of filter', () => {
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom('a', 'ß', 'b', 'two\nlines', '', '(not set)', '---', '👍', '12', 'ab', 'ΟΔΟΣ', '10.00'),
        fc.string({ maxLength: 2 }),
      ),
      { maxLength: 3 },
    )
    const part = fc.constantFrom('a', 'B', 'Σ', 'ος', '1', '"', '\n', 'Ä', '%', '_', '.', '-', '', 'not', '👩')
    const bound = fc.option(
      fc.oneof(
        fc.integer({ min: -10, max: 20_000 }),
        fc.integer({ min: 2 ** 31, max: 2 ** 40 }),
        fc.constantFrom(0, 0.25, 24_231),
      ),
      { nil: undefined },
    )
    const condition = fc.oneof(
      fc.record({ how: fc.constantFrom('is' as const, 'isNot' as const), texts }),
      fc.record({ how: fc.constantFrom('contains' as const, 'containsNot' as const), text: part }),
      fc.record({ how: fc.constant('between' as const), from: bound, to: bound }),
    )
    const filter = fc.record({ column: fc.constantFrom(...heads), condition })
    return always<[Cells, { column: Head; condition: TableShape['filters'][number]['condition'] }[]]>(
      [fc.oneof(reports(false), reports(true)), fc.array(filter as never, { minLength: 1, maxLength: 2 })],
      async (rows, filters) => {
        const { table, sql } = await engine.load(rows)
        const folded = (text: string): string => `replace(lower(${text}), 'ς', 'σ')`
        const quoted = (text: string): string => folded(`'${text.replaceAll("'", "''")}'`)
        const where = filters.map(({ column, condition: one }) => {
          const cell = folded(named(`text:${column}`))
          if (one.how === 'between') {
            if (textHeads.includes(column) || column === 'Campaign ID') return 'false'
            const ends = [
              ...(one.from === undefined ? [] : [`${named(column)} >= ${one.from}`]),
              ...(one.to === undefined ? [] : [`${named(column)} <= ${one.to}`]),
            ]
            return [`${named(`gap:${column}`)} = 0`, ...ends].join(' AND ')
          }
          if ('texts' in one) {
            const among = one.texts.length > 0 ? `${cell} IN (${one.texts.map(quoted).join(', ')})` : 'false'
            return one.how === 'is' ? among : `NOT (${among})`
          }
          const holds = `contains(${cell}, ${quoted(one.text)})`
          return one.how === 'contains' ? holds : `NOT ${holds}`
        })
        const found = (
          await sql(`SELECT row_at FROM t WHERE ${where.map((one) => `(${one})`).join(' AND ')} ORDER BY row_at`)
        ).map(([at]) => Number(at))
        expect([...view(table, { filters }).rows]).toEqual(found)
      },
    )
  })

  const by = fc.uniqueArray(fc.constantFrom(...keyHeads), { minLength: 1, maxLength: 3 })
  const sums = sumHeads.map((head) => `CAST(sum(${named(head)}) AS DOUBLE)`).join(', ')
  const rate = `CAST(sum("Clicks") AS DOUBLE) / nullif(sum("Impressions"), 0)`
  const alone = `CASE WHEN count(*) = 1 THEN any_value("Unique Reach: Total Reach") END`

  it('grouped by one, two, or three columns', () =>
    always<[Cells, (typeof keyHeads)[number][]]>([reports(true), by], async (rows, group) => {
      const { table, sql } = await engine.load(rows)
      const made = view(table, { group })
      const keys = group.map(sqlKey).join(', ')
      const found = await sql(`SELECT ${keys}, ${sums}, ${rate}, ${alone} FROM t GROUP BY ${keys} ORDER BY min(row_at)`)
      const find = columnFinder(made.all)
      expect(made.rows.length).toBe(found.length)
      for (const [at, answer] of found.entries()) {
        expect(group.map((head) => find(head).text(at))).toEqual(answer.slice(0, group.length))
        const theirs = answer.slice(group.length).map(plain)
        const heads = [...sumHeads, 'Click Rate', 'Unique Reach: Total Reach']
        const ours = heads.map((head) => valueAt({ table: { columns: made.all } }, head, at))
        heads.forEach((head, place) =>
          expect([
            head,
            ours[place],
            theirs[place],
            close(ours[place] as number | null, theirs[place] as number | null),
          ]).toEqual([head, ours[place], theirs[place], true]),
        )
      }
    }))

  it('combined, in a filtered total', () =>
    always<[Cells, string]>([reports(true), fc.constantFrom('a', 'b', 'ab', '(not set)')], async (rows, site) => {
      const { table, sql } = await engine.load(rows)
      const made = view(table, {
        filters: [{ column: 'Site', condition: { how: 'is', texts: [site] } }],
        columns: [...sumHeads],
      })
      const where = `WHERE lower(${sqlKey('Site')}) = '${site}'`
      const [found] = await sql(`SELECT ${sums} FROM t ${where}`)
      const money = (text: string, head: string): number | null =>
        /\d/.test(text) ? Math.round(Number(text) * (head === 'Media Cost' ? 1e6 : 1)) : null
      expect(sumHeads.map((head, at) => money(made.total[at]!, head))).toEqual(found!.map(plain))
    }))

  it('in statistics', () =>
    always<[Cells, Head]>([fc.oneof(reports(false), reports(true)), fc.constantFrom(...heads)], async (rows, head) => {
      const { table, sql } = await engine.load(rows)
      const { all, rows: shown } = view(table, {})
      const stats = atOnce(statisticsOf(columnFinder(all)(head), all, shown))
      const own = named(head)
      const [counts] = await sql(
        `SELECT count(*), count(*) - count(${own}), count(DISTINCT ${sqlKey(head)}) FILTER (${own} IS NOT NULL) FROM t`,
      )
      expect([stats.rows, stats.missing, stats.distinct]).toEqual(counts!.map(plain))
      const frequent = await sql(
        `SELECT any_value(${sqlKey(head)}), count(*) FROM t WHERE ${own} IS NOT NULL GROUP BY ${own} ORDER BY count(*) DESC, min(row_at) LIMIT 10`,
      )
      expect(stats.frequent.map(({ text, rows }) => [text, rows])).toEqual(
        frequent.map(([text, rows]) => [text, plain(rows)]),
      )
      if (textHeads.includes(head) || head === 'Campaign ID') return void expect(stats.least).toBeUndefined()
      const ends = await sql(`SELECT ${sqlKey(head)} FROM t WHERE ${own} IS NOT NULL ORDER BY ${own}`)
      expect([stats.least, stats.most]).toEqual([ends[0]?.[0], ends.at(-1)?.[0]])
      const units = (text: string | undefined): number | null =>
        text === undefined ? null : text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
      const scale = head === 'Media Cost' ? 1e6 : 1
      const half = head === 'Media Cost' ? 0.5e-6 : head === 'Click Rate' ? 0.5e-6 : 0.005
      const near = (text: string | undefined, theirs: unknown): void => {
        const [ours, value] = [units(text), theirs === null ? null : Number(theirs) / scale]
        if (ours === null || value === null) expect(ours).toBe(value)
        else expect(Math.abs(ours - value)).toBeLessThanOrEqual(half + Math.abs(value) * 1e-12)
      }
      const dated = head === 'Date' || head === 'Month'
      const middle = dated ? 'quantile_disc' : 'quantile_cont'
      if (dated) {
        const [found] = await sql(
          `SELECT (SELECT any_value(${sqlKey(head)}) FROM t WHERE ${own} = (SELECT ${middle}(${own}, 0.5) FROM t))`,
        )
        expect(stats.median ?? null).toBe(found![0])
        return void expect(stats.mean).toBeUndefined()
      }
      const [found] = await sql(
        `SELECT ${middle}(CAST(${own} AS DOUBLE), 0.5), avg(CAST(${own} AS DOUBLE)), ${rate} FROM t`,
      )
      near(stats.median, found![0])
      if (head === 'Unique Reach: Total Reach') expect(stats.mean).toBeUndefined()
      else near(stats.mean, head === 'Click Rate' ? (found![0] === null ? null : found![2]) : found![1])
    }))

  it('pivoted by a column', () => {
    const pair = fc.uniqueArray(fc.constantFrom(...keyHeads), { minLength: 2, maxLength: 2 })
    return always<[Cells, (typeof keyHeads)[number][], string]>(
      [reports(true), pair, fc.constantFrom(...sumHeads, 'Click Rate')],
      async (rows, [down, over], metric) => {
        const { table, sql } = await engine.load(rows)
        const made = view(table, { group: [down!], pivot: { column: over!, figure: metric } })
        const sum = metric === 'Click Rate' ? rate : `CAST(sum(${named(metric)}) AS DOUBLE)`
        const found = await sql(`SELECT ${sqlKey(down!)}, ${sqlKey(over!)}, ${sum} FROM t GROUP BY ALL`)
        const across = new Set(found.map(([, value]) => String(value) || '(empty)'))
        const [key, whole, ...spread] = made.columns
        expect(new Set(spread.map(({ about }) => about.head))).toEqual(across)
        const isDay = down === 'Date' || down === 'Month'
        const gaps = `list_position(['', '(not set)', '---'], ${sqlKey(down!)})`
        const order = isDay ? `min(${named(down)}) NULLS LAST, ${gaps}, min(row_at)` : 'min(row_at)'
        const totals = await sql(`SELECT ${sqlKey(down!)}, ${sum} FROM t GROUP BY 1 ORDER BY ${order}`)
        expect([...made.rows].map((row) => key!.text(row))).toEqual(totals.map(([text]) => text))
        const wanted = new Map(
          found.map(([left, top, value]) => [JSON.stringify([left, String(top) || '(empty)']), plain(value)]),
        )
        for (const [at, row] of [...made.rows].entries())
          for (const column of [whole!, ...spread]) {
            const theirs =
              column === whole
                ? totals[at]![1]
                : (wanted.get(JSON.stringify([key!.text(row), column.about.head])) ?? null)
            const ours = valueAt({ table: { columns: [column] } }, column.about.head, row)
            expect([ours, theirs, close(ours as number | null, theirs as number | null)]).toEqual([ours, theirs, true])
          }
      },
    )
  })

  it('compared by outer join', () =>
    always<[Cells, Cells, (typeof keyHeads)[number][]]>(
      [reports(true), reports(true), by],
      async (first, second, group) => {
        const [a, b] = [await engine.load(first, 'a'), await engine.load(second, 'b')]
        const made = atOnce(compared(a.table, b.table, group))
        const keys = group.map(sqlKey).join(', ')
        const side = (name: string): string =>
          `(SELECT ${keys}, 1 AS there, ${sumHeads.map((head) => `CAST(sum(${named(head)}) AS DOUBLE) AS ${named(head)}`).join(', ')}, ${rate} AS "Click Rate" FROM ${name} GROUP BY ${keys}) ${name}`
        const wanted = [...sumHeads, 'Click Rate']
        const sides = wanted.flatMap((head) => [`a.${named(head)}`, `b.${named(head)}`])
        const found = await a.sql(
          `SELECT ${group.map((head) => `coalesce(a.${sqlKey(head)}, b.${sqlKey(head)})`).join(', ')}, ${sides.join(', ')} FROM ${side('a')} FULL OUTER JOIN ${side('b')} USING (${keys})`,
        )
        const find = columnFinder(made.columns)
        const ours = Array.from(
          { length: made.length },
          (_, row) =>
            [
              JSON.stringify(group.map((head) => find(head).text(row))),
              wanted.flatMap((head) =>
                ['before', 'after', 'change', '% change'].map((what) =>
                  valueAt({ table: made }, `${head} · ${what}`, row),
                ),
              ),
            ] as const,
        )
        const theirs = new Map(
          found.map((row) => [
            JSON.stringify(row.slice(0, group.length)),
            wanted.flatMap((head, at) => {
              const [before, after] = row.slice(group.length + 2 * at).map((one) => plain(one ?? null)) as [
                number | null,
                number | null,
              ]
              const none = head === 'Click Rate' ? before === null || after === null : before === null && after === null
              const change = none ? null : (after ?? 0) - (before ?? 0)
              // A percentage of a negative base would have the wrong sign.
              return [before, after, change, change === null || !before || before < 0 ? null : change / before]
            }),
          ]),
        )
        expect(new Set(ours.map(([key]) => key))).toEqual(new Set(theirs.keys()))
        for (const [key, values] of ours) {
          const other = theirs.get(key)!
          const wrong = values.findIndex((one, at) => !close(one as number | null, other[at]!))
          expect([key, wrong, values[wrong], other[wrong]]).toEqual([key, -1, undefined, undefined])
        }
      },
    ))
})
