import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '#shared/json'
import { serviceNames, tableOf, versionsOf } from '#shared/wire/services'
import type { Field } from '#shared/wire/table'
import { translateBody, translatePath, translateQuery, translateSentence, word } from '#shared/wire/vocabulary'

const packages = join(import.meta.dirname, '../../../node_modules')
const sources: Record<string, string[]> = {
  calendar: ['@googleapis/calendar/build/v3'],
  tasks: ['@googleapis/tasks/build/v1'],
  trafficking: ['googleapis/build/src/apis/dfareporting/v3.4', 'googleapis/build/src/apis/dfareporting/v3.3'],
  search: ['googleapis/build/src/apis/doubleclicksearch/v2'],
  discovery: ['googleapis/build/src/apis/discovery/v1'],
}
/** Every word in a service's third-party client: names of parameters and fields, and its paths. */
const foreignText = (service: string): string =>
  sources[service]!.flatMap((path) =>
    ['.js', '.d.ts'].map((end) => readFileSync(join(packages, path + end), 'utf8')),
  ).join('\n')

const tables = serviceNames.flatMap((service) => versionsOf(service).map((version) => tableOf(service, version)))

function namesOf(fields: Record<string, Field>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    name,
    ...namesOf(field.fields ?? {}),
    ...namesOf(field.of?.fields ?? {}),
  ])
}

describe('public naming', () => {
  it.each(serviceNames)('of %s matches third-party clients, for every field and parameter', (service) => {
    const known = new Set(foreignText(service).match(/[$\w]+/g))
    const later = new Set(['$.xgafv', 'upload_protocol', 'uploadType', 'access_token'])
    const missing = versionsOf(service).flatMap((version) => {
      const table = tableOf(service, version)
      const fields = Object.values(table.schemas)
        .filter((schema) => !schema.later)
        .flatMap(({ fields: own }) => namesOf(Object.fromEntries(Object.entries(own).filter(([, f]) => !f.later))))
      const parameters = table.methods.flatMap(({ pathParams, queryParams }) =>
        Object.keys({ ...pathParams, ...queryParams }),
      )
      return [...fields, ...parameters].filter((name) => !later.has(name) && !known.has(word(name, 'public')))
    })
    expect([...new Set(missing)].sort()).toEqual(knownToBeNewer[service] ?? [])
  })

  it('of paths matches third-party clients', () => {
    for (const service of serviceNames) {
      const text = foreignText(service)
      for (const version of versionsOf(service)) {
        for (const { path } of tableOf(service, version).methods) {
          const said = translatePath(path, 'public').replace(
            /\{(\w+)\}/g,
            (_, name: string) => `{${word(name, 'public')}}`,
          )
          expect(text.includes(said) || text.includes(said.replace(/\{/g, '{+')), said).toBe(true)
        }
      }
    }
  })

  it('converts back to neutral for every path, parameter, field, and value', () => {
    for (const table of tables) {
      for (const method of table.methods) {
        expect(translatePath(translatePath(method.path, 'public'), 'neutral')).toBe(method.path)
        for (const [name, parameter] of Object.entries(method.queryParams)) {
          for (const value of parameter.enum?.map(String) ?? ['x']) {
            const query: [string, string][] = [[name, value]]
            expect(translateQuery(method, translateQuery(method, query, 'public'), 'neutral')).toEqual(query)
          }
        }
      }
      for (const name of Object.values(table.schemas).flatMap(({ fields }) => namesOf(fields)))
        expect(word(word(name, 'public'), 'neutral')).toBe(name)
    }
  })

  it('translates names, kinds, and enums but not your text', () => {
    const table = tableOf('trafficking', 'v3.4')
    const activity = {
      kind: 'trafficking#trackingActivity',
      name: 'tracking TRACKING legacyId',
      trackingConfigurationId: '7',
      trackingTagType: 'GLOBAL_SITE_TAG',
      advertiserIdDimensionValue: { dimensionName: 'trafficking:advertiser', value: 'trafficking: tracking' },
    }
    expect(translateBody(table, 'TrackingActivity', activity, 'public')).toEqual({
      kind: 'dfareporting#floodlightActivity',
      name: 'tracking TRACKING legacyId',
      floodlightConfigurationId: '7',
      floodlightTagType: 'GLOBAL_SITE_TAG',
      advertiserIdDimensionValue: { dimensionName: 'dfa:advertiser', value: 'trafficking: tracking' },
    })
  })

  it.each([
    ['AD_SERVING_TRACKING', 'AD_SERVING_TRACKING'],
    ['PLACEMENT_TAG_TRACKING_IFRAME', 'PLACEMENT_TAG_TRACKING_IFRAME'],
    ['limitAdTracking', 'limitAdTracking'],
    ['OBJECT_TRACKING_CONFIGURATION', 'OBJECT_FLOODLIGHT_CONFIGURATION'],
    ['regionLegacyIds', 'regionDartIds'],
    ['videoLink', 'hangoutLink'],
    ['eventNamedVideo', 'eventNamedHangout'],
    ['videoMeet', 'hangoutsMeet'],
  ])('translates %s to %s', (neutral, said) => {
    expect(word(neutral, 'public')).toBe(said)
    expect(word(said, 'neutral')).toBe(neutral)
  })

  it('translates fields and dimensions in errors and leaves the rest', () => {
    const text = '11001 : trackingCriteria.metricNames[0] has no trafficking:trackingRevenue, said tracking'
    expect(translateSentence(text, 'trackingCriteria.metricNames[0]', 'public')).toBe(
      '11001 : floodlightCriteria.metricNames[0] has no dfa:floodlightRevenue, said tracking',
    )
  })

  it('restores any response', () => {
    const table = tableOf('trafficking', 'v3.4')
    const { fields } = table.schemas.TrackingActivity!
    const arbitrary = fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, fc.jsonValue()])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(arbitrary, (value) => {
        const there = translateBody(table, 'TrackingActivity', { name: 'x', ...value } as Json, 'public')
        const plain = Object.fromEntries(
          Object.entries({ name: 'x', ...value }).filter(([name]) => {
            const field = fields[name]!
            return !field.enum && !field.ref && !field.of && !field.fields && name !== 'kind'
          }),
        )
        expect(translateBody(table, 'TrackingActivity', there, 'neutral')).toMatchObject(plain as object)
      }),
    )
  })
})

/** Names the services added after these packages were published. */
const knownToBeNewer: Record<string, string[]> = {
  discovery: ['apiVersion', 'endpointUrl', 'endpoints', 'enumDeprecated'],
  search: ['adUserDataConsent'],
}
