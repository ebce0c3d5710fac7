import { z } from 'zod'
import { wallOfInstant } from '../time/zones'

/** What a template of file names may hold: `{report} {from}`. */
export const namePlaces = ['report', 'from', 'to', 'account', 'run', 'view'] as const
export type NamePlace = (typeof namePlaces)[number]
export type NameParts = Partial<Record<NamePlace, string>>

export const usualTemplate = '{report} {from} {to} {view}'
const longest = 120
/** What file systems take of a name, less the ends that are put to it. */
const mostBytes = 200

const reserved = /^(con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i

/** The first places in a template that mean nothing; undefined where all do. */
export const unknownPlace = (template: string): string | undefined =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!).find((name) => !isPlace(name))

const isPlace = (name: string): name is NamePlace => namePlaces.some((place) => place === name)

/** A template as it is kept: `{report} {from} {to}`. */
export const templateSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((template) => unknownPlace(template) === undefined, 'Unknown placeholder in the file name')

/**
 * A name that every system takes, without its extension: signs and names that one of them keeps to itself are replaced, and
 * what is too long is cut, within 120 characters and what disks take in bytes.
 */
export function safeStem(name: string): string {
  const stem = cut(
    name
      .normalize('NFC')
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g, ' ')
      // Signs that nobody sees: two names that look alike would be two files.
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .replace(/^[\s.]+/, ''),
    longest,
  )
  return stem === '' || reserved.test(stem.split('.')[0]!.trim()) ? `Flightplan ${stem}`.trim() : stem
}

/** The name that a template makes, without its extension. What is too long takes from the report's name and keeps the days. */
export function nameFrom(template: string, parts: NameParts): string {
  const filled = (report: string): string =>
    template
      .replace(/\{([^{}]*)\}/g, (all, name: string) =>
        name === 'report' ? report : isPlace(name) ? (parts[name] ?? '') : all,
      )
      .replace(/\s+/g, ' ')
      // What stood between parts of which one is empty.
      .replace(/(?:\s*[-–_,·]\s*)+$/, '')
      .trim()
  const { report = '' } = parts
  // One sign in its place: spaces around nothing would go.
  const room = longest + 1 - [...filled('x')].length
  return safeStem(filled(room < 8 ? report : cut(report, room)))
}

/** `2026-11-22 0804`: a moment as names of files take it, in a zone. */
export const momentName = (at: number, zone: string): string =>
  new Date(wallOfInstant(at, zone)).toISOString().slice(0, 16).replace('T', ' ').replace(':', '')

/** No more than so many characters and bytes, whole ones, without a space or a dot at the end. */
function cut(text: string, most: number): string {
  let kept = ''
  let bytes = 0
  for (const [at, sign] of [...text].entries()) {
    bytes += bytesOf(sign)
    if (at >= most || bytes > mostBytes) break
    kept += sign
  }
  return kept.replace(/[\s.]+$/, '')
}

/** Of UTF-8. */
function bytesOf(sign: string): number {
  const code = sign.codePointAt(0)!
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
}

/** What was made of a table, as `{view}` says it; empty for the whole of it. */
export const shapeName = ({ group, filters }: { group: readonly string[]; filters: readonly unknown[] }): string =>
  [group.length > 0 ? `by ${group.join(', ')}` : '', filters.length > 0 ? 'filtered' : ''].filter(Boolean).join(' ')
