import type { Replica } from '../replica/api'
import { byName } from '../ui/by-name'

/** User profiles by name: `Alex.Morgan, Harbour & Pine Media`. */
export const profileNames = (replica: Pick<Replica, 'rows'>): { id: string; name: string }[] =>
  replica
    .rows('userProfiles')
    .map(({ id, value }) => ({
      id,
      name: [value?.['userName'], value?.['accountName']].filter(Boolean).join(', ') || `#${id}`,
    }))
    .sort(byName)
