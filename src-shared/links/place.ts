import { z } from 'zod'

/** A view and its parameters. Plain data, so that it can be stored and compared. */
export interface Place {
  view: string
  params: Readonly<Record<string, string | number>>
}

export const placeSchema = z.object({
  view: z.string().max(100),
  params: z.record(z.string().max(100), z.union([z.string().max(2_000), z.number()])),
})
