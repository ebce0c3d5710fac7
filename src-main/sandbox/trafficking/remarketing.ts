import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { invalid } from '../problems'
import { logChanges } from './change-logs'
import { filtersOf } from './filters'
import { answerPage } from './list'
import { objectsOf, type Objects } from './objects'
import type { Stored } from './stored'
import { isVisible, profileOf } from './profiles'
import { checkReferences } from './checks'
import { missing, noSuch } from './refusals'
import { valuesAt } from './shapes'
import { patching, replacing } from './write'
import { view } from './view'

const shareOf = (objects: Objects, list: Stored): Stored =>
  objects.get('remarketingListShares', list.id) ?? {
    id: list.id,
    accountId: list.accountId,
    remarketingListId: list.id,
    sharedAccountIds: [],
    sharedAdvertiserIds: [],
  }

/**
 * Every list has a share, initially empty.
 * @throws Problem 404 for an unknown list
 */
function findShare(call: Call, id: string): Stored {
  const objects = objectsOf(call.service.store)
  const list = objects.get('remarketingLists', id)
  if (!list || !isVisible(profileOf(call), list)) throw noSuch('remarketing list', id)
  return shareOf(objects, list)
}

const shown = (call: Call, share: Stored): JsonObject =>
  view(call.table, objectsOf(call.service.store), 'remarketingListShares', 'RemarketingListShare', share, 'get')

export const getShare = (call: Call): JsonObject =>
  shown(call, findShare(call, (call.params as { remarketingListId: string }).remarketingListId))

export function patchShare(call: Call): JsonObject {
  const { id } = call.params as { id: string }
  const body = call.body as JsonObject
  if (typeof body.remarketingListId === 'string' && body.remarketingListId !== id)
    throw invalid('The id of the body is not the one of the query.', 'remarketingListId')
  return share(call, patching(call, body, findShare(call, id)))
}

export function updateShare(call: Call): JsonObject {
  const body = call.body as JsonObject
  if (typeof body.remarketingListId !== 'string') throw missing('remarketingListId')
  return share(call, replacing(call, body, findShare(call, body.remarketingListId)))
}

function share(call: Call, draft: ReturnType<typeof patching>): JsonObject {
  checkReferences(draft)
  const { objects, before, after, profile } = draft
  const object: Stored = { ...after, id: before!.id }
  objects.put('remarketingListShares', object)
  for (const name of ['sharedAccountIds', 'sharedAdvertiserIds']) {
    const [oldValue, newValue] = [before?.[name], object[name]].map((value) => JSON.stringify(value ?? []))
    if (oldValue === newValue) continue
    logChanges(objects, profile, call.service.store.now, [
      {
        objectType: 'OBJECT_REMARKETING_LIST',
        objectId: object.id,
        action: 'ACTION_SHARE',
        fieldName: name,
        oldValue,
        newValue,
      },
    ])
  }
  return shown(call, object)
}

/** True if an advertiser may target a list: its own, or one shared with it or its account. */
function isTargetable(objects: Objects, list: Stored, advertiserId: string): boolean {
  if (list.advertiserId === advertiserId) return true
  const { sharedAdvertiserIds, sharedAccountIds } = shareOf(objects, list)
  const accountId = objects.get('advertisers', advertiserId)?.accountId
  return (
    valuesAt(sharedAdvertiserIds, []).includes(advertiserId) ||
    (typeof accountId === 'string' && valuesAt(sharedAccountIds, []).includes(accountId))
  )
}

export function listTargetable(call: Call): JsonObject {
  const { advertiserId } = call.params as { advertiserId: string }
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const keeps = filtersOf(call.table, call.method, objects, call.params as Record<string, unknown>)
  const advertiser = objects.get('advertisers', advertiserId)
  const found =
    advertiser && isVisible(profile, advertiser)
      ? objects.list('remarketingLists').filter((list) => isTargetable(objects, list, advertiserId) && keeps(list))
      : []
  return answerPage(call, 'targetableRemarketingLists', found)
}

/** A list of the account, or one that is shared with it. */
export function getTargetable(call: Call): JsonObject {
  const { id } = call.params as { id: string }
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const list = objects.get('remarketingLists', id)
  const shared = list !== undefined && valuesAt(shareOf(objects, list).sharedAccountIds, []).includes(profile.accountId)
  if (!list || !(isVisible(profile, list) || shared)) throw noSuch('targetable remarketing list', id)
  return view(call.table, objects, 'remarketingLists', call.method.response!, list, 'get')
}
