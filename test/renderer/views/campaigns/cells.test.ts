import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import { cellWords, logLines, loggedKey, loggedCollection } from '../../../../src-renderer/views/campaigns/cells'

const facts = factsOf()
const context = {
  zone: 'Europe/Berlin',
  hour12: false,
  today: Date.UTC(2026, 5, 10),
  nameOf: (collection: string, id: string) => (collection === 'placements' && id === '11' ? 'Skyscraper' : undefined),
}

describe('a change log entry', () => {
  const line: JsonObject = {
    changeTime: '2026-06-10T06:00:00Z',
    objectType: 'OBJECT_PLACEMENT',
    objectId: '11',
    action: 'ACTION_UPDATE',
    fieldName: 'sslRequired',
    oldValue: 'false',
    newValue: 'true',
    userProfileName: 'mina',
  }
  const log = facts.of('changeLogs')
  const cell = (path: string): Json | undefined => line[path]
  const text = (path: string): string => cellWords(facts, log, path, cell, context)
  it('says who changed what and when, in field labels', () => {
    expect(log.columns.map(text)).toEqual([
      'Today 08:00',
      'mina',
      'Placement',
      'Skyscraper',
      'Update',
      'SSL required',
      'No',
      'Yes',
    ])
  })
  it('names fields as the list does, and shows lists and parts in words', () => {
    const shown = (fieldName: string, newValue: string): string[] => {
      const of = (path: string): Json | undefined => ({ ...line, fieldName, newValue })[path]
      return [log.log!.field, log.log!.after].map((path) => logLines(facts, log, path, of, context).join(', '))
    }
    expect(shown('externalId', 'PL-1')).toEqual(['Plan line', 'PL-1'])
    const period = { startDate: '2026-06-01', endDate: '2026-07-02', units: '300', rateOrCostNanos: '9000000000' }
    const [head, words] = shown('pricingSchedule.pricingPeriods', JSON.stringify([period]))
    expect(head).toBe('Pricing periods')
    for (const part of ['2 Jul', '300', '9.00']) expect(words).toContain(part)
    expect(words).not.toMatch(/[{"]/)
    expect(shown('name', '[Draft] Radio')).toEqual(['Name', '[Draft] Radio'])
  })
  it('links to its record', () => {
    expect(loggedKey(facts, log, '7', cell, context)).toBe(recordKey('placements', '7', '11'))
    expect(loggedKey(facts, log, '7', cell, {})).toBe(recordKey('placements', '7', '11'))
    const nameOf = (collection: string): string | undefined =>
      collection === 'placementGroups' ? 'Package' : undefined
    expect(loggedKey(facts, log, '7', cell, { nameOf })).toBe(recordKey('placementGroups', '7', '11'))
  })
  it('has no link without a record ID, and shows no missing details', () => {
    expect(loggedCollection(facts, log, () => undefined, {})).toBeUndefined()
    expect(loggedCollection(facts, facts.of('placements'), cell, {})).toBeUndefined()
    expect(logLines(facts, log, log.log!.before, () => '', context)).toEqual([])
  })
})

describe('a cell', () => {
  const words = (collection: string, path: string, value: Json | undefined): string =>
    cellWords(facts, facts.of(collection), path, () => value, context)
  it('counts unnamed objects and truncates long lists', () => {
    const contacts = [{ contactType: 'SALES_PERSON', firstName: 'A' }, { contactType: 'TRAFFICKER' }]
    expect(words('sites', 'siteContacts', contacts)).toBe('2')
    const formats = ['STANDARD', 'TRACKING', 'JAVASCRIPT', 'CLICK_COMMANDS'].map((name) => `PLACEMENT_TAG_${name}`)
    expect(words('placements', 'tagFormats', formats)).toBe('Standard, Tracking + 2')
    // A narrow column has no room for names.
    expect(words('placementGroups', 'childPlacementIds', ['11', '12'])).toBe('2')
    expect(words('placementGroups', 'primaryPlacementId', '11')).toBe('Skyscraper')
  })
  it('shows names for IDs, labels for enums, amounts for money, and formatted dates', () => {
    expect(words('eventTags', 'siteIds', ['12'])).toBe('#12')
    expect(words('creatives', 'size', { width: 300, height: 250 })).toBe('300 × 250')
    expect(words('ads', 'active', false)).toBe('No')
    expect(words('placements', 'pricingSchedule.pricingType', 'PRICING_TYPE_CPM')).toMatch(/cpm/i)
    expect(words('placements', 'pricingSchedule.pricingPeriods.0.rateOrCostNanos', '12500000000')).toBe('12.50')
    expect(words('campaigns', 'startDate', '2026-06-12')).toMatch(/12 Jun/)
    expect(words('campaigns', 'startDate', undefined)).toBe('')
  })
  it('shows computed values unchanged, and costs as amounts', () => {
    expect(words('placements', 'fx.phase', 'Live')).toBe('Live')
    expect(words('campaigns', 'fx.placements', 12)).toBe('12')
    expect(words('placements', 'fx.cost', '1234500000000')).toBe('1,234.50')
    expect(words('placements', 'fx.cost', undefined)).toBe('')
  })
})
