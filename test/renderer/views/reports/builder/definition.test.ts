import { describe, expect, it } from 'vitest'
import { tableOf } from '#shared/wire/services'
import { dayOf } from '#shared/facts/report-ranges'
import { changeType } from '../../../../../src-renderer/views/reports/builder/change-type'
import type { Definition } from '../../../../../src-renderer/views/reports/builder/criteria'
import * as edit from '../../../../../src-renderer/views/reports/builder/definition'
import {
  compatibleQuestion,
  offeredDimensions,
  offeredMetrics,
  readCompatible,
} from '../../../../../src-renderer/views/reports/builder/fitting'
import { placeOf, problemsOf } from '../../../../../src-renderer/views/reports/builder/problems'
import { spanOf, spanWords } from '../../../../../src-renderer/views/reports/builder/range-words'

const fields = tableOf('trafficking', 'v3.4').schemas['Report']!.fields!
const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name: `trafficking:${name}` }))
const standard = (criteria: Definition = {}): Definition => ({
  id: '12',
  name: 'Delivery',
  type: 'STANDARD',
  later: { than: 'this version' },
  criteria: {
    dateRange: { kind: 'trafficking#dateRange', relativeDateRange: 'LAST_30_DAYS' },
    dimensions: named('campaign', 'date'),
    metricNames: ['trafficking:impressions', 'trafficking:totalConversions'],
    newer: 'field',
    ...criteria,
  },
})

describe('a report definition', () => {
  it('keeps unknown and existing content', () => {
    const before = standard()
    const frozen = JSON.stringify(before)
    const after = edit.addMetric(edit.addDimension(before, 'dimensions', 'site'), 'metricNames', 'clicks')
    expect(JSON.stringify(before)).toBe(frozen)
    expect(after).toMatchObject({ later: { than: 'this version' }, criteria: { newer: 'field' } })
    expect(after['criteria']).toMatchObject({
      dimensions: named('campaign', 'date', 'site', 'siteId'),
      metricNames: ['trafficking:impressions', 'trafficking:totalConversions', 'trafficking:clicks'],
    })
  })

  it('has either custom dates or a relative range', () => {
    const days = edit.setDays(standard(), { startDate: '2026-01-01', endDate: '2026-01-31' })
    expect(days['criteria']).toMatchObject({
      dateRange: { kind: 'trafficking#dateRange', startDate: '2026-01-01', endDate: '2026-01-31' },
    })
    expect(days).not.toHaveProperty('criteria.dateRange.relativeDateRange')
    const moving = edit.setRelativeRange(days, 'YESTERDAY')
    expect(moving['criteria']).toMatchObject({ dateRange: { relativeDateRange: 'YESTERDAY' } })
    expect(moving).not.toHaveProperty('criteria.dateRange.startDate')
  })

  it('describes its range as account dates', () => {
    const today = dayOf('2026-11-22')
    expect(spanWords(spanOf(standard(), today)!)).toBe('23 Oct – 21 Nov 2026')
    const year = edit.setRelativeRange(standard(), 'LAST_365_DAYS')
    expect(spanWords(spanOf(year, today)!)).toBe('22 Nov 2025 – 21 Nov 2026')
    expect(spanWords(spanOf(edit.setRelativeRange(year, 'TODAY'), today)!)).toBe('22 Nov 2026')
    expect(spanOf({ type: 'STANDARD' }, today)).toBeUndefined()
  })

  it("drops schedule fields that another recurrence doesn't use", () => {
    const weekly = edit.setSchedule(standard(), edit.newSchedule('2026-11-22', '2027-11-22'))
    expect(weekly['schedule']).toMatchObject({ repeats: 'WEEKLY', repeatsOnWeekDays: ['MONDAY'] })
    const monthly = edit.setSchedule(weekly, { repeats: 'MONTHLY' })['schedule']
    expect(monthly).toMatchObject({ every: 1, runsOnDayOfMonth: 'DAY_OF_MONTH', startDate: '2026-11-22' })
    expect(monthly).not.toHaveProperty('repeatsOnWeekDays')
    expect(edit.setSchedule(weekly, null)).not.toHaveProperty('schedule')
  })

  it('reorders its fields and sorts by them', () => {
    const turned = edit.moveField(standard(), 'dimensions', 1, 0)
    expect(turned['criteria']).toMatchObject({ dimensions: named('date', 'campaign') })
    const sorted = edit.sortDimension(turned, 'dimensions', 'campaign', 'DESCENDING')
    expect(sorted['criteria']).toMatchObject({
      dimensions: [{ name: 'trafficking:date' }, { name: 'trafficking:campaign', sortOrder: 'DESCENDING' }],
    })
    expect(edit.sortDimension(sorted, 'dimensions', 'campaign', undefined)).toEqual(turned)
    const emptied = edit.removeField(edit.removeField(turned, 'dimensions', 'date'), 'dimensions', 'campaign')
    expect(emptied).not.toHaveProperty('criteria.dimensions')
  })
})

