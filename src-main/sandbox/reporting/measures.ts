/** Generated and summed measures. All other metrics are calculated from these sums. Money is in micros of the account's currency. */
export const measureNames = [
  'impressions',
  'clicks',
  'costMicros',
  'measurable',
  'viewable',
  'viewableSeconds',
  'invalidImpressions',
  'invalidClicks',
  'interactions',
  'videoPlays',
  'videoFirstQuartile',
  'videoMidpoint',
  'videoThirdQuartile',
  'videoCompletions',
  'videoMutes',
  'videoPauses',
  'bookedImpressions',
  'bookedClicks',
  'plannedMicros',
  'clickConversions',
  'viewConversions',
  'clickTransactions',
  'viewTransactions',
  'clickRevenueMicros',
  'viewRevenueMicros',
  'quantity',
] as const

export type MeasureName = (typeof measureNames)[number]

export const measureIndex = Object.fromEntries(measureNames.map((name, index) => [name, index])) as Record<
  MeasureName,
  number
>

export const measureCount: number = measureNames.length

/** Index of the first measure of conversions: measures from here on can be divided by activity. */
export const conversionStart = measureIndex.clickConversions

export type Sums = Float64Array
export const newSums = (): Sums => new Float64Array(measureCount)

export function addSums(target: Sums, more: Sums, from = 0, to = measureCount): void {
  for (let index = from; index < to; index++) target[index]! += more[index]!
}

/** Average part of impressions that are viewable, as `deliver` generates them. */
export const viewableRate = 0.92 * 0.64
