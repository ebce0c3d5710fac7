import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { inCell, kindAt } from '#shared/fields/kind'
import { everyPlace } from '../../helpers/places'

const facts = factsOf()

describe("a field's kind", () => {
  const known: [collection: string, path: string, kind: string][] = [
    ['placements', 'name', 'text'],
    ['placements', 'comment', 'prose'],
    ['creatives', 'htmlCode', 'prose'],
    ['remarketingLists', 'lifeSpan', 'number'],
    ['placements', 'pricingSchedule.pricingPeriods.0.units', 'number'],
    ['placements', 'pricingSchedule.pricingPeriods.0.rateOrCostNanos', 'money'],
    ['campaigns', 'startDate', 'date'],
    ['ads', 'startTime', 'moment'],
    ['placements', 'lastModifiedInfo.time', 'moment'],
    ['ads', 'type', 'choice'],
    ['ads', 'active', 'yesNo'],
    ['placements', 'siteId', 'reference'],
    ['eventTags', 'siteIds', 'references'],
    ['campaigns', 'traffickerEmails', 'texts'],
    ['placements', 'tagFormats', 'choices'],
    ['placements', 'size', 'size'],
    ['placements', 'additionalSizes', 'sizes'],
    ['ads', 'geoTargeting.countries', 'rows'],
    ['placements', 'pricingSchedule', 'part'],
    ['placements', 'pricingSchedule.pricingPeriods', 'parts'],
    ['placements', 'id', 'text'],
  ]
  it.each(known)('of %s.%s is %s', (collection, path, kind) => {
    expect(kindAt(facts.of(collection), path)).toBe(kind)
  })
  it('is none for an unknown field', () => {
    expect(kindAt(facts.of('ads'), 'nothing')).toBeUndefined()
  })
  it('is known for every writable field', () => {
    expect(
      everyPlace.filter(({ kind }) => kind === 'any').map(({ collection, path }) => `${collection.name}.${path}`),
    ).toEqual([])
  })
  it("fits in a cell if it's one line", () => {
    expect(
      ['part', 'parts', 'references', 'choices', 'map', 'row', 'rows'].some((kind) => inCell.has(kind as never)),
    ).toBe(false)
  })
})
