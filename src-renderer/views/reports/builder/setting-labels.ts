import { headOf } from '#shared/fields/heads'

const labels: Readonly<Record<string, string>> = {
  includeAttributedIPConversions: 'Include attributed IP conversions',
  includeUnattributedCookieConversions: 'Include unattributed conversions',
  includeUnattributedIPConversions: 'Include unattributed IP conversions',
  clicksLookbackWindow: 'Click lookback window (days)',
  impressionsLookbackWindow: 'Impression lookback window (days)',
  maximumInteractionGap: 'Maximum interaction gap (days)',
  maximumClickInteractions: 'Maximum clicks in a path',
  maximumImpressionInteractions: 'Maximum impressions in a path',
  pivotOnInteractionPath: 'Show each touch in its own column',
  pivoted: 'Show each overlap in its own column',
  enableAllDimensionCombinations: 'Include all dimension combinations',
}

/** Label of a setting, or of another field of a report. */
export const settingLabel = (field: string): string => labels[field] ?? headOf(field)
