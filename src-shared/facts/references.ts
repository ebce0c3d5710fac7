import { isJsonObject, type Json, type JsonObject } from '../json'
import { tableOf, versionsOf } from '../wire/services'
import type { Field, ServiceTable } from '../wire/table'
import { schemaOf } from '../wire/validate'

const collections = new Set(
  versionsOf('trafficking').flatMap((version) =>
    tableOf('trafficking', version).methods.map(({ id }) => id.split('.').slice(1, -1).join('.')),
  ),
)

/** Targets of reference fields whose names don't say them. */
const named: Record<string, string> = {
  accountPermissionIds: 'accountPermissions',
  availablePermissionIds: 'userRolePermissions',
  childPlacementIds: 'placements',
  companionCreativeIds: 'creatives',
  companionCreatives: 'creatives',
  countryId: 'countries',
  defaultClickThroughEventTagId: 'eventTags',
  defaultCreativeSizeId: 'sizes',
  defaultLandingPageId: 'advertiserLandingPages',
  landingPageId: 'advertiserLandingPages',
  linkedPlacementId: 'placements',
  originalTrackingConfigurationId: 'trackingConfigurations',
  parentUserRoleId: 'userRoles',
  primaryPlacementId: 'placements',
  sharedAccountIds: 'accounts',
  sharedAdvertiserIds: 'advertisers',
}

/** Cached, because there are few field names but every value needs them. */
const known = new Map<string, string | undefined>()
const maxKnown = 10_000

/** Which collection a field such as `campaignId` or `creativeGroupIds` refers to; undefined for one that refers to none. */
export function collectionOf(field: string): string | undefined {
  if (known.has(field)) return known.get(field)
  if (known.size === maxKnown) known.clear()
  const collection = named[field] ?? collectionNamed(field)
  known.set(field, collection)
  return collection
}

function collectionNamed(field: string): string | undefined {
  const stem = /^(\w+?)Ids?$/.exec(field)?.[1]
  const collection = stem && plural(stem)
  return collection && collections.has(collection) ? collection : undefined
}

const plural = (name: string): string => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`)

/** Fields of a field's objects, from a named or inline schema. Undefined for plain values. */
const fieldsOf = (table: ServiceTable, field: Field): Record<string, Field> | undefined =>
  field.ref ? schemaOf(table, field.ref).fields : field.fields

/** Schemas of objects that represent a row of another collection, identified by the first key that is set. */
export const rowSchemas: Record<string, { collection: string; keys: readonly string[] }> = {
  Browser: { collection: 'browsers', keys: ['browserVersionId', 'legacyId'] },
  City: { collection: 'cities', keys: ['legacyId'] },
  ConnectionType: { collection: 'connectionTypes', keys: ['id'] },
  Country: { collection: 'countries', keys: ['legacyId', 'countryCode'] },
  Language: { collection: 'languages', keys: ['id', 'languageCode'] },
  Metro: { collection: 'metros', keys: ['legacyId', 'dmaId', 'metroCode'] },
  MobileApp: { collection: 'mobileApps', keys: ['id'] },
  MobileCarrier: { collection: 'mobileCarriers', keys: ['id'] },
  OperatingSystem: { collection: 'operatingSystems', keys: ['legacyId'] },
  OperatingSystemVersion: { collection: 'operatingSystemVersions', keys: ['id'] },
  PlatformType: { collection: 'platformTypes', keys: ['id'] },
  PostalCode: { collection: 'postalCodes', keys: ['id', 'code'] },
  Region: { collection: 'regions', keys: ['legacyId', 'regionCode'] },
  UserRolePermission: { collection: 'userRolePermissions', keys: ['id'] },
}

/** The name `objectIds` doesn't reveal its target, but the enclosing filter does. */
const filtered: Record<string, string> = {
  advertiserFilter: 'advertisers',
  campaignFilter: 'campaigns',
  siteFilter: 'sites',
  userRoleFilter: 'userRoles',
}

export interface Reference {
  path: string
  collection: string
  id: string
}

/** Every reference in an object, by the fields that are written: nested ones too. */
export function referencesIn(table: ServiceTable, schema: string, object: JsonObject): Reference[] {
  const found: Reference[] = []
  walkFields(table, schemaOf(table, schema).fields, object, '', '', found)
  return found
}

function walkFields(
  table: ServiceTable,
  fields: Record<string, Field>,
  object: JsonObject,
  path: string,
  around: string,
  found: Reference[],
): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = object[name]
    if (value === undefined || value === null || field.readOnly) continue
    const at = path ? `${path}.${name}` : name
    const collection = name === 'objectIds' ? filtered[around] : collectionOf(name)
    const add = (item: Json, where: string): void => {
      if (collection && typeof item === 'string') found.push({ path: where, collection, id: item })
      else if (isJsonObject(item)) walkObject(table, field.of ?? field, item, where, name, found)
    }
    if (Array.isArray(value)) value.forEach((item, index) => add(item, `${at}[${index}]`))
    else add(value, at)
  }
}

function walkObject(
  table: ServiceTable,
  field: Field,
  object: JsonObject,
  path: string,
  around: string,
  found: Reference[],
): void {
  if (field.ref === 'Size' || (field.ref && rowSchemas[field.ref])) return
  if (field.ref === 'EventTagOverride' && typeof object.id === 'string')
    found.push({ path: `${path}.id`, collection: 'eventTags', id: object.id })
  const fields = fieldsOf(table, field)
  if (fields) walkFields(table, fields, object, path, around, found)
}
