import type { AppContext } from '../../context/context'

/** Goes to what a placement delivered, day by day. */
export function showFigures({ navigation }: Pick<AppContext, 'navigation'>, key: string | undefined): void {
  if (key !== undefined) navigation.go('reports', { figuresOf: key })
}
