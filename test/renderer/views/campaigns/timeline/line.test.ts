import { describe, expect, it } from 'vitest'
import type { Finding } from '#shared/checks/rule'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { DraftMark } from '../../../../../src-renderer/views/campaigns/draft-marks'
import type { CampaignsModel } from '../../../../../src-renderer/views/campaigns/model.svelte'
import { lineReader, type Line } from '../../../../../src-renderer/views/campaigns/timeline/line'

const facts = factsOf()
const now = Date.parse('2026-06-10T08:00:00Z')
const context = {
  ...{ zone: 'UTC', hour12: false, today: Date.parse('2026-06-10') },
  nameOf: (collection: string, id: string): string => `${collection} ${id}`,
}
const schedule = (startDate: string, endDate: string): JsonObject => ({ pricingSchedule: { startDate, endDate } })
const placement = {
  ...{ name: 'Top', advertiserId: '1', campaignId: '2' },
  ...schedule('2026-06-01', '2026-06-30'),
}

interface Situation {
  kind?: CollectionName
  facts?: Partial<Collection>
  within?: [CollectionName, string]
  mark?: DraftMark
  findings?: readonly Pick<Finding, 'path' | 'rule' | 'words'>[]
}
function line(value: JsonObject, { kind = 'placements', within, mark, findings = [], ...more }: Situation = {}): Line {
  const key = recordKey(kind, 'p', '7')
  const model = {
    kind: { ...facts.of(kind), ...more.facts },
    app: { replica: { facts } },
    scope: { profile: 'p', ...(within && { within: recordKey(within[0], 'p', within[1]) }) },
    around: [facts.of('advertisers'), facts.of('campaigns')],
    rows: { mark: () => 'synced' },
    cell: () => (path: string) => valueAt(value, path),
    marks: new Map(mark ? [[key, mark]] : []),
    findings: { of: () => new Map(findings.map((one) => [one.path, one])) },
    markOf: (mark: string) => mark,
  }
  return lineReader(model as unknown as CampaignsModel)(0, key, context, now)!
}
const changed = (before: JsonObject, after: JsonObject): DraftMark => ({
  kind: 'changed',
  before,
  after,
  began: before,
  entries: [],
})
const finding = (path: string, severity: string): Pick<Finding, 'path' | 'rule' | 'words'> =>
  ({ path, rule: { severity }, words: 'Wrong' }) as unknown as Finding

describe('a line of the timeline', () => {
  it('has a name, dates, and a phase', () => {
    expect(line(placement)).toMatchObject({
      ...{ title: 'Top', dates: 'Mon 1 Jun – Tue 30 Jun', phase: 'live', archived: false, inactive: false },
      bar: { start: Date.parse('2026-06-01'), end: Date.parse('2026-07-01') },
      ...{ was: undefined, closed: undefined, severity: undefined },
    })
    expect(line({ ...placement, name: '', archived: true })).toMatchObject({ title: '#7', archived: true })
    expect(line({ active: false }, { kind: 'ads' })).toMatchObject({ inactive: true, bar: undefined, dates: '' })
    expect(line({ startDate: '2026-06-01' }, { kind: 'campaigns' }).dates).toBe('Mon 1 Jun – no end')
  })

  it('names the narrowest record around it that the list mixes', () => {
    expect(line(placement).around).toBe('campaigns 2')
    expect(line(placement, { within: ['advertisers', '1'] }).around).toBe('campaigns 2')
    expect(line(placement, { within: ['campaigns', '2'] }).around).toBeUndefined()
    expect(line({ advertiserId: '1' }, { kind: 'campaigns' }).around).toBe('advertisers 1')
    expect(line({ advertiserId: '1' }, { kind: 'campaigns', within: ['advertisers', '1'] }).around).toBeUndefined()
  })

  it('says where pending changes moved it from', () => {
    const after: Json = schedule('2026-06-01', '2026-06-30')
    const moved = line(placement, { mark: changed(schedule('2026-05-01', '2026-05-30'), after) })
    expect(moved.was).toEqual({ start: Date.parse('2026-05-01'), end: Date.parse('2026-05-31') })
    expect(moved.wasWords).toBe('Fri 1 May – Sat 30 May')
    const longer = line(placement, { mark: changed(schedule('2026-06-01', '2026-06-05'), after) })
    expect(longer.wasWords).toBe('Mon 1 Jun – Fri 5 Jun')
    expect(line(placement, { mark: changed({ name: 'Old' }, { name: 'Top' }) }).was).toBeUndefined()
  })

  it('shows the worst finding, and that of its dates', () => {
    const findings = [finding('name', 'error'), finding('pricingSchedule.endDate', 'warning')]
    expect(line(placement, { findings })).toMatchObject({ severity: 'error', flightSeverity: 'warning' })
    expect(line(placement, { findings: [finding('name', 'hint')] })).toMatchObject({
      ...{ severity: 'hint', flightSeverity: undefined },
    })
  })

  it('says why its flight can’t be moved', () => {
    expect(line(placement, { facts: { writable: false } }).closed).toBe('Read-only')
    expect(line(placement, { facts: { fixed: ['pricingSchedule'] } }).closed).toBe('Can’t be changed after creation')
  })
})
