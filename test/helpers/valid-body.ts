import type { Json, JsonObject } from '#shared/json'
import type { Field, Schema, ServiceTable } from '#shared/wire/table'
import { isWritten, schemaOf } from '#shared/wire/validate'

/** IDs that bodies may refer to, by the field's singular name: `advertiserId`, `campaignId`, `siteId` … */
export type KnownIds = Readonly<Record<string, string>>

export interface BodyOptions {
  /** Epoch milliseconds. Dates are placed around it, and flights start after it. */
  now: number
  /** Includes every writable field with known references, not only required ones. */
  whole?: boolean
  /** The suffix of names. Defaults to a new one so that names are unique. */
  name?: string
  /** The operation, since some require more. */
  operation?: string
}

let made = 0

/**
 * A body that an insert accepts: required fields (or with `whole`, all writable ones), unique names, valid dates, and known
 * references. Pass the IDs of the ready line and those of inserted records: `validBody(table, 'Placement', sandbox.ids)`,
 * `validBody(table, 'Site', { ...sandbox.ids, directorySiteId })`. A PUT needs the `id`, too. @throws Error if a required
 * reference has no known ID
 */
export function validBody(table: ServiceTable, schema: string, ids: KnownIds, options: BodyOptions): JsonObject {
  const { now } = options
  const maker: Maker = { table, ids, whole: false, name: `op ${now % 1_000_000} ${++made}`, ...options, depth: 0 }
  return objectOf(maker, schema, schemaOf(table, schema))
}

interface Maker {
  table: ServiceTable
  ids: KnownIds
  now: number
  whole: boolean
  name: string
  operation?: string
  depth: number
}

type Special = Json | ((maker: Maker) => Json | undefined)

const day = (days: number): Special => {
  return ({ now }) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
}
const time = (days: number): Special => {
  return ({ now }) => new Date(now + days * 86_400_000).toISOString()
}
const leftOut: Special = () => undefined

