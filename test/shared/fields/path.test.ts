import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { fieldAt, fieldsOnTheWay, nameAt, patchAt, valueAt, withValueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { everyPlace } from '../../helpers/places'

const placements = factsOf().of('placements')
const period = 'pricingSchedule.pricingPeriods.0'

describe('a path in a record', () => {
  it('resolves through parts and lists of the table only', () => {
    expect(fieldAt(placements, `${period}.units`)?.format).toBe('int64')
    expect(fieldsOnTheWay(placements, `${period}.units`)).toHaveLength(4)
    expect(nameAt(period)).toBe('pricingPeriods')
    expect(nameAt(`${period}.units`)).toBe('units')
    for (const none of [
      'nothing',
      'name.first',
      '0',
      'pricingSchedule.0.units',
      'pricingSchedule.pricingPeriods.units',
    ])
      expect(fieldAt(placements, none), none).toBeUndefined()
  })

  it('is the same field in all tables', () => {
    expect(everyPlace.length).toBeGreaterThan(1_000)
    for (const { collection, path, field } of everyPlace) expect(fieldAt(collection, path)).toBe(field)
  })

  it('returns what was set, without changing its input', () => {
    const json: fc.Arbitrary<Json> = fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean())
    fc.assert(
      fc.property(fc.constantFrom(...everyPlace), json, ({ path }, value) => {
        const before: JsonObject = Object.freeze({ id: '1' })
        const after = withValueAt(before, path, value)
        expect(valueAt(after, path)).toEqual(value)
        expect(before).toEqual({ id: '1' })
        expect(valueAt(withValueAt(after, path, null), path)).toBeUndefined()
      }),
    )
  })
})

describe('a patch at a path', () => {
  const record: JsonObject = {
    id: '1',
    name: 'Top',
    tagFormats: ['A', 'B'],
    pricingSchedule: {
      startDate: '2026-06-01',
      pricingPeriods: [
        { units: '1', rateOrCostNanos: '5' },
        { units: '2', startDate: '2026-07-01' },
      ],
    },
  }
  it('contains the whole outermost field', () => {
    expect(patchAt(record, 'name', 'Bottom')).toEqual({ name: 'Bottom' })
    expect(patchAt(record, 'pricingSchedule.startDate', '2026-06-02')).toEqual({
      pricingSchedule: { ...(record['pricingSchedule'] as JsonObject), startDate: '2026-06-02' },
    })
    expect(
      valueAt(patchAt(record, 'pricingSchedule.pricingPeriods.1.units', '9'), 'pricingSchedule.pricingPeriods'),
    ).toEqual([
      { units: '1', rateOrCostNanos: '5' },
      { units: '9', startDate: '2026-07-01' },
    ])
  })
  it('creates missing parts and lists', () => {
    expect(patchAt({}, `${period}.units`, '9')).toEqual({ pricingSchedule: { pricingPeriods: [{ units: '9' }] } })
    expect(patchAt(record, 'tagFormats.2', 'C')).toEqual({ tagFormats: ['A', 'B', 'C'] })
  })
  it('removes a value and emptied containers', () => {
    expect(patchAt(record, 'name', null)).toEqual({ name: null })
    expect(patchAt(record, 'tagFormats.0', null)).toEqual({ tagFormats: ['B'] })
    expect(patchAt({ size: { width: 1 } }, 'size.width', null)).toEqual({ size: null })
    const one = { pricingSchedule: { startDate: '2026-06-01', pricingPeriods: [{ units: '1' }] } }
    expect(valueAt(patchAt(one, `${period}.units`, null), 'pricingSchedule.pricingPeriods')).toEqual([])
    expect(patchAt({}, 'name', null)).toEqual({ name: null })
  })
})

describe('a field that follows another', () => {
  const collection = { follows: { 'flight.end': 'flight.periods.*.end' } }
  const record = { flight: { end: '2026-06-30', periods: [{ end: '2026-06-10' }, { end: '2026-06-30', rate: '1' }] } }

  it('changes along where it had the same value only', () => {
    expect(patchAt(record, 'flight.end', '2026-06-20', collection)).toEqual({
      flight: { end: '2026-06-20', periods: [{ end: '2026-06-10' }, { end: '2026-06-20', rate: '1' }] },
    })
    expect(patchAt(record, 'flight.end', '2026-06-20')).toEqual({
      flight: { end: '2026-06-20', periods: record.flight.periods },
    })
  })

  it('stays if nothing had the same value', () => {
    expect(patchAt({}, 'flight.end', '2026-06-20', collection)).toEqual({ flight: { end: '2026-06-20' } })
  })
})
