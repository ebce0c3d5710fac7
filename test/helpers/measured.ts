// A setup file of every project: when a run asks for it, measures each file and how long of that it computes.
import { relative, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { measureFor, note } from './measures'

const root = resolve(import.meta.dirname, '../..')

if (process.env['FLIGHTPLAN_MEASURES'] !== undefined) {
  let began = 0
  let cpu = process.cpuUsage()
  beforeAll(() => {
    measureFor(relative(root, expect.getState().testPath ?? ''))
    began = systemClock.elapsed()
    cpu = process.cpuUsage()
  })
  afterAll(() => {
    const { user, system } = process.cpuUsage(cpu)
    note({ kind: 'file', ms: systemClock.elapsed() - began, busy: (user + system) / 1_000 })
  })
}
