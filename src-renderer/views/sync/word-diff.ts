import { diffComm } from 'node-diff3'

export interface Piece {
  text: string
  kind: 'same' | 'added' | 'removed'
}

const pieces = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** Returns the word-level difference of two texts. Joins changes that only separators divide. */
export function wordDiff(before: string, after: string): Piece[] {
  const found: Piece[] = []
  let [removed, added, between] = ['', '', '']
  const end = (): void => {
    if (removed !== '') found.push({ text: removed, kind: 'removed' })
    if (added !== '') found.push({ text: added, kind: 'added' })
    if (between !== '') found.push({ text: between, kind: 'same' })
    removed = added = between = ''
  }
  for (const part of diffComm(pieces(before), pieces(after))) {
    if ('common' in part && part.common) {
      const text = part.common.join('')
      if (text.trim() === '' && (removed !== '' || added !== '')) between += text
      else {
        end()
        found.push({ text, kind: 'same' })
      }
    } else if ('buffer1' in part) {
      const [less, more] = [part.buffer1.join(''), part.buffer2.join('')]
      // Keeps pure additions and pure removals separate.
      if (between !== '' && ((removed + less).trim() === '' || (added + more).trim() === '')) end()
      removed += between + less
      added += between + more
      between = ''
    }
  }
  end()
  return found
}
