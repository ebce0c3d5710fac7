import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { DailyDelivery } from '#shared/pacing/pacing'
import { hasPace, pacingRows } from '#shared/pacing/pacing-rows'
import { convert, deliver, momentAt } from '../../../../src-main/sandbox/reporting/delivery'
import { measureIndex as at, newSums } from '../../../../src-main/sandbox/reporting/measures'
import { readTree } from '../../../../src-main/sandbox/reporting/tree'
import { Store } from '../../../../src-main/sandbox/store'
import { objectsOf } from '../../../../src-main/sandbox/trafficking/objects'
import { connect } from '../client'

const now = Date.parse('2026-06-10T08:00:00Z')

it('most sample bookings are near their plan, and a few are not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightplan-pacing-'))
  const { sandbox } = await connect({ seed: 'demo', now: () => now, dataDir })
  await sandbox.stop()
  const store = new Store(dataDir, () => now)
  const list = (collection: string): JsonObject[] => [...objectsOf(store).list(collection)]
  const tree = readTree(list)
  const moment = momentAt(now)
  const daysOf = (id: string, activityId?: string): DailyDelivery[] => {
    const days: DailyDelivery[] = []
    const sums = newSums()
    for (const cell of tree.cells.filter(({ placement }) => placement?.id === id))
      for (let day = cell.from; day <= Math.min(cell.to, moment.today - 1); day++) {
        if (!deliver(cell, day, moment, sums)) continue
        const [impressions, viewable, clicks] = [sums[at.impressions]!, sums[at.viewable]!, sums[at.clicks]!]
        let conversions = 0
        cell.activities.forEach((activity, index) => {
          if (activity.id === activityId && convert(cell, activity, index, day, sums, sums))
            conversions += sums[at.clickConversions]! + sums[at.viewConversions]!
        })
        days.push({ day, impressions, viewable, clicks, conversions })
      }
    return days
  }
  const rows = pacingRows(list('placements'), list('placementGroups'), { from: 0, asOf: moment.today - 1 }, daysOf)
  const judged = rows.filter((row) => hasPace(row) && (row.pacing.pace ?? 0) > 0)
  const near = judged.filter(({ pacing }) => pacing.pace! >= 0.8 && pacing.pace! <= 1.2)
  expect(near.length / judged.length).toBeGreaterThan(0.75)
  expect(near.length).toBeLessThan(judged.length)
})
