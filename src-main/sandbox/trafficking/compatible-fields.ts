import { bareName, prefix } from '#shared/facts/report-fields'
import { goTogether, pivotMetrics, type MetricSection, type Section } from '#shared/facts/report-types'
import type { JsonObject } from '#shared/json'
import type { HandlersOf } from '../operation'
import { allDimensions } from '../reporting/dimensions'
import { ReportFault, namesIn, objectAt, objectsAt, textsAt, typeOf } from '../reporting/report-check'
import { profileOf } from './profiles'
import { refusal } from './refusals'

const shown = (kind: 'dimension' | 'metric', names: Iterable<string>): JsonObject[] =>
  [...names].map((name) => ({ kind: `trafficking#${kind}`, name: prefix + name }))

/** Fields that can still be added to a report. Each selection reduces them. */
export const compatibleFieldHandlers: HandlersOf<'trafficking.reports.compatibleFields'> = {
  'trafficking.reports.compatibleFields.query': (call) => {
    profileOf(call)
    const report = call.body as JsonObject
    if (report.type === undefined) throw refusal('missing', 'Required field: type', 'type')
    let type
    try {
      type = typeOf(report)
    } catch (error) {
      if (error instanceof ReportFault) throw refusal('general', error.message, error.location)
      throw error
    }
    const block = objectAt(report[type.block])
    const dimensions = (Object.keys(type.sections) as Section[])
      .filter((section) => !/ilter/.test(section))
      .flatMap((section) => namesIn(block, section).map(({ name }) => bareName(name)))
    const pivoted = objectsAt(objectAt(block.activities).filters).length > 0
    const metrics = (Object.keys(type.metrics) as MetricSection[]).flatMap((section) =>
      textsAt(block[section]).map(bareName),
    )
    const fields: JsonObject = { kind: `trafficking#${type.compatible}` }
    for (const [section, { names, compatible }] of Object.entries(type.sections)) {
      if (compatible === '') continue
      const filters = /ilter/.test(section)
      const left = names.filter(
        (name) => filters || (!dimensions.includes(name) && metrics.every((metric) => goTogether(name, metric))),
      )
      const chosen = section === 'dimensions' && pivoted ? left.filter(noActivity) : left
      fields[compatible] = shown('dimension', chosen)
    }
    for (const { names, compatible } of Object.values(type.metrics)) {
      const left = names.filter(
        (metric) => !metrics.includes(metric) && dimensions.every((dimension) => goTogether(dimension, metric)),
      )
      fields[compatible] = shown('metric', left)
    }
    if (type.pivots) fields.pivotedActivityMetrics = shown('metric', pivotMetrics)
    return { kind: 'trafficking#compatibleFields', [type.compatible]: fields }
  },
}

/** Activities that are columns can't be rows as well. */
const noActivity = (name: string): boolean => allDimensions.get(name)?.grain !== 'activity'
