import type { OperationId } from '#shared/wire/services'
import { calendarCases } from './calendar'
import { discoveryCases } from './discovery'
import { searchCases } from './search'
import { tasksCases } from './tasks'
import { traffickingCases } from './trafficking'
import type { World } from './world'

/** A case for every operation of every table. A new row gets one by its type's rule, fails to compile, or fails the test. */
export function allCases(world: World): Partial<Record<OperationId, () => Promise<unknown>>> {
  return {
    ...calendarCases(world),
    ...discoveryCases(world),
    ...tasksCases(world),
    ...traffickingCases(world),
    ...searchCases(world),
  }
}
