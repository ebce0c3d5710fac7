import { counted } from '../../../ui/counted'
import { blockOf, chosenDimensions, metricsIn, objectOf, objectsOf, textsOf, typeOf, type Definition } from './criteria'

/** Number of columns in the file, or undefined if it depends on the results. */
export function columnCount(report: Definition): number | undefined {
  const block = blockOf(report)
  const overlaps = textsOf(block['overlapMetricNames']).length
  if (overlaps > 0 && block['pivoted'] !== false) return undefined
  if (objectOf(block['reportProperties'])['pivotOnInteractionPath'] === true) return undefined
  const activities = objectOf(block['activities'])
  const each = Math.max(1, objectsOf(activities['filters']).length)
  return (
    chosenDimensions(report).length +
    metricsIn(report, 'metricNames').length +
    textsOf(activities['metricNames']).length * each +
    metricsIn(report, 'reachByFrequencyMetricNames').length * 10 +
    // The other member of each overlapping pair.
    (typeOf(report)?.needsDimension ? 1 : 0) +
    (overlaps > 0 ? 1 + overlaps : 0)
  )
}

export function columnCountLabel(report: Definition): string {
  const count = columnCount(report)
  return count === undefined ? 'Columns depend on the results' : `About ${counted(count, 'column')}`
}
