import { newestOf, serviceNames, tableOf, type ServiceName, type Versions } from '../wire/services'
import type { Collection } from './collection'
import { deriveCollections } from './derive'
import type { ServiceRemarks } from './remark'
import { calendarRemarks } from './remarks/calendar'
import { tasksRemarks } from './remarks/tasks'
import { traffickingRemarks } from './remarks/trafficking'

/** Remarks by service. A service without remarks stores nothing locally. */
export type Remarks = Readonly<Partial<Record<ServiceName, ServiceRemarks>>>

export const remarks: Remarks = { calendar: calendarRemarks, tasks: tasksRemarks, trafficking: traffickingRemarks }

/** Everything known about an account's collections. */
export interface Facts {
  readonly all: readonly Collection[]
  find(name: string): Collection | undefined
  /** @throws RangeError for a collection that there is none of. */
  of(name: string): Collection
}

/** Facts for the versions of an account's services, or the newest ones. */
export function deriveFacts(versions: Versions, from: Remarks = remarks): Facts {
  const all = serviceNames.flatMap((service) => {
    const known = from[service]
    return known ? deriveCollections(service, tableOf(service, versions[service]), known) : []
  })
  const byName = new Map<string, Collection>(all.map((collection) => [collection.name, collection]))
  if (byName.size < all.length) throw new Error('Two collections have the same name')
  return {
    all,
    find: (name) => byName.get(name),
    of(name) {
      const collection = byName.get(name)
      if (!collection) throw new RangeError(`No collection ${name}`)
      return collection
    },
  }
}

const known = new Map<string, Facts>()

/** Like `deriveFacts`, cached by combination of versions. */
export function factsOf(versions: Versions = {}): Facts {
  // Every call asks for them.
  let key = ''
  for (const service of serviceNames) key += `${versions[service] ?? newestOf(service)} `
  let facts = known.get(key)
  if (!facts) {
    for (const service of serviceNames) tableOf(service, versions[service])
    known.set(key, (facts = deriveFacts(versions)))
  }
  return facts
}
