import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { applies, closedAt, isNeeded } from '#shared/fields/open'
import type { JsonObject } from '#shared/json'
import { versionsOf } from '#shared/wire/services'
import { placesOf } from '../../helpers/places'

const facts = factsOf()
const closed = (collection: string, path: string, made = true, record: JsonObject = {}): string | undefined =>
  closedAt(facts.of(collection), path, record, made)

describe('a field is read-only', () => {
  it('if the service fills it in', () => {
    for (const path of [
      'id',
      'kind',
      'keyName',
      'lastModifiedInfo.time',
      'siteIdDimensionValue',
      'archived',
      'nothing',
    ])
      expect(closed('placements', path), path).toBe('service')
    expect(closed('placements', 'id', false)).toBe('service')
  })
  it('if it names the account', () => {
    for (const version of versionsOf('trafficking'))
      for (const one of factsOf({ trafficking: version }).all.filter(({ insert }) => insert))
        for (const name of ['accountId', 'subaccountId'].filter((name) => one.table.schemas[one.schema]!.fields[name]))
          for (const made of [true, false]) expect(closedAt(one, name, {}, made), `${one.name}.${name}`).toBe('service')
    expect(closed('sites', 'directorySiteId', false)).toBeUndefined()
  })
  it("if it's fixed at creation", () => {
    for (const path of ['campaignId', 'siteId', 'paymentSource']) {
      expect(closed('placements', path), path).toBe('fixed')
      expect(closed('placements', path, false), path).toBeUndefined()
    }
  })
  it("if it doesn't apply to the type", () => {
    expect(closed('creatives', 'htmlCode', true, { type: 'DISPLAY_IMAGE_GALLERY' })).toBe('otherType')
    const [places] = [
      placesOf(facts.of('creatives')).filter(({ field, path }) => !path.includes('.') && field.creativeTypes),
    ]
    expect(places.length).toBeGreaterThan(5)
    for (const { path, field } of places) {
      const type = field.creativeTypes![0]!.replaceAll('*', '')
      expect(closed('creatives', path, false, { type }), path).not.toBe('otherType')
      expect(closed('creatives', path, false, { type: 'NONE' }), path).toBe('otherType')
    }
  })
  it('in read-only types', () => {
    for (const version of versionsOf('trafficking'))
      for (const one of factsOf({ trafficking: version }).all.filter(
        ({ insert, update, patch }) => !insert && !update && !patch,
      ))
        for (const name of Object.keys(one.table.schemas[one.schema]!.fields))
          for (const made of [true, false]) expect(closedAt(one, name, {}, made), `${one.name}.${name}`).toBe('service')
  })
})

describe('a field applies', () => {
  it('with the values in its facts', () => {
    const field = { appliesWhen: { type: ['A', 'B'] } }
    expect(applies(field, { type: 'B' }, {})).toBe(true)
    expect(applies(field, { type: 'C' }, { type: 'B' })).toBe(false)
    expect(applies(field, {}, {})).toBe(false)
  })
  it('to creatives of a type, a type that contains a word, or any but some', () => {
    expect(applies({ creativeTypes: ['*VIDEO*'] }, {}, { type: 'INSTREAM_VIDEO_REDIRECT' })).toBe(true)
    expect(applies({ creativeTypes: ['VIDEO'] }, {}, { type: 'INSTREAM_VIDEO' })).toBe(false)
    expect(applies({ notCreativeTypes: ['*VIDEO*'] }, {}, { type: 'INSTREAM_VIDEO' })).toBe(false)
    expect(applies({}, {}, {})).toBe(true)
  })
})

describe('a field is required', () => {
  it('if a new record is rejected without it', () => {
    const field = (name: string): boolean => isNeeded(facts.of('placements').table.schemas['Placement']!.fields[name]!)
    expect([field('name'), field('comment')]).toEqual([true, false])
    expect([isNeeded({ requiredOn: ['insert'] }), isNeeded({ requiredOn: ['update'] }), isNeeded({})]).toEqual([
      true,
      false,
      false,
    ])
  })
})
