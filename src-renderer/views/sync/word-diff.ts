import { diffComm } from 'node-diff3'

export interface Piece {
  text: string
  kind: 'same' | 'added' | 'removed'
}

const pieces = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** What changed between two texts, by words. */
export function wordDiff(before: string, after: string): Piece[] {
  const found: Piece[] = []
  for (const part of diffComm(pieces(before), pieces(after))) {
    if ('common' in part && part.common) found.push({ text: part.common.join(''), kind: 'same' })
    else if ('buffer1' in part) {
      if (part.buffer1.length > 0) found.push({ text: part.buffer1.join(''), kind: 'removed' })
      if (part.buffer2.length > 0) found.push({ text: part.buffer2.join(''), kind: 'added' })
    }
  }
  return found
}
