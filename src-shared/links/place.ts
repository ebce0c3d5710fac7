import { z } from 'zod'
import { safeParse } from '../safe-parse'

/** A view and its parameters. Plain data, so that it can be stored and compared. */
export interface Place {
  view: string
  params: Readonly<Record<string, string | number>>
}

export const placeSchema = z.object({
  view: z.string().max(100),
  params: z.record(z.string().max(100), z.union([z.string().max(2_000), z.number()])),
})

/** A place as the fragment of a window's address, with its number sign. */
export const fragmentOf = (place: Place): string => `#${encodeURIComponent(JSON.stringify(place))}`

/** Reads such a fragment. Null if it says no place. */
export function placeOfFragment(fragment: string): Place | null {
  try {
    const read = safeParse(placeSchema, JSON.parse(decodeURIComponent(fragment.slice(1))))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