/** Values that the field's flags don't imply, by schema and field. */
const special: Record<string, Special> = {
  'Account.countryId': leftOut,
  'AccountUserProfile.email': ({ name }) => `${name.replaceAll(' ', '.')}@flightplan.example`,
  'AccountUserProfile.name': ({ name }) => name.replaceAll(' ', '.'),
  'Ad.additionalSizes': leftOut,
  'Ad.endTime': time(21),
  'Ad.startTime': time(2),
  'Ad.targetingTemplateId': leftOut,
  'Ad.type': 'AD_SERVING_STANDARD_AD',
  'AdBlockingConfiguration.creativeBundleId': leftOut,
  'Browser.browserVersionId': leftOut,
  'Campaign.endDate': day(60),
  'Campaign.startDate': day(1),
  'City.legacyId': '1001001',
  'ClickThroughUrl.landingPageId': leftOut,
  'ConnectionType.id': '71',
  'Conversion.timestampMicros': ({ now }) => `${now - 3_600_000}000`,
  'Country.countryCode': 'DE',
  'Creative.dynamicAssetSelection': false,
  'Creative.creativeAssetSelection': leftOut,
  'Creative.creativeAssets': leftOut,
  'Creative.size': { width: 300, height: 250 },
  'Creative.type': 'DISPLAY',
  'CreativeAssignment.endTime': time(20),
  'CreativeAssignment.startTime': time(3),
  'CreativeAssetId.name': ({ name }) => `${name.replaceAll(' ', '-')}.png`,
  'CreativeOptimizationConfiguration.id': leftOut,
  'CustomEvent.timestampMicros': ({ now }) => `${now - 3_600_000}000`,
  'CustomViewabilityMetric.id': leftOut,
  'DayPartTargeting.daysOfWeek': ['MONDAY', 'TUESDAY'],
  'DimensionValueRequest.dimensionName': 'trafficking:advertiser',
  'DimensionValueRequest.endDate': day(0),
  'DimensionValueRequest.filters': leftOut,
  'DimensionValueRequest.startDate': day(-7),
  'DirectorySite.url': ({ name }) => `https://${name.replaceAll(' ', '-')}.example/`,
  'DynamicTargetingKey.objectId': ({ ids }) => ids.advertiserId,
  'DynamicTargetingKey.objectType': 'OBJECT_ADVERTISER',
  'EventTag.url': 'https://tags.example/pixel',
  'Flight.endDate': day(40),
  'Flight.startDate': day(5),
  'KeyValueTargetingExpression.expression': 'season=spring',
  'LandingPage.url': 'https://www.example/landing',
  'Language.languageCode': 'de',
  'ListTargetingExpression.expression': ({ ids }) => ids.remarketingListId,
  'Metro.metroCode': '501',
  'MobileApp.id': 'id310600101',
  'MobileCarrier.id': leftOut,
  'ObjectFilter.objectIds': leftOut,
  'ObjectFilter.status': 'ALL',
  'OperatingSystem.legacyId': '501001',
  'OperatingSystemVersion.id': leftOut,
  'Placement.additionalSizes': [{ width: 336, height: 280 }],
  'Placement.compatibility': 'DISPLAY',
  'Placement.directorySiteId': leftOut,
  'Placement.size': { width: 300, height: 250 },
  'PlacementGroup.directorySiteId': leftOut,
  'PlatformType.id': '301',
  'PostalCode.code': '10115',
  'PricingSchedule.endDate': day(40),
  'PricingSchedule.pricingPeriods': leftOut,
  'PricingSchedule.startDate': day(5),
  'PricingSchedule.testingStartDate': day(5),
  'Region.legacyId': leftOut,
  'Region.regionCode': 'BY',
  'RemarketingList.listSource': 'REMARKETING_LIST_SOURCE_DFA',
  'Site.directorySiteId': ({ ids }) => ids.directorySiteId ?? '2400115',
  'Size.height': 250,
  'Size.width': 300,
  'TechnologyTargeting.browsers': leftOut,
  'TechnologyTargeting.mobileCarriers': leftOut,
  'TechnologyTargeting.operatingSystemVersions': leftOut,
  'TrackingActivity.tagString': leftOut,
  'TrackingActivityGroup.tagString': leftOut,
  'UserRolePermission.id': '4101',
}

/** Objects that stand for reference data, identified by one key. */
const oneKey = new Set([
  'City',
  'ConnectionType',
  'Country',
  'Language',
  'Metro',
  'MobileApp',
  'OperatingSystem',
  'PlatformType',
  'PostalCode',
  'Region',
  'UserRolePermission',
])

function objectOf(maker: Maker, schema: string, { fields, oneOfRequired, needsOneOf }: Schema): JsonObject {
  const body = fieldsOf({ ...maker, whole: maker.whole && !oneKey.has(schema) }, schema, fields)
  for (const name of [...(oneOfRequired?.slice(0, 1) ?? []), ...(needsOneOf?.[0] ?? [])])
    body[name] ??= valueOf(maker, schema, name, fields[name]!)
  if (oneKey.has(schema)) {
    const key = Object.keys(special).find((path) => path.startsWith(`${schema}.`) && special[path] !== leftOut)!
    body[key.slice(schema.length + 1)] = special[key] as Json
  }
  return body
}

function fieldsOf(maker: Maker, schema: string, fields: Record<string, Field>): JsonObject {
  const body: JsonObject = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!isWritten(field, { operation: maker.operation }) || name === 'id' || name === 'kind') {
      if (!(name === 'id' && field.required)) continue
    }
    const needed = isNeeded(maker, fields, body, name, field)
    const optional = maker.whole && maker.depth < 5 && !field.deprecated && !field.exclusiveWith && !ownFields.has(name)
    if (!needed && !optional) continue
    if (!applies(field, body, schema)) continue
    const value = needed ? valueOf(maker, schema, name, field) : ifKnown(() => valueOf(maker, schema, name, field))
    if (value !== undefined) body[name] = value
    else if (needed && special[`${schema}.${name}`] === undefined)
      throw new UnknownId(`${schema}.${name} is needed: give its id`)
  }
  return body
}

