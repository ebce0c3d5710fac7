import { describe, expect, it } from 'vitest'
import type { Checked } from '#shared/checks/rule'
import { Joins, type Pair } from '../../../../../src-renderer/views/campaigns/matrix/joins'
import {
  planAssignment,
  planRemoval,
  type Per,
  type Wish,
} from '../../../../../src-renderer/views/campaigns/matrix/plan'

const type = 'AD_SERVING_STANDARD_AD'
const flight = { startDate: '2026-06-01', endDate: '2026-06-30' }
const ad = (id: string, placements: string, creatives: string, more: object = {}): Checked => ({
  key: `ads 1 ${id}`,
  collection: 'ads',
  id,
  base: null,
  value: {
    ...{ id, type, campaignId: 'c', active: true, endTime: '2026-06-30T21:59:00Z', ...more },
    placementAssignments: [...placements].map((placementId) => ({ placementId, active: true })),
    creativeRotation: { creativeAssignments: [...creatives].map((creativeId) => ({ creativeId, active: true })) },
  },
})
/** Every pair of some placements and creatives. */
const pairs = (placements: string, creatives: string): Pair[] =>
  [...placements].flatMap((placement) => [...creatives].map((creative) => ({ placement, creative })))
const wish = (pair: Pair, more: Partial<Wish> = {}): Wish => ({
  ...pair,
  campaign: 'c',
  type,
  flight,
  size: '1x1',
  ...more,
})
const plan = (wanted: Wish[], ads: Checked[], per: Per = 'placement', serves = () => true) => {
  const { created, changed } = planAssignment(wanted, ads, per, serves)
  return {
    created: created.map(({ placements, creatives }) => `${placements.join('')}×${creatives.join('')}`),
    changed: changed.map(
      ({ ad: { id }, placements, creatives }) => `${id}: ${placements.join('')}+${creatives.join('')}`,
    ),
  }
}

