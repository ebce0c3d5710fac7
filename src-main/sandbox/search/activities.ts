import type { Activity, Place } from '../reporting/tree'
import type { SearchTree } from './tree'

/** An advertiser's tracking activity by ID, name, or both if they agree. */
export function activityOf(
  tree: SearchTree,
  advertiserId: string,
  id: string | undefined,
  name: string | undefined,
): (Activity & Place) | undefined {
  return [...tree.source.tree.activities.values()].find(
    (activity) =>
      String(activity.advertiser?.id) === advertiserId &&
      (id === undefined || activity.id === id) &&
      (name === undefined || activity.object.name === name),
  )
}
