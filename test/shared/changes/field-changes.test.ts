import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { fieldChanges, withChanges } from '#shared/changes/field-changes'
import { valueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { cases } from '../../helpers/ring'

const facts = factsOf()
const placements = facts.of('placements')
const schedule = {
  startDate: '2026-06-01',
  endDate: '2026-06-30',
  pricingPeriods: [{ startDate: '2026-06-01', endDate: '2026-06-30', units: '100', rateOrCostNanos: '5000000000' }],
}

/** Without empty objects, lists, and absent fields. */
function dense(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => dense(one) ?? null)
  if (!isJsonObject(value)) return value ?? undefined
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const made = dense(one)
    return made === undefined ? [] : [[name, made] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

describe('the fields in which two versions differ', () => {
  it('are named as deep as people edit them', () => {
    const before = {
      name: 'A',
      externalId: 'PL 1',
      size: { id: '1', width: 300, height: 250 },
      pricingSchedule: schedule,
    }
    const [period] = schedule.pricingPeriods
    const after = {
      ...before,
      externalId: undefined,
      size: { id: '2', width: 728, height: 90 },
      pricingSchedule: { ...schedule, endDate: '2026-07-07', pricingPeriods: [{ ...period, units: '200' }] },
    }
    expect(fieldChanges(placements, before, after)).toEqual([
      { path: 'externalId', before: 'PL 1', after: undefined },
      { path: 'pricingSchedule.endDate', before: '2026-06-30', after: '2026-07-07' },
      { path: 'pricingSchedule.pricingPeriods.0.units', before: '100', after: '200' },
      { path: 'size', before: before.size, after: after.size },
    ])
  })

  it('include a list with more or fewer entries as one place', () => {
    const longer = { ...schedule, pricingPeriods: [...schedule.pricingPeriods, schedule.pricingPeriods[0]!] }
    const found = fieldChanges(placements, { pricingSchedule: schedule }, { pricingSchedule: longer })
    expect(found.map(({ path }) => path)).toEqual(['pricingSchedule.pricingPeriods'])
  })

  const period = fc.record(
    { startDate: fc.constantFrom('2026-06-01', '2026-06-02'), units: fc.constantFrom('1', '2', '3') },
    { requiredKeys: ['units'] },
  )
  const record = fc.record(
    {
      name: fc.constantFrom('A', 'B', 'C'),
      externalId: fc.constantFrom('1', '2'),
      tagFormats: fc.subarray(['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_TRACKING']),
      size: fc.record({ id: fc.constantFrom('1', '2'), width: fc.constantFrom(1, 2), height: fc.constant(1) }),
      pricingSchedule: fc.record(
        {
          startDate: fc.constantFrom('2026-06-01', '2026-06-02'),
          endDate: fc.constantFrom('2026-06-30', '2026-07-01'),
          pricingPeriods: fc.array(period, { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
      unknown: fc.constantFrom(1, 2),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>

  it('are exactly the difference: one version becomes the other with them, and is unchanged elsewhere', () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const changes = fieldChanges(placements, before, after)
        expect(dense(withChanges(before, changes, 'after'))).toEqual(dense(after))
        expect(dense(withChanges(after, changes, 'before'))).toEqual(dense(before))
        for (const change of changes) {
          expect(sameJson(change.before, change.after)).toBe(false)
          expect(valueAt(before, change.path) ?? undefined).toEqual(change.before)
          expect(valueAt(after, change.path) ?? undefined).toEqual(change.after)
        }
        expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length)
      }),
      { numRuns: cases(200, 5_000) },
    )
  })
})
