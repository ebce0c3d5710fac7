import { describe, expect, it } from 'vitest'
import type { Collection } from '#shared/facts/collection'
import { fieldAt } from '#shared/fields/path'
import { deriveFacts, factsOf, remarks, type Facts } from '#shared/facts/facts'
import { fieldsOfId, placeParams, recordIdOf } from '#shared/facts/ids'
import type { Remark } from '#shared/facts/remark'
import { traffickingRemarks } from '#shared/facts/remarks/trafficking'
import { operation, tableOf, versionsOf } from '#shared/wire/services'

const versions = versionsOf('trafficking')
const both: [string, Facts][] = versions.map((trafficking) => [trafficking, factsOf({ trafficking })])

describe.each(both)('the collections of an account with campaigns API %s', (version, facts) => {
  const table = tableOf('trafficking', version)

  it('are all lists of the table, plus the write-only one', () => {
    const kept = facts.all.filter(({ service }) => service === 'trafficking').map(({ name }) => name)
    const listed = table.methods
      .filter(({ id, items }) => id.endsWith('.list') && items)
      .map(({ id }) => id.split('.').slice(1, -1).join('.'))
    expect([...kept].sort()).toEqual([...listed, 'remarketingListShares'].sort())
  })

  it("have that version's operations, schemas, and tables", () => {
    for (const one of facts.all) {
      expect(one.table.schemas[one.schema], one.name).toBeDefined()
      const ids = [one.list?.operation, one.get, one.insert, one.update, one.patch, one.delete].filter(
        (id) => id !== undefined,
      )
      expect(ids.length, one.name).toBeGreaterThan(0)
      for (const id of ids) expect(operation(id, { trafficking: version }).service, id).toBe(one.service)
    }
    expect(facts.of('placements').table.version).toBe(version)
  })

  it('identify records by schema fields and call parameters', () => {
    for (const one of facts.all) {
      const { fields } = one.table.schemas[one.schema]!
      for (const field of one.idFields) expect(fields[field], `${one.name}.${field}`).toBeDefined()
      const parent = one.parents.length === 0 ? null : one.parents.map((_one, index) => String(index + 1)).join('/')
      const id = one.idFields.map(() => '7').join('/')
      for (const call of [one.get, one.patch, one.delete].filter((called) => called !== undefined)) {
        const { pathParams, queryParams } = operation(call, { trafficking: version }).method
        const params = placeParams(one, call, parent, id, { trafficking: version })
        const needed = [
          ...Object.keys(pathParams),
          ...Object.keys(queryParams).filter((name) => queryParams[name]!.required),
        ]
        expect(Object.keys(params).sort(), call).toEqual(needed.sort())
      }
    }
  })

  it('have parents that are collections', () => {
    for (const { name, parents, listedIn, recordsOf } of facts.all)
      for (const other of [...parents.map(({ collection }) => collection), listedIn, recordsOf])
        if (other) expect(facts.find(other), `${name} in ${other}`).toBeDefined()
  })

  it('show schema columns once each, title first, with the ID', () => {
    for (const one of facts.all) {
      const missing = one.columns.filter((path) => !fieldAt(one, path))
      expect(missing, one.name).toEqual([])
      expect(new Set(one.columns).size, one.name).toBe(one.columns.length)
      if (one.name !== 'events' && !one.log) {
        expect(one.columns.length, one.name).toBeGreaterThan(0)
        if (one.title) expect(one.columns[0], one.name).toBe(one.title)
        expect(one.columns, one.name).toEqual(expect.arrayContaining([...one.idFields]))
      }
      for (const { field } of one.cuts) if (field) expect(fieldAt(one, field), one.name).toBeDefined()
    }
  })

  it('have names and one of three kinds of removal', () => {
    const ends = (how: Collection['ends']): string[] =>
      facts.all
        .filter((one) => one.service === 'trafficking' && one.writable && one.ends === how)
        .map(({ name }) => name)
    expect(ends('archive')).toEqual(
      expect.arrayContaining([
        'ads',
        'advertiserLandingPages',
        'campaigns',
        'creatives',
        'placementGroups',
        'placements',
      ]),
    )
    expect(ends('delete')).toHaveLength(10)
    expect(facts.of('trackingActivityGroups').words).toEqual({
      one: 'tracking activity group',
      many: 'tracking activity groups',
    })
    expect(facts.of('advertiserLandingPages').words.one).toBe('landing page')
    for (const { name, words } of facts.all) expect(words.one.length * words.many.length, name).toBeGreaterThan(0)
  })
})

it('a column in a remark exists in some version and is shown there', () => {
  for (const [name, { columns }] of Object.entries<Remark>(traffickingRemarks.collections))
    for (const path of columns ?? []) {
      const having = both.filter(([, facts]) => fieldAt(facts.of(name), path))
      expect(having.length, `${name} ${path}`).toBeGreaterThan(0)
      for (const [, facts] of having) expect(facts.of(name).columns, name).toContain(path)
    }
  const [older, newer] = ['v3.3', 'v3.4'].map(
    (trafficking) => factsOf({ trafficking }).of('trackingActivities').columns,
  )
  expect(older).toContain('hidden')
  expect(older).not.toContain('status')
  expect(newer).toContain('status')
  expect(newer).not.toContain('hidden')
})

describe('record IDs', () => {
  const facts = factsOf()

  it('come from the naming field, also as numbers', () => {
    expect(recordIdOf(facts.of('browsers'), { browserVersionId: '9', legacyId: '1' })).toBe('9')
    expect(recordIdOf(facts.of('videoFormats'), { id: 4 })).toBe('4')
    expect(recordIdOf(facts.of('userProfiles'), { profileId: '12' })).toBe('12')
    expect(recordIdOf(facts.of('placements'), { name: 'without' })).toBeUndefined()
    expect(recordIdOf(facts.of('placements'), { id: 'a\nb' })).toBeUndefined()
  })

  it('of several fields contain each, whatever its value', () => {
    const keys = facts.of('dynamicTargetingKeys')
    const body = { objectId: '12', objectType: 'OBJECT_AD', name: 'a/b 100%' }
    expect(fieldsOfId(keys, recordIdOf(keys, body)!)).toEqual(body)
  })

  it('of records in two others name both', () => {
    const values = facts.of('creativeFieldValues')
    expect(placeParams(values, values.patch!, '5/77', '9')).toEqual({ profileId: '5', creativeFieldId: '77', id: '9' })
  })
})

it('a remark about an unknown resource throws', () => {
  const { tasks } = remarks
  const wrong = { ...remarks, tasks: { ...tasks!, collections: { ...tasks!.collections, ghosts: {} } } }
  expect(() => deriveFacts({}, wrong)).toThrow('no ghosts')
})
