import { headOf, insideSentence, listedWords } from '#shared/fields/heads'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { Json } from '#shared/json'
import { nanosWords, recordLines, recordTitle, valueWriter } from '../../../src-renderer/context/record-words'

const facts = factsOf()
const context = {
  zone: 'Europe/Berlin',
  hour12: false,
  today: Date.UTC(2026, 5, 10),
  nameOf: (collection: string, id: string) => (collection === 'sites' && id === '4' ? 'Herald' : undefined),
}
const words = (collection: string, path: string, value: Json | undefined): string[] =>
  recordLines(facts.of(collection), path, value, context)

describe("a field's label", () => {
  it('is the last part of its path, without technical parts', () => {
    expect(headOf('pricingSchedule.startDate')).toBe('Start date')
    expect(headOf('advertiserId')).toBe('Advertiser')
    expect(headOf('creativeGroupIds')).toBe('Creative groups')
    expect(headOf('targetCpmNanos')).toBe('Target CPM')
    expect(headOf('sslRequired')).toBe('SSL required')
    expect(headOf('externalId')).toBe('External ID')
    expect(headOf('id')).toBe('ID')
  })
  it('is spelled as people do, also in a sentence', () => {
    expect(headOf('clickThroughUrl')).toBe('Click-through URL')
    expect(headOf('videoActiveViewOptOut')).toBe('Video Active View opt-out')
    expect(headOf('instreamVideoPlacementAccepted')).toBe('In-stream video placement accepted')
    expect(headOf('optimizationActivitys')).toBe('Optimization activities')
    expect(headOf('mimeType')).toBe('MIME type')
    expect(insideSentence(headOf('activeViewOptOut'))).toBe('Active View opt-out')
    expect(insideSentence(headOf('clickThroughUrl'))).toBe('click-through URL')
  })
})

describe('a value as text', () => {
  it('is cached, until the year or the clock format changes', () => {
    const dates = valueWriter(facts.of('campaigns'), 'startDate')
    const later = { ...context, today: Date.UTC(2027, 0, 1) }
    for (let turn = 0; turn < 2; turn++) {
      expect(dates('2026-07-01', context)).toBe('Wed 1 Jul')
      expect(dates('2026-07-01', later)).toBe('Wed 1 Jul 2026')
    }
    const moments = valueWriter(facts.of('changeLogs'), 'changeTime')
    const at = '2026-07-01T12:30:00Z'
    expect(moments(at, context)).toBe('Wed 1 Jul 14:30')
    expect(moments(at, { ...context, hour12: true })).toBe('Wed 1 Jul 2:30 pm')
    expect(moments(at, { ...context, zone: 'UTC' })).toBe('Wed 1 Jul 12:30')
    for (let n = 0; n < 2_000; n++) dates(`text ${n}`, context)
    expect(dates('2026-07-01', context)).toBe('Wed 1 Jul')
  })
  it("uses the record's current name", () => {
    const sites = valueWriter(facts.of('placements'), 'siteId')
    let name = 'Herald'
    const changing = { ...context, nameOf: () => name }
    expect(sites('4', changing)).toBe('Herald')
    name = 'Herald Online'
    expect(sites('4', changing)).toBe('Herald Online')
  })
  it('formats a date, a time, and a boolean', () => {
    expect(words('campaigns', 'startDate', '2026-07-01')).toEqual(['Wed 1 Jul'])
    expect(words('ads', 'startTime', '2026-07-01T10:00:00Z')).toEqual(['Wed 1 Jul 12:00'])
    expect(words('placements', 'lastModifiedInfo.time', '1781071200000')).toEqual(['Today 08:00'])
    expect(words('placements', 'lastModifiedInfo', { time: '1781071200000' })).toEqual(['Today 08:00'])
    expect(words('placements', 'sslRequired', false)).toEqual(['No'])
  })
  it("shows a referenced record's name, or its number if it isn't downloaded", () => {
    expect(words('placements', 'siteId', '4')).toEqual(['Herald'])
    expect(words('placements', 'siteId', '5')).toEqual(['#5'])
    expect(words('campaigns', 'creativeGroupIds', ['8', '9'])).toEqual(['#8', '#9'])
    expect(words('placements', 'placementGroupId', 'local:x')).toEqual(['new'])
  })
  it('formats an amount in billionths exactly', () => {
    expect(nanosWords('1500000000')).toBe('1.50')
    expect(nanosWords('1234567000000001')).toBe('1,234,567.000000001')
    expect(nanosWords('-20000000')).toBe('-0.02')
    expect(nanosWords('no number')).toBe('no number')
  })
  it('never shows raw objects', () => {
    const schedule = {
      startDate: '2026-07-01',
      pricingType: 'PRICING_TYPE_CPM',
      pricingPeriods: [{ units: '10', rateOrCostNanos: '2500000000' }],
    }
    expect(words('placements', 'pricingSchedule', schedule)).toEqual([
      'Start date: Wed 1 Jul, Pricing type: CPM, Pricing periods: (Units: 10, Rate or cost: 2.50)',
    ])
    expect(words('placements', 'size', { id: '3', width: 300, height: 250 })).toEqual(['300 × 250'])
    expect(words('placements', 'advertiserIdDimensionValue', { value: 'Nordwind', id: '1' })).toEqual(['Nordwind'])
    for (const collection of facts.all)
      for (const path of Object.keys(collection.table.schemas[collection.schema]!.fields))
        for (const value of [{ a: { b: [{ c: 1 }] } }, [{ a: 1 }], [[{}]], {}, []])
          expect(words(collection.name, path, value).join()).not.toContain('[object')
  })
  it('drops the prefix shared by all enum values', () => {
    expect(words('placements', 'tagFormats', ['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_CLICK_COMMANDS'])).toEqual([
      'Standard',
      'Click commands',
    ])
    expect(words('placements', 'status', 'PENDING_REVIEW')).toEqual(['Pending review'])
    expect(listedWords('HTML5', ['HTML5', 'FLASH'])).toBe('HTML5')
    expect(words('placements', 'compatibility', 'IN_STREAM_VIDEO')).toEqual(['In-stream video'])
    expect(words('placements', 'tagFormats', ['PLACEMENT_TAG_IFRAME_JAVASCRIPT'])).toEqual(['Iframe JavaScript'])
  })
  it('is empty for a missing value', () => {
    expect(words('placements', 'comment', '')).toEqual([])
    expect(words('placements', 'comment', null)).toEqual([])
  })
})

describe("a record's name", () => {
  it('is its title or its size', () => {
    expect(recordTitle(facts.of('placements'), { name: 'Skyscraper' })).toBe('Skyscraper')
    expect(recordTitle(facts.of('sizes'), { width: 300, height: 250 })).toBe('300 × 250')
    expect(recordTitle(facts.of('placements'), {})).toBeUndefined()
  })
})
