import type { Grain } from '#shared/facts/report-fields'
import { matchesWildcard } from '../wildcards'
import type { Dimension, Spot } from './dimensions'

export interface Filter {
  grain: Grain
  test(spot: Spot): boolean
}

export interface Match {
  dimension: Dimension
  matchType?: string
  id?: string
  value?: string
}

/** True if a text matches a filter. Only EXACT is case-sensitive. */
export function matchesText(matchType: string | undefined, wanted: string, text: string): boolean {
  const [low, pattern] = [text.toLowerCase(), wanted.toLowerCase()]
  switch (matchType) {
    case 'BEGINS_WITH':
      return low.startsWith(pattern)
    case 'CONTAINS':
      return low.includes(pattern)
    case 'WILDCARD_EXPRESSION':
      return matchesWildcard(pattern, low)
    default:
      return text === wanted
  }
}

/** Filters of the same dimension are alternatives. Those of different dimensions must all match. */
export function filtersOf(matches: readonly Match[]): Filter[] {
  const byDimension = new Map<Dimension, Match[]>()
  for (const match of matches) byDimension.set(match.dimension, [...(byDimension.get(match.dimension) ?? []), match])
  return [...byDimension].map(([dimension, alternatives]) => ({
    grain: dimension.grain,
    test: (spot) =>
      alternatives.some(({ id, value, matchType }) =>
        id !== undefined
          ? (dimension.id ? dimension.id(spot) : dimension.value(spot)) === id
          : matchesText(matchType, value ?? '', dimension.value(spot)),
      ),
  }))
}