describe('changing the report type', () => {
  it('keeps compatible fields and lists the dropped ones', () => {
    const report = standard({
      dimensionFilters: [
        edit.filterOf('campaign', { id: '7' }),
        edit.filterOf('country', { value: 'Norway', matchType: 'EXACT' }),
      ],
      activities: { metricNames: ['trafficking:totalConversions'] },
    })
    const overlap = changeType(report, 'CROSS_DIMENSION_REACH', fields)
    expect(overlap.dropped).toEqual(['Date', 'Total Conversions', 'Country filter', 'Activity columns'])
    expect(overlap.report).toMatchObject({ id: '12', name: 'Delivery', later: { than: 'this version' } })
    expect(overlap.report).not.toHaveProperty('criteria')
    expect(overlap.report['crossDimensionReachCriteria']).toEqual({
      dateRange: { kind: 'trafficking#dateRange', relativeDateRange: 'LAST_30_DAYS' },
      breakdown: named('campaign'),
      metricNames: ['trafficking:impressions'],
      dimensionFilters: [edit.filterOf('campaign', { id: '7' })],
    })
  })

  it('keeps the configuration, settings, and conversion activities', () => {
    let report: Definition = {
      name: 'A',
      type: 'TRACKING',
      trackingCriteria: { dimensions: named('activity', 'campaign') },
    }
    report = edit.setConfiguration(report, '9')
    report = edit.setProperty(report, 'includeUnattributedIPConversions', true)
    report = edit.addFilter(report, 'dimensionFilters', edit.filterOf('activity', { id: '3' }))
    const { report: paths, dropped } = changeType(report, 'PATH_TO_CONVERSION', fields)
    expect(dropped).toEqual([])
    expect(paths['pathToConversionCriteria']).toEqual({
      trackingConfigId: edit.filterOf('trackingConfigId', { id: '9' }),
      conversionDimensions: named('activity'),
      perInteractionDimensions: named('campaign'),
      activityFilters: [edit.filterOf('activity', { id: '3' })],
      reportProperties: { includeUnattributedIPConversions: true },
    })
    expect(changeType(paths, 'STANDARD', fields).dropped).toEqual([
      'Tracking configuration',
      'Other conversion settings',
    ])
  })
})

describe('available fields', () => {
  const whyOf = (list: ReturnType<typeof offeredDimensions>, name: string): string | undefined =>
    list.find((one) => one.name === name)?.why

  it('are disabled with a reason at once', () => {
    const report = standard()
    expect(whyOf(offeredDimensions(report, 'dimensions'), 'activity')).toBe(
      'Not compatible with Impressions (delivery isn’t split by activity)',
    )
    const converted = standard({ dimensions: named('activity'), metricNames: [] })
    expect(whyOf(offeredMetrics(converted, 'metricNames'), 'clicks')).toMatch(/^Not compatible with Activity/)
    expect(whyOf(offeredMetrics(converted, 'metricNames'), 'totalConversions')).toBeUndefined()
    const pivoted = edit.setActivities(standard({ metricNames: [] }), [edit.filterOf('activity', { id: '3' })], [])
    expect(whyOf(offeredDimensions(pivoted, 'dimensions'), 'activity')).toBe(
      'Activities already have their own columns',
    )
  })

  it("follow the service's response, which may know more", () => {
    const report = standard()
    const answer = readCompatible(report, {
      reportCompatibleFields: {
        kind: 'trafficking#reportCompatibleFields',
        dimensions: named('site', 'brandNew'),
        metrics: named('clicks'),
      },
    })
    const dimensions = offeredDimensions(report, 'dimensions', answer)
    expect(whyOf(dimensions, 'site')).toBeUndefined()
    expect(whyOf(dimensions, 'ad')).toBe('Not compatible with the selected fields')
    expect(dimensions.find(({ name }) => name === 'brandNew')).toEqual({
      name: 'brandNew',
      label: 'brandNew',
      group: 'Other',
      chosen: false,
    })
    expect(whyOf(dimensions, 'campaign')).toBeUndefined()
    expect(readCompatible(report, { kind: 'trafficking#compatibleFields' })).toBeUndefined()
  })

  it('depend only on the type and selected fields', () => {
    const report = standard()
    const question = compatibleQuestion(report)
    expect(question).toEqual({
      type: 'STANDARD',
      criteria: {
        dimensions: named('campaign', 'date'),
        metricNames: ['trafficking:impressions', 'trafficking:totalConversions'],
      },
    })
    expect(compatibleQuestion(edit.setField(edit.setRelativeRange(report, 'TODAY'), 'name', 'B'))).toEqual(question)
  })
})

describe('problems', () => {
  const table = tableOf('trafficking', 'v3.4')
  it('name the control that fixes them', () => {
    const report = edit.setSchedule(
      { name: ' ', type: 'PATH', pathCriteria: { dateRange: { relativeDateRange: 'TODAY' } } },
      edit.newSchedule('2026-11-22', '2026-11-21'),
    )
    expect(problemsOf(report, table).map(({ at }) => at)).toEqual([
      'name',
      'configuration',
      'metricNames',
      'schedule',
      'schedule',
    ])
    expect(problemsOf(report, tableOf('trafficking', 'v3.3'))[1]).toMatchObject({ at: 'type' })
  })

  it('name fields by their labels', () => {
    const [type, field] = ['PATH_TO_CONVERSION', 'clicksLookbackWindow']
    const criteria = { reportProperties: { [field]: 1_000 } }
    const report = { name: 'Paths', type, pathToConversionCriteria: criteria }
    expect(problemsOf(report, table).find(({ at }) => at === 'properties')?.words).toBe(
      '“Click lookback window (days)” must be at most 90',
    )
  })

  it('from a rejection use the path in the error', () => {
    const type = { block: 'criteria', sections: { dimensions: {} }, metrics: { metricNames: {} } } as never
    expect(placeOf('criteria.dateRange.endDate', type)).toBe('range')
    expect(placeOf('criteria.dimensions[3].name', type)).toBe('dimensions')
    expect(placeOf('delivery.recipients[0].email', type)).toBe('delivery')
  })
})
