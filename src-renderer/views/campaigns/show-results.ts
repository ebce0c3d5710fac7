import type { AppContext } from '../../context/context'

/** Opens the daily delivery of a placement. */
export function showResults({ navigation }: Pick<AppContext, 'navigation'>, key: string | undefined): void {
  if (key !== undefined) navigation.go('reports', { resultsOf: key })
}
