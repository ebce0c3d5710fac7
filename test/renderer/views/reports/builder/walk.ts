import { pivotMetrics, reportTypes, type MetricSection, type Section } from '#shared/facts/report-types'
import { relativeRanges, type RelativeRange } from '#shared/facts/report-ranges'
import { scheduleRepeats } from '#shared/facts/report-schedules'
import { trackingVariables } from '#shared/facts/report-fields'
import type { JsonObject } from '#shared/json'
import fc from 'fast-check'
import { changeType, type ReportFields } from '../../../../../src-renderer/views/reports/builder/change-type'
import { typeOf, type Definition } from '../../../../../src-renderer/views/reports/builder/criteria'
import * as edit from '../../../../../src-renderer/views/reports/builder/definition'
import { offeredDimensions, offeredMetrics } from '../../../../../src-renderer/views/reports/builder/fitting'

/** One step in the report builder. Steps that don't fit the type do nothing. */
export interface Step {
  kind: (typeof kinds)[number]
  /** Selects one of the options. */
  at: number
  to: number
  flag: boolean
}

const kinds = [
  'type',
  'dimension',
  'dimension',
  'dimension',
  'metric',
  'metric',
  'metric',
  'remove',
  'move',
  'sort',
  'filter',
  'unfilter',
  'path',
  'activities',
  'relative',
  'relative',
  'days',
  'schedule',
  'unschedule',
  'configuration',
  'configuration',
  'dimensionOfReach',
  'property',
  'delivery',
  'name',
] as const

export const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(999), to: fc.nat(999), flag: fc.boolean() }),
  { minLength: 4, maxLength: 40 },
)

export interface World {
  fields: ReportFields
  types: readonly string[]
  configurationId: string
  activityId: string
  campaignId: string
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

export function walked(report: Definition, { kind, at, to, flag }: Step, world: World): Definition {
  const type = typeOf(report)
  const sections = (type?.columns ?? []) as readonly Section[]
  const metrics = Object.keys(type?.metrics ?? {}) as MetricSection[]
  const section = pick(sections, to)
  const metricSection = pick(metrics, to)
  const either = pick([...sections, ...metrics], to)
  const value = (dimension: string): edit.FilterValue =>
    flag
      ? { id: dimension.startsWith('activity') ? world.activityId : world.campaignId }
      : { value: 'A', matchType: pick(['EXACT', 'BEGINS_WITH', 'CONTAINS', 'WILDCARD_EXPRESSION'] as const, to)! }
  switch (kind) {
    case 'type':
      return changeType(report, pick(world.types, at)!, world.fields).report
    case 'dimension': {
      if (!section) return report
      const offered = offeredDimensions(report, section).filter(
        ({ why, name }) => !why && !trackingVariables.includes(name),
      )
      const variable = flag && type!.sections[section]!.names.includes(trackingVariables[0]!)
      const name = variable ? trackingVariables[at % 100] : pick(offered, at)?.name
      return name === undefined ? report : edit.addDimension(report, section, name)
    }
    case 'metric': {
      const name =
        metricSection &&
        pick(
          offeredMetrics(report, metricSection).filter(({ why }) => !why),
          at,
        )?.name
      return name === undefined ? report : edit.addMetric(report, metricSection!, name)
    }
    case 'remove': {
      if (!either) return report
      const there = [
        ...offeredDimensions(report, either as Section),
        ...offeredMetrics(report, either as MetricSection),
      ]
      const one = pick(
        there.filter(({ chosen }) => chosen),
        at,
      )
      return one ? edit.removeField(report, either, one.name) : report
    }
    case 'move':
      return either ? edit.moveField(report, either, at % 8, to % 8) : report
    case 'sort': {
      const one =
        section &&
        pick(
          offeredDimensions(report, section).filter(({ chosen }) => chosen),
          at,
        )
      return one ? edit.sortDimension(report, section, one.name, flag ? 'DESCENDING' : undefined) : report
    }
    case 'filter': {
      const list = pick(
        (['dimensionFilters', 'activityFilters'] as const).filter((name) => type?.sections[name]),
        to,
      )
      const name = list && pick(type!.sections[list]!.names, at)
      return name ? edit.addFilter(report, list, edit.filterOf(name, value(name))) : report
    }
    case 'unfilter':
      return edit.removeFilter(report, flag ? 'dimensionFilters' : 'activityFilters', at % 3)
    case 'path': {
      const name = pick(type?.sections.pathFilters?.names ?? [], at)
      return name
        ? edit.addPathFilter(report, edit.pathFilterOf(pick(['ANY', 'FIRST', 'LAST'] as const, to)!, name, value(name)))
        : report
    }
    case 'activities':
      if (!type?.pivots) return report
      return edit.setActivities(
        report,
        flag ? [edit.filterOf('activity', { id: world.activityId })] : [],
        pivotMetrics.slice(0, at % 3),
      )
    case 'relative':
      return edit.setRelativeRange(report, pick(Object.keys(relativeRanges), at) as RelativeRange)
    case 'days': {
      const [a, b] = [day(at), day(to)]
      return edit.setDays(report, flag ? { startDate: a } : { startDate: a, endDate: b })
    }
    case 'schedule':
      return flag
        ? edit.setSchedule(report, { repeats: pick(Object.keys(scheduleRepeats), at)! })
        : edit.setSchedule(report, edit.newSchedule(day(at), day(to)))
    case 'unschedule':
      return edit.setSchedule(report, null)
    case 'configuration':
      return type?.needsConfiguration
        ? edit.setConfiguration(report, at % 5 === 0 ? null : world.configurationId)
        : report
    case 'dimensionOfReach':
      return type?.needsDimension
        ? edit.setCriterion(
            report,
            'dimension',
            pick(['ADVERTISER', 'CAMPAIGN', 'SITE_BY_ADVERTISER', 'SITE_BY_CAMPAIGN'], at),
          )
        : report
    case 'property': {
      const names = Object.entries(world.fields[type?.block ?? '']?.fields?.['reportProperties']?.fields ?? {})
      const found = pick(names, at)
      return found ? edit.setProperty(report, found[0], found[1].type === 'boolean' ? flag : (to % 100) - 2) : report
    }
    case 'delivery':
      return edit.setDelivery(report, {
        emailOwner: flag,
        emailOwnerDeliveryType: 'LINK',
        recipients: [{ email: at % 4 === 0 ? 'nobody' : 'somebody@example.com', deliveryType: 'LINK' }] as JsonObject[],
      })
    case 'name':
      return edit.setField(report, 'name', at % 10 === 0 ? '' : `Report ${at}`)
  }
}

const day = (at: number): string => new Date(Date.UTC(2026, 2, 1 + (at % 60))).toISOString().slice(0, 10)

export const typesOf = (names: readonly string[]): string[] => names.filter((name) => reportTypes[name])
