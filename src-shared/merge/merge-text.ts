import { diff3Merge } from 'node-diff3'

const pieces = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** Merges two edits of a text by words. Undefined if both changed the same words differently. */
export function mergeWords(base: string, mine: string, theirs: string): string | undefined {
  const merged: string[] = []
  for (const part of diff3Merge(pieces(mine), pieces(base), pieces(theirs), { excludeFalseConflicts: true })) {
    if (part.conflict) return undefined
    merged.push(...(part.ok ?? []))
  }
  return merged.join('')
}
