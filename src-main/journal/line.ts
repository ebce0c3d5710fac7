import { createHash } from 'node:crypto'

/** A journal line is `<checksum> <json>\n`. The checksum detects torn and damaged lines. */
const checksum = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export function writeLine(value: unknown): string {
  const text = JSON.stringify(value)
  return `${checksum(text)} ${text}\n`
}

/** The value of a line (without its line break). Undefined if it's damaged. */
export function readLine(line: string): unknown {
  const text = line.slice(17)
  if (line[16] !== ' ' || line.slice(0, 16) !== checksum(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Splits a line at a damaged line break. The second part is empty at the end of the file. Undefined for other damage.
 */
export function splitAtDamagedBreak(line: string): [string, string] | undefined {
  if (readLine(line.slice(0, -1)) !== undefined) return [line.slice(0, -1), '']
  for (const { index } of line.matchAll(/(?<=.)[0-9a-f]{16} \{/gs))
    if (readLine(line.slice(index)) !== undefined) return [line.slice(0, index - 1), line.slice(index)]
  return undefined
}
