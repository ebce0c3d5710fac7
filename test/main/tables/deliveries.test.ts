import fc from 'fast-check'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlacementDays } from '#shared/results/questions'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { atOnce } from '../../../src-main/report-data/steps'
import type { ResultTable } from '../../../src-main/report-data/table'
import { deliveriesOf } from '../../../src-main/tables/deliveries'
import { folderForFile } from '../../helpers/for-file'

const folder = folderForFile('deliveries-')

let files = 0
async function tableOf(lines: readonly string[]): Promise<ResultTable> {
  const path = join(folder, `${files++}.csv`)
  await writeFile(path, `${lines.join('\r\n')}\r\n`)
  return readReportFile(path)
}
const header = 'Date,Site,Placement,Placement ID,Impressions,Clicks,Media Cost'

/** Sums by placement and day, computed separately. */
const written = ({ ids, starts, days, metrics }: PlacementDays): Record<string, number[]> =>
  Object.fromEntries(
    ids.flatMap((id, at) =>
      Array.from({ length: starts[at + 1]! - starts[at]! }, (_, step): [string, number[]] => {
        const place = starts[at]! + step
        const date = new Date(days[place]! * 86_400_000).toISOString().slice(0, 10)
        const { impressions, clicks, cost } = metrics
        return [`${id} ${date}`, [impressions[place]!, clicks?.[place] ?? -1, cost?.[place] ?? -1]]
      }),
    ),
  )

describe('deliveries from a file', () => {
  it('sum its rows by placement and day, in any order', async () => {
    const row = fc.record({
      day: fc.constantFrom('2026-03-01', '2026-03-02', '2026-02-28', '(not set)'),
      id: fc.constantFrom('7', '12', '900719925474099312', '(not set)'),
      site: fc.constantFrom('a', 'b'),
      impressions: fc.nat(1_000),
      clicks: fc.nat(9),
      cents: fc.nat(500),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        const expected: Record<string, number[]> = {}
        for (const { day, id, impressions, clicks, cents } of rows) {
          if (day === '(not set)' || id === '(not set)') continue
          const sum = (expected[`${id} ${day}`] ??= [0, 0, 0])
          sum[0]! += impressions
          sum[1]! += clicks
          sum[2] = Math.round(sum[2]! * 100 + cents) / 100
        }
        const table = await tableOf([
          header,
          // A day that's always present, so that the column has the date type.
          '2026-03-01,a,zero,1,0,0,0.00',
          ...rows.map(
            (one) =>
              `${one.day},${one.site},p${one.id},${one.id},${one.impressions},${one.clicks},${(one.cents / 100).toFixed(2)}`,
          ),
        ])
        const found = atOnce(deliveriesOf(table))
        const { '1 2026-03-01': _zero, ...days } = written(found)
        expect(
          Object.fromEntries(Object.entries(days).map(([key, [i, c, m]]) => [key, [i, c, Math.round(m! * 100) / 100]])),
        ).toEqual(expected)
        expect(found.left).toBe(rows.filter(({ day, id }) => day === '(not set)' || id === '(not set)').length)
        expect(found.names).toEqual(found.ids.map((id) => (id === '1' ? 'zero' : `p${id}`)))
        for (const [at, from] of [...found.starts].slice(0, -1).entries()) {
          const own = [...found.days.subarray(from, found.starts[at + 1])]
          expect(own).toEqual([...new Set(own)].sort((a, b) => a - b))
        }
      }),
      { numRuns: 40 },
    )
  })

  it("need a day, a placement ID, and impressions, and name what's missing", async () => {
    const table = await tableOf(['Week,Site,Placement,Impressions', '2026-03-02,a,b,5'])
    expect(() => atOnce(deliveriesOf(table))).toThrow(/because Date and Placement ID are missing\./)
    const clicks = await tableOf(['Date,Placement ID,Clicks', '2026-03-02,1,5'])
    expect(() => atOnce(deliveriesOf(clicks))).toThrow(/because Impressions is missing\./)
  })

  it('over too many days are rejected', async () => {
    const table = await tableOf([header, '2026-03-01,a,b,1,5,0,0', '2026-03-02,a,b,1,5,0,0'])
    expect(() => atOnce(deliveriesOf(table, 1))).toThrow(/2 rows of placements by day/)
    expect(written(atOnce(deliveriesOf(table, 2)))).toEqual({ '1 2026-03-01': [5, 0, 0], '1 2026-03-02': [5, 0, 0] })
  })

  it("separate single activities' conversions from all", async () => {
    const path = join(folder, 'activities.csv')
    const lines = [
      'Date,Placement ID,Impressions,Total Conversions,77: Total Conversions,78: Total Conversions',
      '2026-03-01,1,100,9,2,4',
      '2026-03-01,1,100,5,1,3',
      '2026-03-02,1,100,1,0,1',
    ]
    await writeFile(path, `${lines.join('\r\n')}\r\n`)
    const metric = (field: string, activity?: string) => ({ field, metric: true, ...(activity && { activity }) })
    const planned = [
      { field: 'date', metric: false },
      { field: 'placementId', metric: false },
      metric('impressions'),
      metric('totalConversions'),
      metric('totalConversions', '77'),
      metric('totalConversions', '78'),
    ]
    const { metrics, activities } = atOnce(deliveriesOf(await readReportFile(path, { planned })))
    expect([...metrics.conversions!]).toEqual([14, 1])
    expect([...activities['77']!]).toEqual([3, 0])
    expect([...activities['78']!]).toEqual([7, 1])
    // One activity's columns differ from those of all.
    const [, , ...some] = planned
    const only = [planned[0]!, planned[1]!, some[0]!, some[2]!]
    await writeFile(path, 'Date,Placement ID,Impressions,77: Total Conversions\r\n2026-03-01,1,100,2\r\n')
    const one = atOnce(deliveriesOf(await readReportFile(path, { planned: only })))
    expect([one.metrics.conversions, [...one.activities['77']!]]).toEqual([undefined, [2]])
  })

  it('of an empty file are empty', async () => {
    const table = await tableOf([header])
    expect(atOnce(deliveriesOf(table))).toMatchObject({ ids: [], left: 0 })
  })
})
