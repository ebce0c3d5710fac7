// A setup file of every project: on request, measures each file's time, and the processor time of its process and all below.
import { relative, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { measureFor, note } from './measures'
import { processorTime } from './processor-time'

const root = resolve(import.meta.dirname, '../..')

if (process.env['FLIGHTPLAN_MEASURES'] !== undefined) {
  let began = 0
  let cpu = process.cpuUsage()
  let all = 0
  beforeAll(() => {
    measureFor(relative(root, expect.getState().testPath ?? ''))
    began = systemClock.elapsed()
    cpu = process.cpuUsage()
    all = processorTime(process.pid)
  })
  afterAll(() => {
    const { user, system } = process.cpuUsage(cpu)
    const busy = (user + system) / 1_000
    note({
      kind: 'file',
      ms: systemClock.elapsed() - began,
      busy,
      // A process whose parent was killed takes its time along.
      processor: Math.max(busy, processorTime(process.pid) - all),
    })
  })
}
