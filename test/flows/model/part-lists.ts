import type { CollectionName } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { pickFrom } from './hands'
import { wordsIn } from './ledger'

/** A list of parts in a record: how to read and write it, and which field of a part can hold a word. */
interface PartList {
  of: (record: JsonObject) => JsonObject[]
  patch: (record: JsonObject, parts: JsonObject[]) => JsonObject
  part: (marker: string, parts: readonly JsonObject[], random: () => number) => JsonObject
  rewrite: (part: JsonObject, marker: string) => JsonObject
  /** Another field of a part, which isn't tracked. */
  number?: string
}

export interface PartEdit {
  patch: JsonObject
  what: string
  /** Words removed on purpose, and whether the edit's own is included. */
  replaces: string[]
  isWritten: boolean
}

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const address = (marker: string): string => `https://www.example/?${marker}`

/** In trafficking: parts numbered by the service, parts with possibly repeated keys, and parts with neither. */
export const partLists: Partial<Record<CollectionName, PartList>> = {
  sites: {
    of: ({ siteContacts }) => objects(siteContacts),
    patch: (_site, siteContacts) => ({ siteContacts }),
    part: (marker, parts) => ({
      email: `contact${parts.length}-${marker.slice(1)}@example.com`,
      contactType: 'TRAFFICKER',
      title: marker,
    }),
    rewrite: (part, title) => ({ ...part, title }),
  },
  campaigns: {
    of: ({ audienceSegmentGroups }) => objects(objects(audienceSegmentGroups)[0]?.audienceSegments),
    patch: ({ audienceSegmentGroups }, audienceSegments) => {
      const [first, ...rest] = objects(audienceSegmentGroups)
      return { audienceSegmentGroups: [{ ...(first ?? { name: 'Test' }), audienceSegments }, ...rest] }
    },
    part: (name) => ({ name, allocation: 10 }),
    rewrite: (part, name) => ({ ...part, name }),
    number: 'allocation',
  },
  placements: {
    of: ({ pricingSchedule }) => objects(objectOf(pricingSchedule).pricingPeriods),
    patch: ({ pricingSchedule }, pricingPeriods) => ({
      pricingSchedule: { ...objectOf(pricingSchedule), pricingPeriods },
    }),
    part: (pricingComment, parts) => ({
      startDate: `2026-03-${String(2 + parts.length).padStart(2, '0')}`,
      endDate: `2026-03-${String(2 + parts.length).padStart(2, '0')}`,
      units: '1000',
      pricingComment,
    }),
    rewrite: (part, pricingComment) => ({ ...part, pricingComment }),
    number: 'units',
  },
  ads: {
    of: ({ creativeRotation }) => objects(objectOf(creativeRotation).creativeAssignments),
    patch: ({ creativeRotation }, creativeAssignments) => ({
      creativeRotation: { ...objectOf(creativeRotation), creativeAssignments },
    }),
    // One creative may be assigned twice, for two date ranges.
    part: (marker, parts, random) => ({
      creativeId: parts.length > 0 ? pickFrom(random, parts).creativeId! : '1',
      active: true,
      weight: 1,
      clickThroughUrl: { customClickThroughUrl: address(marker) },
    }),
    rewrite: (part, marker) => ({ ...part, clickThroughUrl: { customClickThroughUrl: address(marker) } }),
    number: 'weight',
  },
}

/** An event's guests, by address. */
export const guests: PartList = {
  of: ({ attendees }) => objects(attendees),
  patch: (_event, attendees) => ({ attendees }),
  part: (marker, parts) => ({ email: `guest${parts.length}-${marker.slice(1)}@example.com`, displayName: marker }),
  rewrite: (part, displayName) => ({ ...part, displayName }),
}

/** One edit of a list: adds, rewrites, renumbers, moves, or removes a part. */
export function editParts(
  list: PartList,
  record: JsonObject,
  marker: string,
  random: () => number,
): PartEdit | undefined {
  const parts = list.of(record)
  const dice = random()
  const done = (what: string, next: JsonObject[], replaces: string[], isWritten: boolean): PartEdit => ({
    patch: list.patch(record, next),
    what,
    replaces,
    isWritten,
  })
  if (parts.length === 0 || dice < 0.3) {
    const added = list.part(marker, parts, random)
    return added.creativeId === '1' ? undefined : done('add part', [...parts, added], [], true)
  }
  const at = Math.floor(random() * parts.length)
  const part = parts[at]!
  const replaced = (next: JsonObject): JsonObject[] => parts.map((one, index) => (index === at ? next : one))
  if (dice < 0.6) {
    const next = list.rewrite(part, marker)
    const kept = wordsIn(next)
    const replaces = [...wordsIn(part)].filter((word) => !kept.has(word))
    return done('rewrite part', replaced(next), replaces, true)
  }
  if (dice < 0.72 && list.number) {
    const before = part[list.number]
    const value = Number(before ?? 1) + 1
    const next = { ...part, [list.number]: typeof before === 'string' ? String(value) : value }
    return done('count part', replaced(next), [], false)
  }
  const others = parts.filter((_, index) => index !== at)
  if (dice < 0.86) return parts.length < 2 ? undefined : done('move part', [...others, part], [], false)
  return done('remove part', others, [...wordsIn(part)], false)
}