class UnknownId extends Error {}

/** Omits optional parts that would refer to unknown records. */
function ifKnown(make: () => Json | undefined): Json | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof UnknownId) return undefined
    throw error
  }
}

/** Set by the service, although not every flag says so. */
const ownFields = new Set(['accountId', 'subaccountId', 'archived', 'version', 'originalTrackingConfigurationId'])

function isNeeded(
  { operation }: Maker,
  fields: Record<string, Field>,
  body: JsonObject,
  name: string,
  field: Field,
): boolean {
  if (field.required || field.requiredOnAdd || field.requiredOn?.includes('insert')) return true
  if (field.requiredFor?.includes(operation ?? '')) return true
  const group = field.oneOfRequired ?? field.oneOfRequiredOnInsert
  if (!group || group.some((other) => body[other] !== undefined)) return false
  // The first of the group that's possible, since the ones before weren't.
  return Object.keys(fields).filter((other) => group.includes(other))[0] === name || body[name] === undefined
}

function applies(field: Field, body: JsonObject, schema: string): boolean {
  const around: JsonObject = schema === 'Ad' ? { type: 'AD_SERVING_STANDARD_AD', ...body } : body
  for (const [name, values] of Object.entries(field.appliesWhen ?? {})) if (!values.includes(around[name])) return false
  const isOf = (pattern: string): boolean => pattern === 'DISPLAY'
  return (!field.creativeTypes || field.creativeTypes.some(isOf)) && !field.notCreativeTypes?.some(isOf)
}

function valueOf(maker: Maker, schema: string, name: string, field: Field): Json | undefined {
  const given = special[`${schema}.${name}`]
  if (given !== undefined) return typeof given === 'function' ? given(maker) : given
  if (field.const !== undefined) return field.const
  if (/Ids?$/.test(name) && (field.format ?? field.of?.format) === 'int64') {
    const id = maker.ids[name] ?? maker.ids[name.replace(/s$/, '')]
    return id === undefined ? undefined : field.type === 'array' ? [id] : id
  }
  if (field.ref === 'DimensionValue') return undefined
  const inner: Maker = { ...maker, depth: maker.depth + 1 }
  if (field.ref) return objectOf(inner, field.ref, schemaOf(maker.table, field.ref))
  if (field.fields) return fieldsOf(inner, `${schema}.${name}`, field.fields)
  switch (field.type) {
    case 'array': {
      const item = valueOf(inner, schema, `${name}[]`, field.of!)
      return item === undefined ? undefined : Array.from({ length: Math.max(field.minItems ?? 1, 1) }, () => item)
    }
    case 'map':
    case 'object':
      return {}
    case 'boolean':
      return (field.enum?.[0] as boolean | undefined) ?? true
    case 'integer':
    case 'number':
      return Math.min(Math.max(field.min ?? 1, 1), field.max ?? 1)
    default:
      return textOf(maker, name, field)
  }
}

function textOf({ name: base, now }: Maker, name: string, field: Field): string {
  if (field.enum) return String(field.enum[0])
  const today = new Date(now).toISOString()
  if (field.format === 'int64' || field.format === 'uint64') return String(Math.max(field.min ?? 1, 1))
  if (field.format === 'date') return today.slice(0, 10)
  if (field.format === 'date-time') return today
  if (field.pattern || field.uniqueWithin || name === 'name') return base.slice(-(field.maxLength ?? 60))
  if (/url$/i.test(name)) return 'https://www.example/page'
  if (/emails?(\[\])?$/i.test(name)) return 'someone@flightplan.example'
  return base.slice(0, field.maxLength ?? 60)
}
