import type { JsonObject } from '#shared/json'

const writers: ReadonlySet<unknown> = new Set(['owner', 'writer', 'writerWithoutPrivateAccess'])

/** True if the user’s role in a calendar, an entry of their list, lets them change its events. */
export const isWritable = (calendar: JsonObject | null | undefined): boolean => writers.has(calendar?.['accessRole'])
