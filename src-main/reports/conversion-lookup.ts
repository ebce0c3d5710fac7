import { faultOf, faults } from '#shared/fault'
import type { Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import type { Client } from '../services/client'

/** Maximum page size of the service, and maximum number of pages per lookup. */
const pageRows = 1_000
const maxPages = 20
const dayMs = 86_400_000

/** Fields that distinguish conversions with the same ID and time. */
const telling = [
  'type',
  'revenueMicros',
  'currencyCode',
  'quantityMillis',
  'segmentationId',
  'segmentationName',
  'clickId',
  'criterionId',
] as const

/**
 * Looks up conversions on the server: `same` if one has the values of its body, `other` if one with its ID and time has
 * other values, undefined if it can't be found out.
 * @throws FaultError if the lookup must be retried later
 */
export async function lookUpConversions(
  client: Client,
  bodies: readonly Sending['body'][],
): Promise<('same' | 'other' | undefined)[]> {
  const found = await findConversions(client, bodies)
  return found.map((there, at) => there && (isSame(bodies[at]!, there) ? 'same' : 'other'))
}

/**
 * Finds conversions by ID and time on the server, among those of their engine account and days. Undefined if that's not
 * possible.
 * @throws FaultError if the lookup must be retried later
 */
export async function findConversions(
  client: Client,
  bodies: readonly Sending['body'][],
): Promise<(Conversion | undefined)[]> {
  const answers: (Conversion | undefined)[] = bodies.map(() => undefined)
  const groups = new Map<string, number[]>()
  bodies.forEach((body, at) => {
    const { agencyId, advertiserId, engineAccountId } = body
    if (!agencyId || !advertiserId || !engineAccountId) return
    const place = [agencyId, advertiserId, engineAccountId].join('/')
    groups.set(place, [...(groups.get(place) ?? []), at])
  })
  for (const [place, members] of groups) {
    const [agencyId = '', advertiserId = '', engineAccountId = ''] = place.split('/')
    const times = members.map((at) => Number(bodies[at]!['conversionTimestamp']))
    const wanted = new Map(members.map((at) => [nameOf(bodies[at]!), at]))
    const window = {
      ...{ agencyId, advertiserId, engineAccountId },
      // Days are in the account's time zone, so add one at either end.
      startDate: dayNumber(Math.min(...times) - dayMs),
      endDate: dayNumber(Math.max(...times) + dayMs),
      rowCount: pageRows,
    }
    try {
      for (let page = 0; page < maxPages && wanted.size > 0; page++) {
        const { body } = await client.call('search.conversion.get', { ...window, startRow: page * pageRows })
        const found = body.conversion ?? []
        for (const one of found) {
          const at = wanted.get(nameOf(one))
          if (at === undefined) continue
          answers[at] = one
          wanted.delete(nameOf(one))
        }
        if (found.length < pageRows) break
      }
    } catch (error) {
      // A transient error: the doubtful conversions wait for the next lookup.
      const { code } = faultOf(error)
      if (faults[code].retry || code === 'signInExpired' || code === 'mistake') throw error
    }
  }
  return answers
}

export const nameOf = (one: Conversion | Sending['body']): string =>
  `${one.conversionId ?? ''}\n${one.conversionTimestamp ?? ''}`

/** The service returns both the name and the ID of an activity. */
const isSame = (body: Sending['body'], there: Conversion): boolean =>
  telling.every((field) => body[field] === undefined || String(body[field]) === there[field])

/** 20260610 */
const dayNumber = (at: number): number => Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))
