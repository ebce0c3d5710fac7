import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Collection } from '#shared/facts/collection'
import { applies, isNeeded } from '#shared/fields/open'
import { instantOfWall } from '#shared/time/zones'
import { freeTitle } from './copies'
import { nextStart } from './future-start'
import { fieldsOfScope, type Scope } from './scope'
import type { CampaignsModel } from './model.svelte'

const dayMs = 86_400_000
const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** Access to no objects. */
const none = { status: 'NONE' }

/** Defaults of new records by kind, in addition to those of the service. */
const usual: Readonly<Record<string, (start: Start) => JsonObject>> = {
  campaigns: ({ today, page }) => {
    const monday = today + ((8 - new Date(today).getUTCDay()) % 7 || 7) * dayMs
    return { startDate: dateOf(monday), endDate: dateOf(monday + 27 * dayMs), ...page }
  },
  placements: ({ flight, home }) => ({
    compatibility: 'DISPLAY',
    paymentSource: 'PLACEMENT_AGENCY_PAID',
    tagFormats: ['PLACEMENT_TAG_STANDARD'],
    size: { width: 300, height: 250 },
    ...home,
    pricingSchedule: { ...flight, pricingType: 'PRICING_TYPE_CPM' },
  }),
  placementGroups: ({ flight, home }) => ({
    placementGroupType: 'PLACEMENT_PACKAGE',
    ...home,
    pricingSchedule: { ...flight, pricingType: 'PRICING_TYPE_CPM' },
  }),
  ads: ({ now, flight, zone }) => ({
    type: 'AD_SERVING_STANDARD_AD',
    active: false,
    ...momentsOf(flight, now, zone),
    deliverySchedule: { priority: 'AD_PRIORITY_15', impressionRatio: '1' },
    creativeRotation: { type: 'CREATIVE_ROTATION_TYPE_RANDOM', weightCalculationStrategy: 'WEIGHT_STRATEGY_EQUAL' },
  }),
  creatives: () => ({ type: 'DISPLAY', size: { width: 300, height: 250 } }),
  advertiserLandingPages: () => ({ url: 'https://' }),
  remarketingLists: () => ({ lifeSpan: '30' }),
  trackingActivities: () => ({ trackingTagType: 'GLOBAL_SITE_TAG' }),
  // People get access on purpose.
  accountUserProfiles: () => ({
    locale: 'en',
    active: false,
    advertiserFilter: none,
    campaignFilter: none,
    siteFilter: none,
    userRoleFilter: none,
  }),
  eventTags: () => ({ type: 'IMPRESSION_IMAGE_EVENT_TAG', status: 'ENABLED', url: 'https://' }),
}

interface Start {
  today: number
  now: number
  flight: { startDate: string; endDate: string }
  /** The `siteId` field, taken from the last new record or the first site. */
  home: JsonObject
  page: JsonObject
  /** The user's time zone. */
  zone: string
}

/** When a new ad runs in a flight of days: from its first day or the next full hour, to its last minute. */
export function momentsOf(
  { startDate, endDate }: Start['flight'],
  now: number,
  zone: string,
): { startTime: string; endTime: string } {
  const momentOf = (date: string, after: number): number => instantOfWall(Date.parse(`${date}T00:00:00Z`) + after, zone)
  return {
    startTime: new Date(Math.max(nextStart(now), momentOf(startDate, 0))).toISOString(),
    endTime: new Date(momentOf(endDate, dayMs - 60_000)).toISOString(),
  }
}

/** Content of a new record: its scope, the usual defaults, and a choice for each required field. */
export function startOf(model: CampaignsModel): JsonObject {
  const { kind, scope, app } = model
  const value: JsonObject = {
    ...usualIn(model, kind, scope),
    ...fieldsOfScope(kind, scope, (key) => app.replica.peek(key)),
  }
  if (kind.title && value[kind.title] === undefined)
    value[kind.title] = freeTitle(app.replica, kind, value, `New ${kind.words.one}`, (n) => (n === 1 ? '' : ` ${n}`))
  return { ...firstChoices(kind, value), ...value }
}

type Surroundings = Pick<CampaignsModel, 'app' | 'context'>

/** Usual defaults of a new record in a scope. */
export function usualIn(model: Surroundings, kind: Collection, scope: Scope): JsonObject {
  const { app } = model
  const around = scope.within === undefined ? undefined : app.replica.peek(scope.within)?.value
  const { today, zone } = model.context
  const said = (name: string): string | undefined => {
    const value = around?.[name]
    return typeof value === 'string' ? value : undefined
  }
  const [from, to] = [said('startDate') ?? dateOf(today), said('endDate') ?? dateOf(today + 27 * dayMs)]
  const start: Start = {
    today,
    now: app.clock.now,
    flight: { startDate: from < dateOf(today) && to >= dateOf(today) ? dateOf(today) : from, endDate: to },
    home: firstOf(model, scope, 'sites', 'siteId'),
    page: scope.within === undefined ? {} : firstOf(model, scope, 'advertiserLandingPages', 'defaultLandingPageId'),
    zone,
  }
  return known(kind, usual[kind.name]?.(start) ?? {})
}

/** The first record of a kind in the scope, keyed by the field that refers to it. */
function firstOf({ app }: Surroundings, scope: Scope, collection: string, field: string): JsonObject {
  const { replica } = app
  const facts = replica.facts.find(collection)
  if (!facts) return {}
  const own = fieldsOfScope(facts, scope, (key) => replica.peek(key))
  const rows = replica.rows(facts.name as Parameters<typeof replica.rows>[0], scope.profile)
  const fits = rows.find(
    ({ value }) => value && value['archived'] !== true && Object.entries(own).every(([name, id]) => value[name] === id),
  )
  return fits ? { [field]: fits.id } : {}
}

/** Drops fields that this version of the service doesn't have. */
function known({ table, schema }: Collection, value: JsonObject): JsonObject {
  const { fields } = table.schemas[schema]!
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields[name]))
}

/** The first choice for each required field with few choices. The user fills in the rest. */
export function firstChoices({ table, schema }: Collection, value: JsonObject): JsonObject {
  const found: JsonObject = {}
  for (const [name, field] of Object.entries(table.schemas[schema]!.fields)) {
    if (value[name] !== undefined || field.readOnly || !isNeeded(field) || !applies(field, value, value)) continue
    const first: Json | undefined =
      field.type === 'boolean'
        ? false
        : field.enum
          ? (field.enum[0] as Json)
          : ((field.default as Json | undefined) ??
            (field.type === 'integer' && field.min !== 0 ? field.min : undefined))
    if (first !== undefined && !isJsonObject(first)) found[name] = first
  }
  return found
}
