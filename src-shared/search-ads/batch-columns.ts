import { instantOfWall, wallOfText } from '../time/zones'
import type { Conversion } from '../wire/search/types'
import { word } from '../wire/vocabulary'
import { conversionColumns } from './conversion-columns'

/** A column of imported rows: the field its header names, and the format of its cells. */
export interface BatchColumn {
  head: string
  field: keyof Conversion & string
  /** Cells are as the service writes them (whole micros), not as people do (12.50). */
  raw: boolean
  /** Times without a zone are in UTC. */
  utc: boolean
}

/** Fields that the service sets, and lists, which no cell holds. */
const notSent: ReadonlySet<string> = new Set([
  'dsConversionId',
  'conversionModifiedTimestamp',
  'segmentationType',
  'customDimension',
  'customMetric',
])

/** Common names of columns, in addition to file labels and field names. */
const others: Readonly<Record<string, keyof Conversion & string>> = {
  When: 'conversionTimestamp',
  Time: 'conversionTimestamp',
  Timestamp: 'conversionTimestamp',
  'Date and time': 'conversionTimestamp',
  Value: 'revenueMicros',
}

const plain = (head: string): string => head.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const known = new Map<string, Omit<BatchColumn, 'head'>>()
for (const [label, field] of Object.entries(others)) known.set(plain(label), { field, raw: false, utc: false })
for (const { head, from, field } of conversionColumns) {
  const own = (from?.field ?? field) as keyof Conversion & string
  known.set(plain(head), { field: own, raw: false, utc: /UTC/.test(head) })
  for (const name of [own, word(own, 'public')]) known.set(plain(name), { field: own, raw: true, utc: true })
}

/** The most common recognized headers, for display. */
export const usualHeads = ['Time', 'Activity', 'Click ID', 'Keyword ID', 'Conversion ID', 'Revenue', 'Currency']

export interface ReadHeads {
  /** By position in a row. Undefined for ignored columns. */
  columns: readonly (BatchColumn | undefined)[]
  /** Headers that match no field. */
  unknown: readonly string[]
  /** Headers of fields that aren't sent. */
  unused: readonly string[]
  /** Headers of fields that an earlier column already has. */
  twice: readonly string[]
}

/** Interprets the cells of a header row. */
export function headsOf(head: readonly string[]): ReadHeads {
  const unknown: string[] = []
  const unused: string[] = []
  const twice: string[] = []
  const taken = new Set<string>()
  const columns = head.map((text): BatchColumn | undefined => {
    const found = known.get(plain(text))
    if (!found) {
      if (text.trim() !== '') unknown.push(text.trim())
      return undefined
    }
    if (notSent.has(found.field)) unused.push(text.trim())
    else if (taken.has(found.field)) twice.push(text.trim())
    else {
      taken.add(found.field)
      return { head: text.trim(), ...found }
    }
    return undefined
  })
  return { columns, unknown, unused, twice }
}

/** True if a row is a header rather than a conversion. */
export const namesColumns = (head: readonly string[]): boolean =>
  headsOf(head).columns.filter((column) => column !== undefined).length >= 2

/** Days from the first of a spreadsheet's calendar to 1970. */
const sheetEpoch = 25_569

/**
 * Parses a moment to epoch milliseconds. Undefined if invalid.
 * @param zone zone of times without one
 */
export function momentOf(cell: string, zone: string): number | undefined {
  const text = cell.trim()
  if (/^\d{12,14}$/.test(text)) return Number(text)
  // A spreadsheet's serial date number.
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    const seconds = Math.round((Number(text) - sheetEpoch) * 86_400)
    return instantOfWall(seconds * 1_000, zone)
  }
  const [, day, time = '00:00', seconds = '', place] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]\s*(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(text) ?? []
  if (day === undefined) return undefined
  let wall
  try {
    wall = wallOfText(`${day}T${time}${seconds}`)
  } catch {
    return undefined
  }
  if (Number(time.slice(0, 2)) > 23 || Number(time.slice(3)) > 59 || Number(seconds.slice(1, 3)) > 59) return undefined
  const parts = Number((/\.(\d+)$/.exec(seconds)?.[1] ?? '').slice(0, 3).padEnd(3, '0'))
  if (place === undefined) return instantOfWall(wall, zone) + parts
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(place) ?? []
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  return wall + parts - offset
}
