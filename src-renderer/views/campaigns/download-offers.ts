import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import { isActive } from '../../context/download-choices'
import { leastTimeWords } from '../../context/download-words'
import type { DownloadChoice, Replica } from '../../replica/api'
import { counted } from '../../ui/counted'
import { downloadsIn } from './freshness'
import type { Scope } from './scope'

/** A part of the account that can be downloaded at once. */
export interface DownloadOffer {
  title: string
  /** Its size and the time that it takes at least. */
  size: string
  /** Name in the message about the start. */
  what: string
  choices: readonly DownloadChoice[]
}
type Looking = Pick<Replica, 'facts' | 'rows' | 'peek' | 'chosenDownloads' | 'leastDownloadCalls'>

/**
 * True if a scope is known by its lists only, and nothing of its contents was chosen. All of a record that wasn't sent yet
 * is here.
 */
export const isBare = (replica: Pick<Looking, 'facts' | 'peek' | 'chosenDownloads'>, scope: Scope): boolean =>
  scope.profile !== '' &&
  !(scope.within !== undefined && isLocalId(parseRecordKey(scope.within).id)) &&
  !downloadsIn(replica.chosenDownloads(), scope, replica).some(({ what }) => what !== 'index')

/** True if a part of a scope was chosen separately, such as a campaign of an advertiser. */
export function isPartlyHere(
  replica: Pick<Looking, 'facts' | 'peek' | 'chosenDownloads'>,
  { profile, within }: Scope,
): boolean {
  if (within === undefined) return false
  const { collection, id } = parseRecordKey(within)
  return replica.chosenDownloads().some(({ parent, what }) => {
    if (typeof what === 'string' || parent !== profile) return false
    const field = replica.facts.of(what.collection).cuts.find(({ by }) => by === collection)?.field
    const value = replica.peek(recordKey(what.collection, profile, what.id))?.value ?? undefined
    return field !== undefined && valueAt(value, field) === id
  })
}

/**
 * What to download for a scope: an advertiser or campaign itself, or of a profile what's live and everything. Without its
 * lists, what's live isn't known.
 * @param today epoch milliseconds of the day's UTC midnight
 * @param perSecond calls that the service allows
 */
export function downloadOffers(
  replica: Looking,
  { profile, within }: Scope,
  today: number,
  perSecond: number | undefined,
): DownloadOffer[] {
  const sized = (offer: Omit<DownloadOffer, 'size'>, size = ''): DownloadOffer => ({
    ...offer,
    size: [size, leastTimeWords(replica.leastDownloadCalls(offer.choices), perSecond)].filter(Boolean).join(', '),
  })
  if (within !== undefined) {
    const { collection, id } = parseRecordKey(within)
    if (isLocalId(id)) return []
    const { one } = replica.facts.of(collection).words
    return [
      sized({ title: `This ${one}`, what: `this ${one}`, choices: [{ parent: profile, what: { collection, id } }] }),
    ]
  }
  const known = replica.rows('campaigns', profile).filter(({ id, value }) => value && !isLocalId(id))
  const live = known.filter((row) => isActive(row, today))
  const advertisers = replica.rows('advertisers', profile).length
  const all = sized(
    { title: 'Everything', what: 'everything', choices: [{ parent: profile, what: 'all' }] },
    known.length === 0 ? '' : `${counted(known.length, 'campaign')} of ${counted(advertisers, 'advertiser')}`,
  )
  if (live.length === 0) return [all]
  const choices = live.map(({ id }): DownloadChoice => ({ parent: profile, what: { collection: 'campaigns', id } }))
  const what = counted(live.length, 'current campaign')
  return [
    sized({ title: 'Current campaigns', what, choices }, `${live.length.toLocaleString('en')} live or upcoming`),
    all,
  ]
}
