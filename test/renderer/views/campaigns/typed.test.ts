import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { FieldKind } from '#shared/fields/kind'
import { readField } from '#shared/fields/read'
import type { Json } from '#shared/json'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import { cellWords } from '../../../../src-renderer/views/campaigns/cells'
import { typedText } from '../../../../src-renderer/views/campaigns/typed'
import { everyPlace, type Place } from '../../../helpers/places'

const zone = 'Europe/Berlin'
const context = { today: Date.UTC(2026, 5, 10), zone, find: () => [] }
const words = { ...context, hour12: false, nameOf: () => undefined }

const digits = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)
const day = fc.integer({ min: 0, max: 20_000 }).map((at) => new Date(at * 86_400_000).toISOString().slice(0, 10))
/** To the minute, like typed times, without repeated hours. */
const moment = fc
  .integer({ min: 0, max: 30_000_000 })
  .map((minutes) => minutes * 60_000)
  .filter((at) => instantOfWall(wallOfInstant(at, zone), zone) === at)
  .map((at) => new Date(at).toISOString())
const size = fc.record({ width: fc.integer({ min: 0, max: 9_999 }), height: fc.integer({ min: 0, max: 9_999 }) })
const line = (most: number): fc.Arbitrary<string> =>
  fc
    .string({ minLength: 1, maxLength: Math.min(most, 40), unit: 'binary' })
    .filter((text) => text.trim() === text && text !== '')
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { minLength: 1, maxLength: 4 })

/** Possible values of a field of this kind. */
const values: Partial<Record<FieldKind, (place: Place) => fc.Arbitrary<Json>>> = {
  text: ({ field }) =>
    line(field.maxLength ?? 256).filter(
      (text) =>
        !field.mustNotContain?.some((part) => text.includes(part)) &&
        (!field.pattern || new RegExp(field.pattern).test(text)),
    ),
  prose: ({ field }) => line(field.maxLength ?? 4_000),
  number: ({ field }) => {
    const { min = 0, max = 1_000_000 } = field
    if (field.type === 'string')
      return digits.filter((text) => Number(text) >= min && Number(text) <= (field.max ?? Infinity))
    return field.type === 'integer'
      ? fc.integer({ min, max })
      : fc.double({ min, max, noNaN: true }).map((number) => Number(number.toFixed(6)))
  },
  money: ({ field }) =>
    digits.filter((text) => BigInt(text) >= (field.min ?? 0) && BigInt(text) <= (field.max ?? Infinity)),
  date: () => day,
  moment: ({ field }) => (field.unit === 'epochMillis' ? moment.map((iso) => String(Date.parse(iso))) : moment),
  choice: ({ field }) => fc.constantFrom(...field.enum!.map(String)),
  yesNo: () => fc.boolean(),
  reference: () =>
    fc.oneof(
      digits,
      fc.uuid().map((id) => `local:${id}`),
    ),
  references: () => some(digits),
  texts: ({ field }) =>
    field.of?.type === 'integer'
      ? some(fc.integer({ min: field.of.min ?? 0, max: field.of.max ?? 1_000 }))
      : /int/.test(field.of?.format ?? '')
        ? some(digits)
        : some(line(40).filter((text) => !/[|\n]/.test(text))),
  choices: ({ field }) => some(fc.constantFrom(...field.of!.enum!.map(String))),
  size: () => size,
  sizes: () => some(size),
}
const typedKinds = Object.keys(values) as FieldKind[]
const placesOfKind = (kind: FieldKind): Place[] => everyPlace.filter((place) => place.kind === kind)

describe('a value as typed', () => {
  it.each(typedKinds.filter((kind) => placesOfKind(kind).length > 0))('parses back to the same value: %s', (kind) => {
    const places = placesOfKind(kind)
    // By number, since a failing place would print all its tables.
    const valued = fc
      .nat(places.length - 1)
      .chain((at) => values[kind]!(places[at]!).map((value) => [at, value] as const))
    fc.assert(
      fc.property(valued, ([at, value]) => {
        const { collection, name, field, path } = places[at]!
        const text = typedText(kind, value, zone)
        const read = readField(collection.table, name, field, text, context)
        expect(read, `${collection.name}.${path}: ${text}`).toEqual({ value })
      }),
      { numRuns: 200 },
    )
  })

  it('exists for every type without nested fields', () => {
    const parted = new Set(['part', 'parts', 'row', 'rows', 'map'])
    const kinds = new Set(everyPlace.map(({ kind }) => kind))
    expect([...kinds].filter((kind) => !parted.has(kind) && !values[kind])).toEqual([])
  })

  it('is empty for a missing value', () => {
    expect(typedText('text', undefined, zone)).toBe('')
    expect(typedText('date', null, zone)).toBe('')
    expect(typedText('part', { a: 1 }, zone)).toBe('')
  })
  it('includes the time of a timestamp', () => {
    expect(typedText('moment', '1796112600000', zone)).toBe('2026-12-01 09:10')
    expect(typedText('moment', 'no moment', zone)).toBe('no moment')
  })
})

describe('an enum value as shown in a cell', () => {
  it('parses back to the same value, for every enum', () => {
    const wrong = new Set<string>()
    for (const { collection, path, name, field, kind } of everyPlace) {
      if (kind !== 'choice' && kind !== 'choices') continue
      const one = kind === 'choice' ? field : field.of!
      for (const value of one.enum!) {
        const shown = cellWords(factsOf(), collection, path, () => value as Json, words)
        const read = readField(collection.table, name, one, shown, context)
        if (!('value' in read) || read.value !== value)
          wrong.add(`${collection.name}.${path}: ${String(value)} as ${shown}`)
      }
    }
    expect([...wrong]).toEqual([])
  })
})
