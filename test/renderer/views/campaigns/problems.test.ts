import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { problemsOf } from '../../../../src-renderer/views/campaigns/problems'

const campaigns = factsOf().of('campaigns')
const judging = { now: 0, context: { zone: 'UTC', hour12: false, today: 0 }, base: null }
const whole = { id: 'local:1', name: 'Summer', advertiserId: '4', startDate: '2026-06-10', endDate: '2026-07-10' }

describe('what the service would refuse in a new record', () => {
  it('is what is missing, by the place to go to', () => {
    const found = problemsOf(campaigns, { id: 'local:1', name: 'Summer' }, false, judging)
    expect(found).toEqual(expect.arrayContaining([{ path: 'startDate', words: 'Start date is missing' }]))
    expect(found.map(({ path }) => path)).toContain('advertiserId')
  })
  it('is what is not as it should be, in words', () => {
    const [found] = problemsOf(campaigns, { ...whole, name: 'x'.repeat(600) }, false, judging)
    expect(found).toMatchObject({ path: 'name', words: expect.stringMatching(/^Name: /) as string })
  })
  it('is no business of the form for what the service has already', () => {
    expect(problemsOf(campaigns, { id: '1' }, true, { ...judging, base: { id: '1' } })).toEqual([])
  })
  it('is not that it refers to what is new itself', () => {
    const record = { ...whole, advertiserId: 'local:2', creativeGroupIds: ['local:3', 'x'] }
    expect(problemsOf(campaigns, record, false, judging).map(({ words }) => words)).toEqual([
      expect.stringMatching(/^Creative groups: .*: x$/),
    ])
  })
  it('is never more than can be read at once', () => {
    const tags = Array.from({ length: 30 }, () => 'NONE')
    const found = problemsOf(factsOf().of('placements'), { id: 'local:1', tagFormats: tags }, false, judging)
    expect(found.length).toBeLessThanOrEqual(8)
  })
})
