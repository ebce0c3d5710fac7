import { z } from 'zod'
import { wallOfInstant } from '../time/zones'

/** Placeholders of file name templates, such as `{report} {from}`. */
export const namePlaces = ['report', 'from', 'to', 'account', 'run', 'view'] as const
export type NamePlace = (typeof namePlaces)[number]
export type NameParts = Partial<Record<NamePlace, string>>

export const usualTemplate = '{report} {from} {to} {view}'
const maxLength = 120
/** Maximum length of a name in bytes, minus room for suffixes. */
const maxBytes = 200

const reserved = /^(con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i

/** First unknown placeholder of a template, or undefined. */
export const unknownPlace = (template: string): string | undefined =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!).find((name) => !isPlace(name))

const isPlace = (name: string): name is NamePlace => namePlaces.some((place) => place === name)

/** Stored template, such as `{report} {from} {to}`. */
export const templateSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((template) => unknownPlace(template) === undefined, 'Unknown placeholder in the file name')

/**
 * Makes a file name without extension that's valid on every system. Replaces reserved characters and names, and cuts it
 * to 120 characters and to the byte limit of file systems.
 */
export function safeStem(name: string): string {
  const stem = cut(
    name
      .normalize('NFC')
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g, ' ')
      // Invisible characters: two identical-looking names would be two files.
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .replace(/^[\s.]+/, ''),
    maxLength,
  )
  return stem === '' || reserved.test(stem.split('.')[0]!.trim()) ? `Flightplan ${stem}`.trim() : stem
}

/** Fills in a template, without extension. Shortens the report's name if the result is too long, to keep the dates. */
export function nameFrom(template: string, parts: NameParts): string {
  const filled = (report: string): string =>
    template
      .replace(/\{([^{}]*)\}/g, (all, name: string) =>
        name === 'report' ? report : isPlace(name) ? (parts[name] ?? '') : all,
      )
      .replace(/\s+/g, ' ')
      // Separators next to an empty part.
      .replace(/(?:\s*[-–_,·]\s*)+$/, '')
      .trim()
  const { report = '' } = parts
  // Use a placeholder character, because spaces around an empty name would be removed.
  const room = maxLength + 1 - [...filled('x')].length
  return safeStem(filled(room < 8 ? report : cut(report, room)))
}

/** Formats a time for file names: `2026-11-22 0804`. */
export const momentName = (at: number, zone: string): string =>
  new Date(wallOfInstant(at, zone)).toISOString().slice(0, 16).replace('T', ' ').replace(':', '')

/** Cuts text to a number of whole characters and bytes, without trailing spaces or dots. */
function cut(text: string, most: number): string {
  let kept = ''
  let bytes = 0
  for (const [at, sign] of [...text].entries()) {
    bytes += bytesOf(sign)
    if (at >= most || bytes > maxBytes) break
    kept += sign
  }
  return kept.replace(/[\s.]+$/, '')
}

/** Length of a character in UTF-8. */
function bytesOf(sign: string): number {
  const code = sign.codePointAt(0)!
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
}

/** Value of `{view}`: summary of a table's shape, or empty for the whole table. */
export const shapeName = ({ group, filters }: { group: readonly string[]; filters: readonly unknown[] }): string =>
  [group.length > 0 ? `by ${group.join(', ')}` : '', filters.length > 0 ? 'filtered' : ''].filter(Boolean).join(' ')
