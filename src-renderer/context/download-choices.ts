import { isLocalId, type CollectionName } from '#shared/domain/collections'
import { recordTitle, type WordContext } from './record-words'
import type { Collection } from '#shared/facts/collection'
import type { DownloadChoice, Row } from '../replica/api'
import { byName } from '../ui/by-name'
import { dayMs, shortDate, yearOf } from '../ui/dates'
import type { PickRow } from '../ui/pick-row'

export type Part = 'advertisers' | 'campaigns'

/** True if a choice already covers a part of a profile. */
export function isChosen(choices: readonly DownloadChoice[], parent: string, what: DownloadChoice['what']): boolean {
  return choices.some((one) => {
    if (one.parent !== parent) return false
    if (one.what === 'all') return true
    if (typeof one.what === 'string' || typeof what === 'string') return one.what === what
    return one.what.collection === what.collection && one.what.id === what.id
  })
}

function dateWords(value: unknown, { today }: WordContext): string {
  const day = Date.parse(`${String(value ?? '').slice(0, 10)}T00:00:00Z`)
  // The weekday doesn't help among so many dates.
  return Number.isFinite(day) ? shortDate(Math.floor(day / dayMs) * dayMs, yearOf(today)).slice(4) : ''
}

/** True if a record may still run: not archived, not ended. @param today epoch milliseconds of the day's UTC midnight */
export function isActive({ value }: Pick<Row, 'value'>, today: number): boolean {
  if (!value || value['archived'] === true || value['suspended'] === true) return false
  const { status, endDate } = value
  if (typeof status === 'string' && status !== 'APPROVED') return false
  const end = typeof endDate === 'string' ? Date.parse(`${endDate.slice(0, 10)}T00:00:00Z`) : NaN
  return !Number.isFinite(end) || end >= today
}

/** Returns the rows to choose from by name, archived ones last. Campaigns show their advertiser and dates. */
export function pickRows(
  facts: Collection,
  rows: readonly Row[],
  options: {
    choices: readonly DownloadChoice[]
    words: string
    /** Omits archived and past records. */
    onlyActive: boolean
    context: WordContext
    /** The name of the advertiser of an ID. */
    advertiser: (id: string) => string | undefined
  },
): PickRow[] {
  const { choices, context, advertiser } = options
  const terms = options.words.toLowerCase().split(/\s+/).filter(Boolean)
  const collection: CollectionName = facts.name
  const found = rows.flatMap((row) => {
    const { id, parent, value } = row
    // The service has nothing for a record that only exists here.
    if (isLocalId(id)) return []
    if (options.onlyActive && !isActive(row, context.today)) return []
    const owner = value?.['advertiserId']
    const by = typeof owner === 'string' ? advertiser(owner) : undefined
    const name = recordTitle(facts, value) ?? `#${id}`
    const text = `${name} ${by ?? ''} ${id}`.toLowerCase()
    if (!terms.every((term) => text.includes(term))) return []
    const archived = value?.['archived'] === true
    const dates = [value?.['startDate'], value?.['endDate']].map((date) => dateWords(date, context)).filter(Boolean)
    const aside = [by, dates.join(' to '), archived ? 'archived' : ''].filter(Boolean).join(' · ')
    const chosen =
      isChosen(choices, parent ?? '', { collection, id }) ||
      (typeof owner === 'string' && isChosen(choices, parent ?? '', { collection: 'advertisers', id: owner }))
    return [
      { id, name, title: name, archived, ...(aside && { aside }), ...(chosen && { taken: 'already downloaded' }) },
    ]
  })
  return found.sort((a, b) => Number(a.archived) - Number(b.archived) || byName(a, b))
}
