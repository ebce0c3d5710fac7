import { isJsonObject, type JsonObject } from '#shared/json'
import { fillIn, referred, type Draft, type Rules } from '../draft'
import { refusal } from '../refusals'

export const activityGroupRules: Rules = {
  fill(draft) {
    const configuration = referred(draft, 'trackingConfigurationId', 'trackingConfigurations')
    fillIn(draft, 'advertiserId', configuration?.advertiserId)
    if (draft.verb === 'insert') fillTagString(draft, 'trackingConfigurationId')
  },
  check: ({ after, before }) => {
    if (before && after.trackingConfigurationId !== before.trackingConfigurationId)
      throw refusal('fixed', 'trackingConfigurationId cannot be changed', 'trackingConfigurationId')
  },
  stored({ objects }, group) {
    for (const activity of objects.list('trackingActivities'))
      if (activity.trackingActivityGroupId === group.id && activity.trackingActivityGroupName !== group.name)
        objects.put('trackingActivities', { ...activity, trackingActivityGroupName: group.name })
  },
}

export const activityRules: Rules = {
  fill(draft) {
    const { after, objects } = draft
    const group = referred(draft, 'trackingActivityGroupId', 'trackingActivityGroups')
    if (group) {
      after.trackingActivityGroupName = group.name
      after.trackingActivityGroupTagString = group.tagString
      after.trackingActivityGroupType = group.type
      fillIn(draft, 'trackingConfigurationId', group.trackingConfigurationId)
      fillIn(draft, 'advertiserId', group.advertiserId)
    }
    fillIn(draft, 'sslCompliant', true)
    if (draft.verb === 'insert') fillTagString(draft, 'trackingActivityGroupId')
    if (Array.isArray(after.publisherTags))
      after.publisherTags = after.publisherTags.map((tag) => {
        if (!isJsonObject(tag) || tag.siteId !== undefined || typeof tag.directorySiteId !== 'string') return tag
        const site = objects.list('sites').find((one) => one.directorySiteId === tag.directorySiteId)
        return site ? { ...tag, siteId: site.id } : tag
      })
  },
  check(draft) {
    const group = referred(draft, 'trackingActivityGroupId', 'trackingActivityGroups')
    if (group && draft.after.trackingConfigurationId !== group.trackingConfigurationId)
      throw refusal('foreign', 'The group belongs to another tracking configuration', 'trackingActivityGroupId')
  },
}

/** Sets a short text that identifies the object in tags, unique within its parent. */
function fillTagString(draft: Draft, parent: string): void {
  const { after, objects, collection } = draft
  if (after.tagString !== undefined) return
  const taken = new Set(
    objects
      .list(collection)
      .filter((other: JsonObject) => other[parent] === after[parent])
      .map((other) => other.tagString),
  )
  const stem = `${String(after.name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}tag`.slice(0, 5)
  for (let number = 0; after.tagString === undefined; number++) {
    const made = `${stem}${String(number).padStart(3, '0')}`
    if (!taken.has(made)) after.tagString = made
  }
}
