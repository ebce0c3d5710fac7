import type { Collection } from '#shared/facts/collection'
import { sameJson, type Json } from '#shared/json'
import type { RecordWordContext } from '../../context/record-words'
import type { CampaignsModel } from './model.svelte'
import { cellWords } from './cells'

/** Treats absent and null as equal. */
export const sameValue = (one: Json | undefined, other: Json | undefined): boolean =>
  sameJson(one ?? null, other ?? null)

/** True if a value differs both from what its author saw and from what they're writing. */
export const changedSinceSeen = (now: Json | undefined, seen: Json | undefined, to: Json | undefined): boolean =>
  !sameValue(now, seen) && !sameValue(now, to)

/** Describes the value of a path, for use in a sentence. */
export function placeWords(
  { app }: CampaignsModel,
  facts: Collection,
  path: string,
  value: Json | undefined,
  context: RecordWordContext,
): string {
  const words = cellWords(app.replica.facts, facts, path, (at) => (at === path ? value : undefined), context)
  return words === '' ? 'nothing' : `“${words}”`
}
