import { stretch } from '../reporting/audience'
import type { Span } from '../reporting/days'
import { conversionCost, convert, deliver } from '../reporting/delivery'
import { conversionsOn } from '../reporting/conversions'
import { addSums, conversionStart, measureCount, measureIndex as at, newSums, type Sums } from '../reporting/measures'
import type { Level, Subject } from './search-columns'
import { adOffset, campaignsIn, cellsIn, keywordOffset } from './conversions-read'
import type { Scope } from './scope'
import { adGroupOf, stretchOf, type AdGroup, type SearchCampaign, type SearchTree } from './tree'

export interface SubjectSums {
  subject: Subject
  sums: Sums
}

/** How to divide metrics: by segments of a day, and by activity. */
export interface Division {
  dayKey?: (subject: Subject) => string
  byActivity: boolean
}

/** All objects of a level in a scope, with or without results. */
export function* subjectsOf(tree: SearchTree, scope: Scope, level: Level): Generator<Subject> {
  if (level === 'advertiser' || level === 'account') {
    for (const advertiser of scope.advertiser ? [scope.advertiser] : tree.advertisers) yield { advertiser }
    return
  }
  for (const campaign of campaignsIn(tree, scope)) {
    const { advertiser } = campaign
    if (level === 'campaign') yield { advertiser, campaign }
    else
      for (const adGroup of campaign.adGroups) {
        if (scope.adGroup && scope.adGroup !== adGroup) continue
        if (level === 'adGroup') yield { advertiser, campaign, adGroup }
        else if (level === 'keyword')
          for (const keyword of adGroup.keywords) yield { advertiser, campaign, adGroup, keyword }
        else for (const ad of adGroup.ads) yield { advertiser, campaign, adGroup, ad }
      }
  }
}

export const subjectKey = ({ advertiser, campaign, adGroup, keyword, ad }: Subject, level: Level): string => {
  switch (level) {
    case 'advertiser':
    case 'account':
      return String(advertiser?.id)
    case 'campaign':
      return String(campaign?.id)
    case 'adGroup':
      return String(adGroup?.id)
    case 'keyword':
      return String(keyword?.id)
    case 'ad':
      return String(ad?.id)
  }
}

/**
 * Totals of trafficking's campaigns by search objects. Uses the same cells and random draws, so the two services agree.
 * Conversions are post-click.
 */
export function sumsBySubject(
  tree: SearchTree,
  scope: Scope,
  level: Level,
  span: Span,
  division: Division,
): Map<string, SubjectSums> {
  const found = new Map<string, SubjectSums>()
  const { moment } = tree.source
  const add = (subject: Subject, sums: Sums, from: number, to: number): void => {
    let key = subjectKey(subject, level)
    if (division.dayKey) key += `\u0000${division.dayKey(subject)}`
    if (division.byActivity) key += `\u0000${subject.activity?.id}`
    let entry = found.get(key)
    if (!entry) found.set(key, (entry = { subject: { ...subject }, sums: newSums() }))
    addSums(entry.sums, sums, from, to)
  }
  const delivered = newSums()
  const converted = newSums()
  const part = newSums()
  const divides = level === 'keyword' || level === 'ad'
  for (const campaign of campaignsIn(tree, scope)) {
    for (const cell of cellsIn(campaign, scope)) {
      const adGroup = adGroupOf(campaign, cell.place)
      const subject: Subject = { advertiser: campaign.advertiser, campaign, adGroup }
      for (let day = Math.max(span.from, cell.from); day <= Math.min(span.to, cell.to, moment.today); day++) {
        if (!deliver(cell, day, moment, delivered)) continue
        subject.day = day
        cell.activities.forEach((activity, index) => {
          if (!convert(cell, activity, index, day, delivered, converted)) return
          delivered[at.costMicros]! += conversionCost(cell, activity, day, converted)
          // Keywords and ads count their conversions one by one below.
          if (divides || converted[at.clickConversions] === 0) return
          add({ ...subject, activity }, converted, conversionStart, measureCount)
        })
        if (!division.byActivity)
          eachPart(
            level,
            adGroup,
            subject,
            delivered,
            part,
            level === 'keyword' ? keywordOffset(cell, day) : adOffset(cell, day),
            add,
          )
        if (!divides || delivered[at.clicks] === 0) continue
        for (const made of conversionsOn([cell], day, moment)) {
          if (!made.afterClick) continue
          const one: Subject = { ...subject, activity: made.activity }
          if (level === 'keyword')
            one.keyword = stretchOf(adGroup.keywords, made.number, made.of, keywordOffset(cell, day))
          else one.ad = stretchOf(adGroup.ads, made.number, made.of, adOffset(cell, day))
          add(one, single(made.revenueMicros, made.activity.sale), conversionStart, measureCount)
        }
      }
    }
  }
  addInserted(tree, scope, level, span, add)
  return found
}

function single(revenueMicros: number, sale: boolean): Sums {
  const sums = newSums()
  sums[at.clickConversions] = 1
  sums[at.quantity] = 1
  if (sale) sums[at.clickTransactions] = 1
  sums[at.clickRevenueMicros] = revenueMicros
  return sums
}

type Add = (subject: Subject, sums: Sums, from: number, to: number) => void

function eachPart(
  level: Level,
  adGroup: AdGroup,
  subject: Subject,
  sums: Sums,
  part: Sums,
  offset: number,
  add: Add,
): void {
  if (level === 'keyword') {
    for (const keyword of adGroup.keywords)
      if (stretch(sums, keyword.start, keyword.end, offset, part))
        add({ ...subject, keyword }, part, 0, conversionStart)
  } else if (level === 'ad') {
    for (const ad of adGroup.ads)
      if (stretch(sums, ad.start, ad.end, offset, part)) add({ ...subject, ad }, part, 0, conversionStart)
  } else add(subject, sums, 0, conversionStart)
}

/** Adds conversions sent by clients to the ad group, keyword, and ad they name, or to those chosen by their user. */
function addInserted(tree: SearchTree, scope: Scope, level: Level, span: Span, add: Add): void {
  const campaigns = new Map<string, SearchCampaign>()
  for (const advertiser of tree.advertisers)
    for (const campaign of advertiser.campaigns) campaigns.set(campaign.id, campaign)
  for (const { place, position, day, activity, sums, seed, search } of tree.source.inserted) {
    if (day < span.from || day > span.to) continue
    const advertiser = tree.advertisers.find(({ id }) => id === String(place.advertiser?.id))
    const campaign = campaigns.get(String(place.campaign?.id))
    if (!advertiser || (scope.advertiser && scope.advertiser !== advertiser)) continue
    if (scope.campaign && scope.campaign !== campaign) continue
    const adGroup =
      campaign &&
      (search?.adGroup !== undefined
        ? campaign.adGroups[search.adGroup]
        : position !== undefined
          ? adGroupOf(campaign, position)
          : undefined)
    if (scope.adGroup && scope.adGroup !== adGroup) continue
    const pick = <T>(list: readonly T[] | undefined, number: number | undefined): T | undefined =>
      search ? (number === undefined ? undefined : list?.[number]) : list?.[seed % list.length]
    const keyword = pick(adGroup?.keywords, search?.keyword)
    const ad = pick(adGroup?.ads, search?.ad)
    const subject: Subject = { advertiser, campaign, adGroup, keyword, ad, day, activity }
    if (subjectKey(subject, level) !== 'undefined') add(subject, sums, conversionStart, measureCount)
  }
}
