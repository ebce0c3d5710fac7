import type { FieldKind } from '#shared/fields/kind'
import { momentText } from '#shared/fields/read'
import { isJsonObject, type Json } from '#shared/json'
import { nanosWords } from '../../context/record-words'

/** Formats a value as people type it. Parsing the text gives the same value. */
export function typedText(kind: FieldKind | 'computed', value: Json | undefined, zone: string): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((one) => typedText('text', one, zone)).join(' | ')
  if (isJsonObject(value)) {
    const { width, height } = value
    return width !== undefined && height !== undefined ? `${String(width)} × ${String(height)}` : ''
  }
  if (kind === 'money') return nanosWords(String(value)).replaceAll(',', '')
  if (kind === 'moment') {
    const at = typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : Number(value)
    return Number.isFinite(at) ? momentText(at, zone) : String(value)
  }
  if (kind === 'yesNo') return value === true ? 'Yes' : 'No'
  return String(value)
}
