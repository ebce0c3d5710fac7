import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { conflictGroups, decide, sideOf } from '../../../../src-renderer/views/sync/conflict-groups'
import { someEntry } from '../../../helpers/some-entry'

const period = (rate: string): JsonObject => ({ units: '10', rateOrCostNanos: rate })
const schedule = (...pricingPeriods: JsonObject[]): JsonObject => ({ pricingSchedule: { pricingPeriods } })

/** A conflict about the prices of a placement. */
const conflictOf = (id: string, mine: JsonObject, theirs: JsonObject, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  someEntry({
    id,
    collection: 'placements',
    parent: 'p',
    recordId: id,
    patch: mine,
    base: schedule(period('1000')),
    madeAt: 1_000,
    state: 'needsYou',
    attempts: 1,
    conflict: { remote: { ...theirs, lastModifiedInfo: { time: '2000' } }, fields: ['pricingSchedule'], merged: {} },
    ...more,
  })

describe('conflicts that are resolved together', () => {
  it('take an edit for newer that went into an earlier one', () => {
    const entry = conflictOf('1', schedule(period('3000')), schedule(period('2000')))
    expect(sideOf('newer', entry)).toBe('theirs')
    expect(sideOf('newer', { ...entry, editedAt: 3_000 })).toBe('mine')
  })

  it('are about money if either side has an amount', () => {
    const removed = conflictOf('1', schedule(), schedule(period('2000')))
    const added = conflictOf('2', schedule(period('2000')), schedule())
    for (const entry of [removed, added]) {
      const [group] = conflictGroups([entry, { ...entry, id: 'other' }])
      expect(group?.money).toBe(true)
      expect(decide(entry, 'mine', false)).toBeUndefined()
    }
  })

  it('are about money if any of them is', () => {
    const [free, paid] = [
      conflictOf('1', schedule(), schedule({ units: '1' }, {})),
      conflictOf('2', schedule(), schedule(period('2000'))),
    ]
    const groups = conflictGroups([free, paid])
    expect(groups.map(({ entries, money }) => [entries.length, money])).toEqual([[2, true]])
  })
})
