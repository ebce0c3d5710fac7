import { createHash } from 'node:crypto'

/** A journal line is `<checksum> <json>\n`: the checksum tells a torn or damaged line from a whole one. */
const checksum = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export function writeLine(value: unknown): string {
  const text = JSON.stringify(value)
  return `${checksum(text)} ${text}\n`
}

/** The value of a line (without its line break), or undefined when it is damaged. */
export function readLine(line: string): unknown {
  const text = line.slice(17)
  if (line[16] !== ' ' || line.slice(0, 16) !== checksum(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
