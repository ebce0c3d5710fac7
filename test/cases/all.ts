import type { OperationId } from '#shared/wire/services'
import { calendarCases } from './calendar'
import { discoveryCases } from './discovery'
import { searchCases } from './search'
import { tasksCases } from './tasks'
import { traffickingCases } from './trafficking'
import type { World } from './world'

/** A case for every operation of every table. A new row has one by the rule of its kind, or does not compile, or is missed by the test. */
export function allCases(world: World): Partial<Record<OperationId, () => Promise<unknown>>> {
  return {
    ...calendarCases(world),
    ...discoveryCases(world),
    ...tasksCases(world),
    ...traffickingCases(world),
    ...searchCases(world),
  }
}
