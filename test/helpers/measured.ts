// A setup file of every project: on request, measures each file's time and how much of it is computing.
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
