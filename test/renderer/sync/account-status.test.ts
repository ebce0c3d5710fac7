import { describe, expect, it } from 'vitest'
import type { LaneStatus, SyncPhase, SyncStatus } from '../../../src-renderer/replica/api'
import { accountStatus } from '../../../src-renderer/sync/account-status'

const lane = (part: Partial<LaneStatus>): LaneStatus => ({
  service: 'calendar',
  phase: 'idle',
  lastPull: 100,
  unsent: 0,
  needsYou: 0,
  drafts: 0,
  ...part,
})
const sum = (...lanes: Partial<LaneStatus>[]): SyncStatus =>
  accountStatus(lanes.map(lane), {
    offline: false,
    paused: false,
    unsent: 0,
    needsYou: 0,
    drafts: 0,
    notUnderstood: 0,
    unitsLastMinute: 0,
  })

describe('the combined status of all services', () => {
  it.each<[SyncPhase[], SyncPhase]>([
    [[], 'idle'],
    [['idle', 'idle'], 'idle'],
    [['idle', 'waiting'], 'waiting'],
    [['pulling', 'waiting'], 'pulling'],
    [['pushing', 'pulling'], 'pushing'],
    [['signIn', 'pushing'], 'signIn'],
    [['firstSync', 'waiting'], 'firstSync'],
    [['paused', 'idle'], 'paused'],
    [['starting', 'idle'], 'starting'],
  ])('%o are %s', (phases, whole) => {
    expect(sum(...phases.map((phase) => ({ phase }))).phase).toBe(whole)
  })

  it('uses the oldest sync time, or none if one never synced', () => {
    expect(sum({ lastPull: 100 }, { lastPull: 50 }).lastPull).toBe(50)
    expect(sum({ lastPull: 100 }, { lastPull: null }).lastPull).toBeNull()
    expect(sum().lastPull).toBeNull()
  })

  it('uses the earliest retry time', () => {
    expect(sum({ nextTry: 300 }, { nextTry: 200 }, {}).nextTry).toBe(200)
    expect(sum({}).nextTry).toBeUndefined()
  })

  it('prefers problems that affect everything', () => {
    const [limited, disk] = [{ code: 'rateLimited', message: '' } as const, { code: 'storage', message: '' } as const]
    expect(sum({ fault: limited }, { fault: disk }).fault).toEqual(disk)
    expect(sum({}, { fault: limited }).fault).toEqual(limited)
  })

  it('sums the progress of a first sync', () => {
    const progress = { done: 1, total: 4, records: 10 }
    expect(sum({ progress }, { progress }, {}).progress).toEqual({ done: 2, total: 8, records: 20 })
  })
})