describe('assigning', () => {
  it.each([
    ['the ad of its placement', ad('1', 'A', 'x'), { created: [], changed: ['1: +y'] }],
    ['the ad of its creative', ad('1', 'B', 'y'), { created: [], changed: ['1: A+'] }],
    ['an ad without creatives', ad('1', 'A', ''), { created: [], changed: ['1: +y'] }],
    ['no ad that would assign more', ad('1', 'AB', 'x'), { created: ['A×y'], changed: [] }],
    ['no ad with other creatives', ad('1', 'B', 'xy'), { created: ['A×y'], changed: [] }],
    ['no ad of another type', ad('1', 'A', 'x', { type: 'AD_SERVING_TRACKING' }), { created: ['A×y'], changed: [] }],
    ['no ad of another campaign', ad('1', 'B', 'y', { campaignId: 'd' }), { created: ['A×y'], changed: [] }],
  ])('extends %s', (_which, one, expected) => {
    expect(plan([wish({ placement: 'A', creative: 'y' })], [one])).toEqual(expected)
  })

  it('plans 120,000 pairs in linear time', () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_unused, at) => String(at))
    const all = ids(60_000).flatMap((placement) => ids(2).map((creative) => wish({ placement, creative })))
    const { created } = planAssignment(all, [], 'creative', () => true)
    expect(created.map(({ placements, creatives }) => [placements.length, creatives.length])).toEqual(
      ids(2).map(() => [60_000, 1]),
    )
  })

  it('takes the active ad that runs longest, and none that has ended', () => {
    const ads = [
      ad('1', 'A', 'x', { active: false }),
      ad('2', 'A', 'x', { endTime: '2026-06-10T00:00:00Z' }),
      ad('3', 'A', 'x'),
    ]
    const wanted = [wish({ placement: 'A', creative: 'y' })]
    expect(plan(wanted, ads).changed).toEqual(['3: +y'])
    expect(plan(wanted, ads, 'placement', () => false)).toEqual({ created: ['A×y'], changed: [] })
  })

  it.each([
    ['placement', ['A×xy', 'B×xy']],
    ['creative', ['AB×x', 'AB×y']],
    ['size', ['AB×xy']],
  ] as const)('creates one ad per %s', (per, created) => {
    expect(
      plan(
        pairs('AB', 'xy').map((one) => wish(one)),
        [],
        per,
      ),
    ).toEqual({ created, changed: [] })
  })

  it('never assigns a pair that wasn’t asked for', () => {
    // All but one of a square, with ads that cover parts of it.
    const wanted = pairs('ABC', 'xyz').filter(({ placement, creative }) => placement !== 'B' || creative !== 'y')
    const names = new Set(wanted.map(({ placement, creative }) => placement + creative))
    for (const per of ['placement', 'creative', 'size'] as const)
      for (const ads of [[], [ad('1', 'A', 'w')], [ad('1', 'B', ''), ad('2', '', 'y')]]) {
        const { created, changed } = planAssignment(
          wanted.map((one) => wish(one)),
          ads,
          per,
          () => true,
        )
        const joined = [
          ...created.map(({ placements, creatives }) => ({ placements, creatives })),
          ...changed.map((one) => ({
            placements: [
              ...new Set([
                ...[one.ad.id === '2' ? '' : one.ad.id === '1' && ads.length === 1 ? 'A' : 'B'],
                ...one.placements,
              ]),
            ].filter(Boolean),
            creatives: [...new Set([...(one.ad.id === '2' ? ['y'] : []), ...one.creatives])],
          })),
        ].flatMap(({ placements, creatives }) => placements.flatMap((a) => creatives.map((b) => a + b)))
        expect(joined.filter((name) => !names.has(name))).toEqual([])
        expect(new Set(joined)).toEqual(names)
      }
  })

  it('runs a new ad for all of its flights', () => {
    const early = wish(
      { placement: 'A', creative: 'x' },
      { flight: { startDate: '2026-05-01', endDate: '2026-05-31' } },
    )
    const { created } = planAssignment([early, wish({ placement: 'B', creative: 'x' })], [], 'creative', () => true)
    expect(created.map((one) => one.flight)).toEqual([{ startDate: '2026-05-01', endDate: '2026-06-30' }])
  })
})

describe('removing', () => {
  const remove = (wanted: Pair[], ads: Checked[]) => {
    const { changed, shared } = planRemoval(wanted, new Joins(ads))
    return {
      changed: changed.map(
        ({ ad: { id }, placements, creatives }) => `${id}: ${placements.join('')}-${creatives.join('')}`,
      ),
      shared: shared.map(({ ends }) =>
        [ends.creative, ends.placement].map((list) => list.map(({ placement, creative }) => placement + creative)),
      ),
    }
  }
  it.each([
    ['a creative', 'A', 'xy', 'A', 'x', '1: -x'],
    ['a placement', 'AB', 'x', 'A', 'x', '1: A-'],
    ['the only creative', 'A', 'x', 'A', 'x', '1: -x'],
    ['a whole row', 'AB', 'xy', 'A', 'xy', '1: A-'],
    ['a whole column', 'AB', 'xy', 'AB', 'x', '1: -x'],
    ['everything', 'AB', 'xy', 'AB', 'xy', '1: -xy'],
  ])('removes %s', (_what, placements, creatives, fromPlacements, fromCreatives, expected) => {
    const result = remove(pairs(fromPlacements, fromCreatives), [ad('1', placements, creatives)])
    expect(result).toEqual({ changed: [expected], shared: [] })
  })

  it('names the pairs that would end along', () => {
    const result = remove([{ placement: 'A', creative: 'x' }], [ad('1', 'AB', 'xy')])
    expect(result).toEqual({ changed: [], shared: [[['Bx'], ['Ay']]] })
  })

  it('doesn’t name those that another ad keeps', () => {
    const result = remove([{ placement: 'A', creative: 'x' }], [ad('1', 'AB', 'xy'), ad('2', 'B', 'x')])
    expect(result.shared).toEqual([[[], ['Ay']]])
  })
})
