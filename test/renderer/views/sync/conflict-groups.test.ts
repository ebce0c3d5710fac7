import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import {
  conflictGroups,
  decide,
  groupOf,
  openQuestions,
  sideOf,
} from '../../../../src-renderer/views/sync/conflict-groups'
import { ruledChoice, rulesFor, withRules } from '../../../../src-renderer/views/sync/conflict-rules'
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

describe('a single conflict', () => {
  const paid = conflictOf('1', schedule(period('3000')), schedule(period('2000')))

  it('is like those that a rule about it decides', () => {
    expect(conflictGroups([paid])).toEqual([])
    expect(groupOf(paid)).toMatchObject({ entries: [paid], money: true, newer: true })
  })

  it('has no newer side if the service doesn’t say when it changed', () => {
    const undated = { ...paid, conflict: { ...paid.conflict!, remote: schedule(period('2000')) } }
    expect(groupOf(undated)?.newer).toBe(false)
    expect(conflictGroups([undated, { ...undated, id: 'other' }])[0]?.newer).toBe(false)
    expect(conflictGroups([undated, paid])[0]?.newer).toBe(true)
  })

  it('of an event is like no other', () => {
    const conflict = { remote: { summary: 'Theirs' }, fields: ['summary'], merged: {} }
    expect(groupOf(someEntry({ patch: { summary: 'Mine' }, base: {}, conflict }))).toBeUndefined()
  })
})

describe('conflict rules', () => {
  const prices = conflictOf('1', schedule(period('3000')), schedule(period('2000')))
  const names = conflictOf(
    '2',
    { name: 'Mine' },
    { name: 'Theirs' },
    { base: { name: 'Before' }, conflict: { remote: { name: 'Theirs' }, fields: ['name'], merged: {} } },
  )
  const keeping = (entry: OutboxEntry, keep: 'mine' | 'theirs' | 'newer', money = false) =>
    rulesFor(entry, openQuestions(entry), { keep, money })

  it('decide conflicts about their field in other records, at any position of a list', () => {
    const later = conflictOf('3', schedule(period('1000'), period('3000')), schedule(period('1000'), period('2000')), {
      base: schedule(period('1000'), period('1000')),
    })
    expect(ruledChoice(later, keeping(prices, 'theirs', true))?.fields).toEqual({ pricingSchedule: 'theirs' })
    expect(ruledChoice({ ...names, id: 'other' }, keeping(names, 'mine'))?.fields).toEqual({ name: 'mine' })
  })

  it('leave what isn’t about their field, amounts unless people say so, and the newer one if it’s unknown', () => {
    expect(ruledChoice(names, keeping(prices, 'theirs', true))).toBeUndefined()
    expect(ruledChoice(prices, keeping(prices, 'theirs'))).toBeUndefined()
    expect(ruledChoice(names, keeping(names, 'newer'))).toBeUndefined()
    expect(ruledChoice({ ...names, collection: 'campaigns' }, keeping(names, 'mine'))).toBeUndefined()
    expect(ruledChoice(names, [])).toBeUndefined()
  })

  it('leave conflicts with a second field in question', () => {
    const both = {
      ...names,
      patch: { name: 'Mine', comment: 'Mine' },
      base: { name: 'Before', comment: 'Before' },
      conflict: { remote: { name: 'Theirs', comment: 'Theirs' }, fields: ['name', 'comment'], merged: {} },
    }
    expect(ruledChoice(both, keeping(names, 'mine'))).toBeUndefined()
    expect(ruledChoice(both, keeping(both, 'mine'))?.fields).toEqual({ name: 'mine', comment: 'mine' })
  })

  it('replace a rule about the same field', () => {
    const [mine, theirs] = [keeping(names, 'mine'), keeping(names, 'theirs')]
    expect(withRules([...keeping(prices, 'mine'), ...mine], theirs)).toEqual([...keeping(prices, 'mine'), ...theirs])
  })
})
