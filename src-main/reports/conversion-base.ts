import { decimalOf, listedText } from '#shared/search-ads/conversion-columns'
import { changeableFields, type Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import { findConversions } from './conversion-lookup'

/** State of a conversion before an update: already updated, as the user saw it, or changed by someone else since. */
export type CurrentState = 'done' | 'asSeen' | { there: Sending['body']; words: string }

/**
 * Checks for lost updates before the values of conversions are replaced. `earlier`: this computer's own changes to one. A
 * conversion that can't be looked up counts as seen.
 * @throws FaultError if the lookup must be retried later
 */
export async function currentStatesOf(
  client: Client,
  updates: readonly (Pick<Sending, 'body' | 'shown'> & { earlier: readonly Sending['body'][] })[],
): Promise<CurrentState[]> {
  const found = await findConversions(
    client,
    updates.map(({ body }) => body),
  )
  return updates.map((update, at) => stateOf(found[at], update))
}

function stateOf(
  there: Conversion | undefined,
  { body, shown, earlier }: Parameters<typeof currentStatesOf>[1][number],
): CurrentState {
  if (!there) return 'asSeen'
  const holds = (values: Sending['body']): boolean =>
    changeableFields.every((field) => values[field] === undefined || String(values[field]) === there[field])
  if (holds(body)) return 'done'
  const isShown = shown && changeableFields.every((field) => String(shown[field] ?? '') === (there[field] ?? ''))
  if (!shown || isShown || earlier.some(holds)) return 'asSeen'
  return { there: changeableOf(there), words: words(there, shown, body) }
}

/** Fields that an update can change. */
export const changeableOf = (one: Conversion | Sending['body']): Sending['body'] =>
  Object.fromEntries(changeableFields.flatMap((field) => (one[field] === undefined ? [] : [[field, one[field]]])))

const names = {
  revenueMicros: 'Revenue',
  currencyCode: 'Currency',
  quantityMillis: 'Quantity',
  state: 'State',
} as const
const digits: Partial<Record<keyof typeof names, number>> = { revenueMicros: 6, quantityMillis: 3 }

function words(there: Conversion, shown: Sending['body'], body: Sending['body']): string {
  const said = (field: keyof typeof names, value: string | number | undefined): string => {
    if (value === undefined) return 'empty'
    if (field === 'state') return listedText(String(value))
    return digits[field] ? decimalOf(String(value), digits[field]) : String(value)
  }
  const parts = changeableFields
    .filter((field) => String(shown[field] ?? '') !== (there[field] ?? ''))
    .map((field) => {
      const mine = body[field] === undefined ? '' : ` (your change: ${said(field, body[field])})`
      return `${names[field]} was ${said(field, shown[field])} and is now ${said(field, there[field])}${mine}`
    })
  return `Someone else changed this conversion, so your change wasn’t sent. ${parts.join('. ')}.`
}
