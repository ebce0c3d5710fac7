import type { OperationId } from '#shared/wire/services'
import { calendarCases } from './calendar'
import { discoveryCases } from './discovery'
import { tasksCases } from './tasks'
import type { World } from './world'

/** A case for every operation of every table: a new row does not compile without one, unless a rule covers it. */
export function allCases(world: World): Partial<Record<OperationId, () => Promise<unknown>>> {
  return { ...calendarCases(world), ...discoveryCases(world), ...tasksCases(world) }
}
