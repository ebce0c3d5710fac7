/** Formats one line of comma-separated (RFC 4180) or tab-separated values. */
export function separatedLine(values: readonly string[], format: 'csv' | 'tsv'): string {
  const needsQuotes = format === 'csv' ? /[",\r\n]/ : /["\t\r\n]/
  const quoted = values.map((value) => (needsQuotes.test(value) ? `"${value.replace(/"/g, '""')}"` : value))
  return quoted.join(format === 'csv' ? ',' : '\t') + (format === 'csv' ? '\r\n' : '\n')
}

/** Encodes lines as UTF-8 in chunks, so that a long file is never in memory as a single text. */
export function encodeLines(lines: Iterable<readonly string[]>, format: 'csv' | 'tsv'): Uint8Array {
  const pieces: Buffer[] = []
  let text = ''
  for (const line of lines) {
    text += separatedLine(line, format)
    if (text.length > 65_536) {
      pieces.push(Buffer.from(text))
      text = ''
    }
  }
  pieces.push(Buffer.from(text))
  return new Uint8Array(Buffer.concat(pieces))
}
