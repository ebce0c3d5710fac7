import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { tableOf } from '#shared/wire/services'
import { reportOfStarter, starters } from '#shared/facts/report-starters'
import type { JsonObject } from '#shared/json'
import type { Definition } from '../../../../../src-renderer/views/reports/builder/criteria'
import { setConfiguration } from '../../../../../src-renderer/views/reports/builder/definition'
import { problemsOf, typesIn } from '../../../../../src-renderer/views/reports/builder/problems'
import { running, type Running } from '../../../../main/sandbox/reporting/running'
import { steps, typesOf, walked, type World } from './walk'
import { cases } from '../../../../helpers/ring'

const worldOf = ({ ids, activityIds }: Running, version: string): World => {
  const table = tableOf('trafficking', version)
  return {
    fields: table.schemas['Report']!.fields!,
    types: typesOf(typesIn(table)),
    configurationId: ids['configurationId']!,
    activityId: activityIds[0]!,
    campaignId: ids['campaignId']!,
  }
}

describe.each(['v3.3', 'v3.4'])('a report built for %s', (version) => {
  const table = tableOf('trafficking', version)

  it('is accepted and run if it has no problems, and rejected otherwise', async () => {
    const world = await running()
    const at = worldOf(world, version)
    const profile = world.profile.replace('v3.4', version)
    const tried = { taken: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...at.types), async (walk, type) => {
        let report: Definition = { name: 'Walk', type }
        for (const step of walk) report = walked(report, step, at)
        const problems = problemsOf(report, table)
        const made = await world.client.post(`${profile}/reports`, report)
        if (problems.length > 0) {
          tried.refused++
          expect(made.status, JSON.stringify([problems, report])).toBe(400)
          return
        }
        tried.taken++
        expect(made.status, JSON.stringify([made.body, report])).toBe(200)
        if (tried.taken % 4 !== 0) return
        const run = await world.client.post(`${profile}/reports/${made.body.id}/run?synchronous=true`)
        expect(run.body.status, JSON.stringify(report)).toBe('REPORT_AVAILABLE')
      }),
      { numRuns: cases(100, 500) },
    )
    expect(tried.taken).toBeGreaterThan(0)
    expect(tried.refused).toBeGreaterThan(0)
  })

  it.each(starters.filter(({ type }) => typesIn(table).includes(type)))('starts with $name', async (starter) => {
    const world = await running()
    const profile = world.profile.replace('v3.4', version)
    let report: JsonObject = reportOfStarter(starter)
    const needs = problemsOf(report, table)
    expect(needs.map(({ at }) => at).every((at) => at === 'configuration')).toBe(true)
    if (needs.length > 0) report = setConfiguration(report, world.ids['configurationId']!)
    expect(problemsOf(report, table)).toEqual([])
    const made = await world.client.post(`${profile}/reports`, report)
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const run = await world.client.post(`${profile}/reports/${made.body.id}/run?synchronous=true`)
    expect(run.body.status).toBe('REPORT_AVAILABLE')
  })
})
