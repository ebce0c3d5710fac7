import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { closedAt } from '#shared/fields/open'
import { fieldAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { versionsOf } from '#shared/wire/services'
import { formSections, innerFields, readPaths } from '../../../../src-renderer/views/campaigns/form'

const facts = factsOf()
const placements = facts.of('placements')
const paths = (collection: string, record: JsonObject, made: boolean): string[] =>
  formSections(facts.of(collection), record, made).flatMap(({ fields }) => fields.map(({ path }) => path))

describe.each(versionsOf('trafficking'))('the record form in version %s', (trafficking) => {
  const kinds = factsOf({ trafficking }).all.filter(({ service }) => service === 'trafficking')
  it('has every field writable at creation, and no other', () => {
    for (const kind of kinds)
      for (const made of [true, false]) {
        const found = formSections(kind, {}, made).flatMap(({ fields }) => fields.map(({ path }) => path))
        expect(new Set(found).size, kind.name).toBe(found.length)
        for (const path of found) expect(closedAt(kind, path, {}, made), `${kind.name}.${path}`).toBeUndefined()
        for (const name of Object.keys(kind.table.schemas[kind.schema]!.fields)) {
          const whole = found.includes(name) || found.some((path) => path.startsWith(`${name}.`))
          const open = closedAt(kind, name, {}, made) === undefined && !/^(kind|etag)$|DimensionValue$/.test(name)
          expect(whole, `${kind.name}.${name}`).toBe(open)
        }
      }
  })
  it("doesn't exist for read-only types", () => {
    for (const kind of kinds.filter(({ writable }) => !writable))
      expect(formSections(kind, {}, true), kind.name).toEqual([])
  })
})

describe('form sections', () => {
  it('match the sheet, with the rest under More', () => {
    const sections = formSections(placements, { id: '1', name: 'Top' }, true)
    expect(sections.map(({ title }) => title)).toEqual([
      'Basics',
      'Flight and price',
      'Tags',
      'Labels',
      'Video',
      'More',
    ])
    expect(sections[0]!.fields[0]).toMatchObject({ path: 'name', needed: true, filled: true })
  })
  it('mark what only an insert needs', () => {
    const needed = formSections(facts.of('sizes'), {}, false).flatMap(({ fields }) => fields)
    expect(needed.map((one) => [one.path, one.needed])).toEqual([
      ['height', true],
      ['width', true],
    ])
  })
  it('have more fields until the service knows the record', () => {
    const record = { id: '1' }
    expect(paths('placements', record, true)).not.toContain('siteId')
    expect(paths('placements', { id: 'local:1' }, false)).toContain('siteId')
  })
  it("have the fields of the record's type", () => {
    expect(paths('creatives', { type: 'DISPLAY' }, true)).not.toContain('redirectUrl')
    const types = (fieldAt(facts.of('creatives'), 'redirectUrl')?.creativeTypes ?? [])[0]!.replaceAll('*', '')
    expect(paths('creatives', { type: types }, true)).toContain('redirectUrl')
  })
  it("are a single one with the name first if there's no sheet", () => {
    const [section, ...others] = formSections(facts.of('userRoles'), {}, false)
    expect(others).toEqual([])
    expect([section!.title, section!.fields[0]!.path]).toEqual(['Fields', 'name'])
  })
})

describe('nested fields', () => {
  const period = fieldAt(placements, 'pricingSchedule.pricingPeriods')!.of!
  it('are the writable ones, each with its path', () => {
    const found = innerFields(placements, 'pricingSchedule.pricingPeriods.0', period, {}, false)
    expect(found.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'pricingSchedule.pricingPeriods.0.units',
        'pricingSchedule.pricingPeriods.0.rateOrCostNanos',
      ]),
    )
  })
  it('have the start before the end', () => {
    const names = (kind: string, path: string): string[] => {
      const item = fieldAt(facts.of(kind), path)!.of!
      return innerFields(facts.of(kind), `${path}.0`, item, {}, false).map((one) => one.path.split('.').at(-1)!)
    }
    expect(names('placements', 'pricingSchedule.pricingPeriods').slice(0, 2)).toEqual(['startDate', 'endDate'])
    const creative = names('ads', 'creativeRotation.creativeAssignments')
    expect(creative.indexOf('endTime')).toBe(creative.indexOf('startTime') + 1)
    expect(new Set(creative).size).toBe(creative.length)
  })
  it('count the filled ones', () => {
    const record = { pricingSchedule: { pricingPeriods: [{ units: '7' }] } }
    const filled = innerFields(placements, 'pricingSchedule.pricingPeriods.0', period, record, false).filter(
      (one) => one.filled,
    )
    expect(filled.map(({ path }) => path)).toEqual(['pricingSchedule.pricingPeriods.0.units'])
  })
})

describe('read-only fields', () => {
  it('are the nonempty ones in no section, IDs last', () => {
    const value = {
      id: '1',
      kind: 'x',
      name: 'S',
      keyName: 'k',
      siteIdDimensionValue: { id: '4' },
      accountId: '9',
      comment: null,
    }
    const site = facts.of('sites')
    expect(readPaths(site, value, formSections(site, value, true))).toEqual(['keyName', 'accountId', 'id'])
    expect(readPaths(placements, { ...value, siteId: '4' }, formSections(placements, value, true))).toEqual([
      'keyName',
      'siteId',
      'accountId',
      'id',
    ])
  })
})
