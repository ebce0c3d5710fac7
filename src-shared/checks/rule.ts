import type { Collection } from '#shared/facts/collection'
import type { CollectionName } from '#shared/facts/names'
import type { Json, JsonObject } from '#shared/json'

/** `error`: the service rejects it, or an own rule asks before it's posted. `warning`: it may cost money. `hint`: worth a look. */
export type Severity = 'error' | 'warning' | 'hint'

/** A record as the rules see it: with all drafts. */
export interface Checked {
  key: string
  collection: CollectionName
  id: string
  value: JsonObject
  /** The service’s version. Null for a new record. */
  base: JsonObject | null
}

/** The records around one, as far as they’re on this computer. */
export interface Around {
  /** Days as `2026-06-10`. */
  today: string
  /** Time zone in which a day of an ad ends. */
  zone: string
  facts: (collection: CollectionName) => Collection
  find: (collection: string, id: string) => Checked | undefined
  /** True if every record of a kind is here, so that one that isn’t found doesn’t exist. */
  isWhole: (collection: string) => boolean
  /** True if all ads of the placements are here. */
  knowsAds: boolean
  /** Records of a kind that refer to one by a field such as `campaignId`. */
  inside: (collection: CollectionName, field: string, id: string) => readonly Checked[]
  /** Ads with an active assignment of a placement. */
  adsOf: (placementId: string) => readonly Checked[]
  /** Active ads with an active assignment of a creative. */
  adsShowing: (creativeId: string) => readonly Checked[]
}

/** A new value of one place, in the record itself or in another one. */
export interface FixEdit {
  key: string
  path: string
  value: Json
}

export interface Fix {
  /** Says what it does, for one record and for many alike. */
  words: string
  edits: readonly FixEdit[]
}

/** Finding of a rule in a record. */
export interface Found {
  path: string
  /** Says what is wrong. Equal words are listed together. */
  words: string
  fixes?: readonly Fix[]
}

/** One rule, as data. */
export interface Rule {
  id: string
  severity: Severity
  /** Kinds that it looks at. */
  kinds: readonly CollectionName[]
  /** True if people wrote it. */
  isOwn?: true
  /** True for a warning that a post shows, because it's about what is paid. */
  money?: true
  /** Names what it looks for, as a heading. */
  title: string
  /** Paths of references whose records it looks up by name, even if they have no drafts. */
  names?: readonly string[]
  find: (record: Checked, around: Around) => readonly Found[]
}

export interface Finding extends Found {
  rule: Rule
  record: Checked
}
