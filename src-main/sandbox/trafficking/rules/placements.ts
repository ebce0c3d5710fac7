import { isJsonObject, sameJson, type JsonObject } from '#shared/json'
import { fillIn, referred, type Draft, type Rules } from '../draft'
import { refusal } from '../refusals'
import type { Objects } from '../objects'
import type { Stored } from '../stored'
import { makeDefaultAds } from '../associations'
import { checkAdvertiser } from './ads'
import { keyNameOf } from './accounts'

export const placementRules: Rules = {
  fill(draft) {
    fillIn(draft, 'advertiserId', referred(draft, 'campaignId', 'campaigns')?.advertiserId)
    fillSite(draft)
    fillSchedule(draft)
    fillIn(draft, 'paymentApproved', true)
    if (draft.verb === 'insert') fillIn(draft, 'keyName', keyNameOf(String(draft.after.name)))
  },
  check(draft) {
    checkAdvertiser(draft)
    checkSchedule(draft)
  },
  stored({ objects, before, call, profile }, placement) {
    const changes = (...fields: string[]): boolean =>
      !before || fields.some((field) => !sameJson(before[field], placement[field]))
    if (changes('placementGroupId', 'primary'))
      for (const id of new Set([before?.placementGroupId, placement.placementGroupId]))
        if (typeof id === 'string') countChildren(objects, id)
    if (changes('archived', 'compatibility', 'size'))
      makeDefaultAds({ objects, profile, now: call.service.store.now }, String(placement.campaignId))
  },
}

export const placementGroupRules: Rules = {
  fill(draft) {
    fillSite(draft)
    fillSchedule(draft)
    fillIn(draft, 'childPlacementIds', [])
  },
  check(draft) {
    checkAdvertiser(draft)
    checkSchedule(draft)
  },
}

/** Sets a placement's site: the given one, or the one mapped to the directory site, which is created if necessary. */
function fillSite(draft: Draft): void {
  const { after, objects, profile } = draft
  const site = referred(draft, 'siteId', 'sites')
  if (site) {
    if (after.directorySiteId !== undefined && after.directorySiteId !== site.directorySiteId)
      throw refusal('foreign', 'directorySiteId is not the one of the site', 'directorySiteId')
    fillIn(draft, 'directorySiteId', site.directorySiteId)
    return
  }
  const directorySite = referred(draft, 'directorySiteId', 'directorySites')
  if (after.siteId !== undefined || !directorySite) return
  const mapped = objects
    .list('sites')
    .find((one) => one.directorySiteId === directorySite.id && one.accountId === profile.accountId)
  after.siteId = mapped?.id ?? makeSite(draft, directorySite).id
}

function makeSite({ objects, profile }: Draft, directorySite: Stored): Stored {
  const site: Stored = {
    id: objects.nextId('sites'),
    accountId: profile.accountId,
    subaccountId: profile.subaccountId,
    approved: true,
    directorySiteId: directorySite.id,
    keyName: keyNameOf(String(directorySite.name)),
    name: directorySite.name,
  }
  objects.put('sites', site)
  return site
}

/** A schedule without periods gets one with its own dates. A single period moves along with its schedule. */
function fillSchedule({ after, before }: Draft): void {
  const schedule = after.pricingSchedule
  if (!isJsonObject(schedule) || !schedule.startDate || !schedule.endDate) return
  const { startDate, endDate } = schedule
  const old = isJsonObject(before?.pricingSchedule) ? before.pricingSchedule : {}
  const periods = Array.isArray(schedule.pricingPeriods) ? schedule.pricingPeriods.filter(isJsonObject) : []
  const [only = { rateOrCostNanos: '0', units: '0' }, ...more] = periods
  const moved = (date: JsonObject[string], from: JsonObject[string], to: JsonObject[string]): JsonObject[string] =>
    date === undefined || date === from ? to : date
  after.pricingSchedule = {
    capCostOption: 'CAP_COST_NONE',
    flighted: periods.length > 1,
    testingStartDate: startDate,
    ...schedule,
    pricingPeriods:
      more.length > 0
        ? periods
        : [
            {
              ...only,
              startDate: moved(only.startDate, old.startDate, startDate),
              endDate: moved(only.endDate, old.endDate, endDate),
            },
          ],
  }
}

function checkSchedule(draft: Draft): void {
  const { after, before } = draft
  const schedule = after.pricingSchedule
  const campaign = referred(draft, 'campaignId', 'campaigns')
  if (!isJsonObject(schedule) || !campaign) return
  const [start, end] = [String(schedule.startDate), String(schedule.endDate)]
  if (end < start) throw refusal('dates', 'The schedule must not end before it starts', 'pricingSchedule.endDate')
  const old = isJsonObject(before?.pricingSchedule) ? before.pricingSchedule : undefined
  if (start !== old?.startDate && start < String(campaign.startDate))
    throw refusal('dates', 'The schedule must not start before the campaign', 'pricingSchedule.startDate')
  if (end !== old?.endDate && end > String(campaign.endDate))
    throw refusal('dates', 'The schedule must not end after the campaign', 'pricingSchedule.endDate')
  if (!Array.isArray(schedule.pricingPeriods)) return
  schedule.pricingPeriods.forEach((period, index) => {
    if (!isJsonObject(period)) return
    const at = `pricingSchedule.pricingPeriods[${index}]`
    const { startDate = start, endDate = end } = period as { startDate?: string; endDate?: string }
    if (endDate < startDate) throw refusal('dates', `${at} must not end before it starts`, `${at}.endDate`)
    if (startDate < start) throw refusal('dates', `${at} must not start before the schedule`, `${at}.startDate`)
    if (endDate > end) throw refusal('dates', `${at} must not end after the schedule`, `${at}.endDate`)
  })
}

function countChildren(objects: Objects, groupId: string): void {
  const group = objects.get('placementGroups', groupId)
  if (!group) return
  const children = objects.list('placements').filter((placement) => placement.placementGroupId === groupId)
  const primary = children.find((placement) => placement.primary === true)?.id
  objects.put('placementGroups', {
    ...group,
    childPlacementIds: children.map((placement) => placement.id),
    ...(primary && group.placementGroupType === 'PLACEMENT_ROADBLOCK' ? { primaryPlacementId: primary } : {}),
  })
}
