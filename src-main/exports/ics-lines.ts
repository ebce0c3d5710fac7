import type ICAL from 'ical.js'
import type { Json, JsonObject } from '#shared/json'

const limit = 75

/** A component's lines: folded at 75 octets, never inside a character (RFC 5545, 3.1), each with CRLF. */
export function contentLines(component: ICAL.Component): string {
  const lines = component
    .toString()
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

export function folded(line: string): string {
  if (Buffer.byteLength(line) <= limit) return line
  const rows: string[] = []
  let row = ''
  let size = 0
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (size + octets > limit) {
      rows.push(row)
      row = ' '
      size = 1
    }
    row += character
    size += octets
  }
  return [...rows, row].join('\r\n')
}

/** Removes what calendar files can't contain: control characters, lone surrogates, other line breaks. */
export function writable(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') {
    const plain = value.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    return Buffer.from(plain).toString()
  }
  if (Array.isArray(value)) return value.map((item) => writable(item) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const kept: JsonObject = {}
  for (const [name, item] of Object.entries(value)) kept[name] = writable(item)
  return kept
}

/** Escapes text for a property's value. ical.js only does so for properties it knows, not for X- properties. */
export const escaped = (text: string): string => text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\n/g, '\\n')

export const unescaped = (text: string): string =>
  text.replace(/\\([\\;,nN])/g, (_all, mark: string) => (mark.toLowerCase() === 'n' ? '\n' : mark))
