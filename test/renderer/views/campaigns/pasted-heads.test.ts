import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { gridColumns } from '../../../../src-renderer/views/campaigns/grid-columns'
import { pastedHeads } from '../../../../src-renderer/views/campaigns/pasted-heads'

const placements = factsOf().of('placements')
const heads = (...line: string[]) =>
  pastedHeads(placements, gridColumns(placements), line)?.map((column) => column?.path)

describe('a pasted first line', () => {
  it('names columns in any order, by header or path, also those that aren’t shown', () => {
    expect(heads('Plan line', ' end  DATE', 'name', 'Comment', 'siteId')).toEqual([
      'externalId',
      'pricingSchedule.endDate',
      'name',
      'comment',
      'siteId',
    ])
  })
  it('names them by the beginning of their header, as plans do, if there is only one', () => {
    expect(heads('Placement', 'Site', 'Start', 'End', 'Pricing', 'Units', 'Rate')).toEqual([
      'name',
      'siteId',
      'pricingSchedule.startDate',
      'pricingSchedule.endDate',
      'pricingSchedule.pricingType',
      'pricingSchedule.pricingPeriods.0.units',
      'pricingSchedule.pricingPeriods.0.rateOrCostNanos',
    ])
    // “Content category” doesn’t begin with it, and both “Placement group” and “Placement strategy” would.
    expect(heads('Name', 'Placement', 'Category', 'Site', 'Size')).toEqual([
      'name',
      undefined,
      undefined,
      'siteId',
      'size',
    ])
    // Whole names come first.
    expect(heads('Start', 'Start date', 'Name')).toEqual([undefined, 'pricingSchedule.startDate', 'name'])
    expect(heads('Start', 'End')).toBeUndefined()
  })
  it('may be spelled as older versions did', () => {
    expect(heads('Name', 'Video active view opt-out')).toEqual(['name', 'videoActiveViewOptOut'])
    expect(heads('Name', 'Video active view opt out')).toEqual(['name', 'videoActiveViewOptOut'])
    const advertisers = factsOf().of('advertisers')
    const former = ['Name', 'Click through URL suffix', 'Default click through event tag']
    const found = pastedHeads(advertisers, gridColumns(advertisers), former)
    expect(found?.map((column) => column?.path)).toEqual([
      'name',
      'clickThroughUrlSuffix',
      'defaultClickThroughEventTagId',
    ])
  })
  it('may have some columns that nobody knows', () => {
    expect(heads('Name', 'End date', 'Our note')).toEqual(['name', 'pricingSchedule.endDate', undefined])
  })
  it('holds values if most of it names nothing, if it is one word, or if it names a column twice', () => {
    expect(heads('Name', 'PL-1', 'PL-2')).toBeUndefined()
    expect(heads('Name')).toBeUndefined()
    expect(heads('Name', 'Name')).toBeUndefined()
    expect(heads('', '')).toBeUndefined()
  })
})
