import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { conditionSchema, type Condition } from '#shared/fields/condition'
import { sameJson } from '#shared/json'
import { layouts, type Layout } from './layouts'

/** Filters by state, in the order of their menu. */
export const stateFilters = ['living', 'all', 'archived', 'drafts', 'needsYou'] as const
/** Filter by state within a scope. */
export type StateFilter = (typeof stateFilters)[number]

/** What a saved view brings back. Without `shown` or `sort`, the usual columns or order. */
export interface ViewContent {
  shown?: readonly string[] | undefined
  where: readonly Condition[]
  state: StateFilter
  sort?: { column: string; down: boolean } | undefined
  /** Absent: the grid. */
  layout?: Layout | undefined
  /** Width of a day on the timeline, in CSS pixels. */
  zoom?: number | undefined
}
/** A view of a list under a name that is unique among those of its kind. */
export interface SavedView extends ViewContent {
  name: string
}
/** Views by account and kind. */
export type AllViews = Readonly<Record<string, Readonly<Record<string, readonly SavedView[]>>>>

export const maxViewName = 100
/** Maximum number of views of a kind, because they share a storage of a few megabytes with all settings. */
export const maxViews = 100

const path = z.string().min(1).max(200)
const view = z.object({
  name: z.string().trim().min(1).max(maxViewName),
  shown: z.array(path).min(1).max(100).optional().catch(undefined),
  where: z.array(conditionSchema).max(100),
  state: z.enum(stateFilters).catch('living'),
  sort: z.object({ column: path, down: z.boolean() }).optional().catch(undefined),
  layout: z
    .custom<Layout>((value) => layouts.some((one) => one.value === value))
    .optional()
    .catch(undefined),
  zoom: z.number().positive().optional().catch(undefined),
})

/** Stored views. Those that can't be read are left out, and so is the second of two with the same name. */
export function readViews(stored: unknown): AllViews {
  const record = z.record(z.string(), z.unknown())
  const byAccount = safeParse(record, stored)
  return mapped(byAccount.data, (kinds) =>
    mapped(safeParse(record, kinds).data, (list) => {
      const found = new Map<string, SavedView>()
      for (const one of Array.isArray(list) ? list : []) {
        const read = safeParse(view, one)
        if (read.success && !found.has(plainName(read.data.name))) found.set(plainName(read.data.name), read.data)
      }
      return [...found.values()].slice(0, maxViews)
    }),
  )
}
/** Stored views of a kind that can't be read, such as those of a newer version. */
export const unreadViews = (stored: unknown): unknown[] =>
  Array.isArray(stored) ? stored.filter((one) => !safeParse(view, one).success) : []

const mapped = <T>(of: Record<string, unknown> | undefined, make: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of ?? {}).map(([key, value]) => [key, make(value)]))

/** A name as it's compared. */
const plainName = (name: string): string => name.trim().toLowerCase()

export const findView = (views: readonly SavedView[], name: string): SavedView | undefined =>
  views.find((one) => plainName(one.name) === plainName(name))

/** Why a view can't get a name. Undefined if it can. `own`: its name until now. */
export function nameProblem(views: readonly SavedView[], name: string, own?: string): string | undefined {
  if (name.trim() === '') return 'Enter a name'
  const other = findView(views, name)
  return other && other.name !== own ? 'Another view has this name' : undefined
}

const contentOf = ({ shown, where, state, sort, layout, zoom }: ViewContent): ViewContent => ({
  ...(shown && { shown: [...shown] }),
  where: where.map((one) => ({ ...one })),
  state,
  ...(sort && { sort: { ...sort } }),
  ...(layout !== undefined && layout !== 'grid' && { layout }),
  ...(layout === 'timeline' && zoom !== undefined && { zoom }),
})

/** True if two views show the same. Zooming changes no view, because it only looks closer. */
export const isSameView = (a: ViewContent, b: ViewContent): boolean =>
  sameJson(contentOf({ ...a, zoom: undefined }) as never, contentOf({ ...b, zoom: undefined }) as never)

/** The views with one in place of that of the name `before`, or added. In the order of their names. */
export function withView(views: readonly SavedView[], name: string, content: ViewContent, before = name): SavedView[] {
  const others = views.filter((one) => one.name !== before)
  const made = { name: name.trim(), ...contentOf(content) }
  return [...others, made].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
