import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { valueAt } from '#shared/fields/path'
import { sameJson, type JsonObject } from '#shared/json'
import { applyPatch, patchBetween } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import { entryChanges } from '../../../../src-renderer/context/change-words'
import { draftMarks, listedChanges, placeShown, wasAt } from '../../../../src-renderer/views/campaigns/draft-marks'
import { cases } from '../../../helpers/ring'

const facts = factsOf()
const key = (id: string): string => recordKey('placements', '7', id)
let made = 0
const entry = (recordId: string, more: Partial<OutboxEntry>): OutboxEntry =>
  ({
    ...{ id: String(made++).padStart(6, '0'), collection: 'placements', parent: '7', recordId, kind: 'change' },
    ...more,
  }) as OutboxEntry
const schedule = (endDate: string, units: string): JsonObject => ({
  pricingSchedule: { startDate: '2026-06-01', endDate, pricingPeriods: [{ units, endDate }] },
})

describe('marks of changed cells', () => {
  const base = { id: '1', name: 'A', externalId: 'PL', ...schedule('2026-06-30', '5') }
  const marks = draftMarks(facts, [entry('1', { base, patch: schedule('2026-07-07', '5') })])
  it('name what the service has, only where it differs', () => {
    const mark = marks.get(key('1'))
    expect(wasAt(mark, 'pricingSchedule.endDate')).toEqual({ before: '2026-06-30' })
    expect(wasAt(mark, 'pricingSchedule.startDate')).toBeUndefined()
    expect(wasAt(mark, 'pricingSchedule.pricingPeriods.0.units')).toBeUndefined()
    expect(wasAt(mark, 'name')).toBeUndefined()
    expect(wasAt(undefined, 'name')).toBeUndefined()
  })
  it('show what someone else has changed it to, but leave places alone that only they changed', () => {
    const theirs = { ...base, name: 'B', ...schedule('2026-06-28', '6') }
    const row = { base: theirs, value: { ...theirs, ...schedule('2026-07-07', '6') } }
    const mark = draftMarks(facts, marks.get(key('1'))!.entries, () => row).get(key('1'))!
    expect(wasAt(mark, 'pricingSchedule.endDate')).toEqual({ before: '2026-06-28' })
    expect(wasAt(mark, 'pricingSchedule.pricingPeriods.0.units')).toBeUndefined()
    expect(wasAt(mark, 'name')).toBeUndefined()
    // What is set back to theirs differs from what the edit began with only.
    expect(
      wasAt(
        draftMarks(facts, mark.entries, () => ({ base: theirs, value: theirs })).get(key('1')),
        'pricingSchedule.endDate',
      ),
    ).toBeUndefined()
    const ends = (by?: JsonObject): unknown => entryChanges(mark.entries[0]!, facts.of('placements'), by)
    expect(ends(theirs)).toEqual([
      { path: 'pricingSchedule.endDate', head: 'End date', before: '2026-06-28', after: '2026-07-07' },
    ])
    expect(ends()).toEqual([
      { path: 'pricingSchedule.endDate', head: 'End date', before: '2026-06-30', after: '2026-07-07' },
    ])
  })
  it('are about all prices in the cells of the first of several', () => {
    const units = 'pricingSchedule.pricingPeriods.0.units'
    const priced = (...all: string[]): JsonObject => ({
      pricingSchedule: { pricingPeriods: all.map((count) => ({ units: count })) },
    })
    const shown = (base: JsonObject, patch: JsonObject): string =>
      placeShown(draftMarks(facts, [entry('1', { base, patch })]).get(key('1'))!, units)
    expect(shown(priced('5', '6'), priced('5', '9'))).toBe('pricingSchedule.pricingPeriods')
    expect(shown(priced('5'), priced('5', '9'))).toBe('pricingSchedule.pricingPeriods')
    expect(shown(priced('5'), priced('9'))).toBe(units)
  })
  it('count a price that moves with its flight once', () => {
    expect(listedChanges(facts, marks).map(({ change }) => change?.head)).toEqual(['End date'])
  })
  it('number the entries of a list that has several', () => {
    const prices = (...units: string[]): JsonObject => ({
      pricingSchedule: { pricingPeriods: units.map((one) => ({ units: one })) },
    })
    const headsOf = (before: JsonObject, patch: JsonObject): unknown[] => {
      const base = { id: '1', ...before }
      return listedChanges(facts, draftMarks(facts, [entry('1', { base, patch })])).map(({ change }) => change?.head)
    }
    expect(headsOf(prices('1', '2'), prices('3', '4'))).toEqual(['Units (1)', 'Units (2)'])
    expect(headsOf(prices('1', '2'), prices('3', '2'))).toEqual(['Units (1)'])
    expect(headsOf(prices('1'), prices('3'))).toEqual(['Units'])
  })
  it('tell new, archived, and deleted records apart', () => {
    const all = draftMarks(facts, [
      entry('local:1', { kind: 'create', base: null, patch: { name: 'B' } }),
      entry('2', { base: { id: '2', archived: false }, patch: { archived: true } }),
      entry('3', { kind: 'delete', base: { id: '3' }, patch: {} }),
    ])
    expect([...all.values()].map(({ kind }) => kind)).toEqual(['new', 'archived', 'deleted'])
    expect(wasAt(all.get(key('local:1')), 'name')).toBeUndefined()
  })
})

describe('the list of changes', () => {
  const record = fc.record({
    name: fc.constantFrom('A', 'B', 'C'),
    externalId: fc.constantFrom('1', '2'),
    comment: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
    pricingSchedule: fc.record({
      startDate: fc.constantFrom('2026-06-01', '2026-06-02'),
      endDate: fc.constantFrom('2026-06-30', '2026-07-01'),
      pricingPeriods: fc.array(fc.record({ units: fc.constantFrom('1', '2') }), { minLength: 1, maxLength: 2 }),
    }),
  }) as fc.Arbitrary<JsonObject>
  const paths = ['name', 'externalId', 'comment', 'pricingSchedule.startDate', 'pricingSchedule.endDate']

  it('equals the difference between the service and the drafts, however many steps led there', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), record), { maxLength: 12 }), record, (steps, first) => {
        const now = new Map<string, JsonObject>()
        const entries: OutboxEntry[] = []
        for (const [id, next] of steps) {
          const before = now.get(String(id)) ?? first
          const patch = patchBetween(before, next)
          if (Object.keys(patch).length > 0) entries.push(entry(String(id), { base: before, patch }))
          now.set(String(id), applyPatch(before, patch))
        }
        const marks = draftMarks(facts, entries)
        const listed = listedChanges(facts, marks)
        for (const [id, value] of now) {
          const own = listed.filter((one) => one.key === key(id))
          const differing = paths.filter((path) => !sameJson(valueAt(first, path), valueAt(value, path)))
          expect(own.map(({ change }) => change!.path).filter((path) => paths.includes(path))).toEqual(
            expect.arrayContaining(differing),
          )
          for (const { change } of own) {
            expect(valueAt(first, change!.path) ?? undefined).toEqual(change!.before)
            expect(valueAt(value, change!.path) ?? undefined).toEqual(change!.after)
            expect(wasAt(marks.get(key(id)), change!.path)).toEqual({ before: change!.before ?? null })
          }
          expect(own.length === 0).toBe(sameJson(first, value))
        }
      }),
      { numRuns: cases(100, 2_000) },
    )
  })
})
