import { fillIn, referred, type Draft, type Rules } from '../draft'
import { refusal } from '../refusals'
import { textAt } from '../shapes'

/** Today in UTC, as `YYYY-MM-DD`. */
export const today = ({ call }: Pick<Draft, 'call'>): string =>
  new Date(call.service.store.now).toISOString().slice(0, 10)

/** A flight ends after it starts, and not before today if it's new or changed. */
export const campaignRules: Rules = {
  fill(draft) {
    fillIn(draft, 'advertiserGroupId', referred(draft, 'advertiserId', 'advertisers')?.advertiserGroupId)
  },
  check(draft) {
    const { after, before } = draft
    const [start, end] = [String(after.startDate), String(after.endDate)]
    if (end <= start) throw refusal('dates', 'endDate must be after startDate', 'endDate')
    if (end !== before?.endDate && end < today(draft))
      throw refusal('dates', 'endDate must be today or later', 'endDate')
  },
}

export const eventTagRules: Rules = {
  fill(draft) {
    const { after } = draft
    const campaign = referred(draft, 'campaignId', 'campaigns')
    if (campaign) fillIn(draft, 'advertiserId', campaign.advertiserId)
    after.sslCompliant = textAt(after, 'url')?.startsWith('https:') ?? false
    if (Array.isArray(after.siteIds) && after.siteIds.length > 0) fillIn(draft, 'siteFilterType', 'WHITELIST')
  },
}
