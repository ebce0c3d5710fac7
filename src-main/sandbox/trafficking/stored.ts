import type { JsonObject } from '#shared/json'

/** A stored object: the fields of the newest version, and those that no version shows (an accountId of its own). */
export type Stored = JsonObject & { readonly id: string }
