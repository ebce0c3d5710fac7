import type { JsonObject } from '#shared/json'

/** A stored object: the fields of the newest version, and hidden ones (its accountId). */
export type Stored = JsonObject & { readonly id: string }
