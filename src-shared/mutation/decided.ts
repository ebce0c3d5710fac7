import { sameJson, type Json, type JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import type { Rules } from '#shared/merge/rules'
import type { OutboxEntry } from './entry'

/** The outcome of a field in conflict: one side, or a value that the user combined from both. */
export type Decision = 'mine' | 'theirs' | { value: Json }

/** True if an edit doesn't touch a field, or sets it to its base value. */
const isAsBefore = ({ base, patch }: Pick<OutboxEntry, 'base' | 'patch'>, field: string): boolean =>
  !(field in patch) || sameJson(patch[field] ?? null, base?.[field] ?? null)

/**
 * Fields in conflict that the edit's author has set back to the original value. Merging treats them as unchanged, but theirs
 * wins only once someone chose it.
 */
export function setBack({ base, patch, conflict }: Pick<OutboxEntry, 'base' | 'patch' | 'conflict'>): string[] {
  if (!conflict?.remote) return []
  return conflict.fields.filter((field) => field in patch && isAsBefore({ base, patch }, field))
}

/**
 * Returns the patch to send after a conflict is resolved: everything merged automatically, and the chosen side of each
 * field in conflict, or theirs if none was chosen. In a list or object the choice covers only the entries and parts in
 * conflict.
 */
export function decidedPatch(
  rules: Rules,
  { base, patch, conflict }: Pick<OutboxEntry, 'base' | 'patch' | 'conflict'>,
  decisions: Readonly<Record<string, Decision>>,
): JsonObject {
  const result: JsonObject = { ...conflict?.merged }
  if (!conflict?.remote) return result
  const { remote, fields } = conflict
  const decided = {
    mine: merge(rules, base ?? {}, patch, remote, 'mine').patch,
    theirs: merge(rules, base ?? {}, patch, remote, 'theirs').patch,
  }
  for (const field of fields) {
    const decision = decisions[field] ?? 'theirs'
    const isOriginal = decision === 'mine' && rules.unit(field).every((name) => isAsBefore({ base, patch }, name))
    const chosen = isOriginal ? { value: base?.[field] ?? null } : decision
    const value = typeof chosen === 'string' ? decided[chosen][field] : chosen.value
    const isTheirs = typeof chosen === 'object' && sameJson(value, remote[field] ?? null)
    if (value === undefined || isTheirs) delete result[field]
    else result[field] = value
  }
  return result
}
