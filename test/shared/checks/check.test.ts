import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { aroundOf, check, fixesFor, groupFindings } from '#shared/checks/check'
import type { Checked, Finding, FixEdit } from '#shared/checks/rule'
import { urlProblems } from '#shared/checks/urls'
import { factsOf } from '#shared/facts/facts'
import { withValueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'

const facts = factsOf()
const today = '2026-06-10'
const advertiserId = '1'

function record(collection: CollectionName, id: string, value: JsonObject, base: JsonObject | null = value): Checked {
  return { key: recordKey(collection, '7', id), collection, id, value, base }
}
const flight = (startDate: string, endDate: string): JsonObject => ({
  startDate,
  endDate,
  pricingType: 'PRICING_TYPE_CPM',
  pricingPeriods: [{ startDate, endDate, units: '1000', rateOrCostNanos: '5000000000' }],
})
const campaign = (id: string): Checked =>
  record('campaigns', id, {
    ...{ name: `Campaign ${id}`, advertiserId, startDate: '2026-06-01', endDate: '2026-06-30' },
    defaultLandingPageId: '9',
  })
const placement = (id: string, campaignId: string): Checked =>
  record('placements', id, {
    ...{ name: `Placement ${id}`, advertiserId, campaignId, size: { id: '5', width: 300, height: 250 } },
    pricingSchedule: flight('2026-06-01', '2026-06-30'),
  })
const page = record('advertiserLandingPages', '9', { name: 'Page', advertiserId, url: 'https://example.com/?a=1' })
const creative = record('creatives', '8', { name: 'Banner', advertiserId, size: { id: '5', width: 300, height: 250 } })
const ad = (id: string, campaignId: string, placements: readonly string[]): Checked =>
  record('ads', id, {
    ...{ name: `Ad ${id}`, advertiserId, campaignId, type: 'AD_SERVING_STANDARD_AD', active: true },
    ...{ startTime: '2026-06-01T00:00:00Z', endTime: '2026-06-30T23:59:00Z' },
    placementAssignments: placements.map((placementId) => ({ placementId, active: true })),
    creativeRotation: { creativeAssignments: [{ creativeId: '8', active: true }] },
  })

/** Campaigns with ten placements each, all served by one ad. Nothing is wrong. */
function sound(count: number): Checked[] {
  const records: Checked[] = [page, creative]
  for (let at = 0; at < count / 10; at++) {
    const id = String(1_000 + at)
    const ids = Array.from({ length: 10 }, (_unused, one) => String(10_000 + at * 10 + one))
    records.push(campaign(id), ...ids.map((one) => placement(one, id)), ad(String(500_000 + at), id, ids))
  }
  return records
}
/** The record with a draft on top. */
const edited = ({ value, ...one }: Checked, path: string, next: JsonObject[string]): Checked => ({
  ...one,
  value: withValueAt(value, path, next ?? null) as JsonObject,
})
function findingsIn(records: readonly Checked[]): Finding[] {
  const around = aroundOf(records, { today, facts: (name) => facts.of(name), isWhole: () => true, knowsAds: true })
  return [...check(records, around)].flat()
}

const replaced = (list: readonly Checked[], at: number, one: Checked): Checked[] =>
  list.map((known, index) => (index === at ? one : known))

/** Faults, each with the rule that finds it, what it breaks, and how. */
const faults: readonly [rule: string, collection: CollectionName, path: string, next: JsonObject[string]][] = [
  ['reversed.placements', 'placements', 'pricingSchedule.endDate', '2026-05-31'],
  ['reversed.placements', 'placements', 'pricingSchedule.startDate', '2026-07-01'],
  ['reversed.campaigns', 'campaigns', 'endDate', '2026-06-01'],
  ['reversed.ads', 'ads', 'endTime', '2026-05-01T00:00:00Z'],
  ['end.passed', 'campaigns', 'endDate', '2026-06-09'],
  ['flight.outside', 'placements', 'pricingSchedule.endDate', '2026-07-07'],
  ['flight.outside', 'placements', 'pricingSchedule.startDate', '2026-05-20'],
  [
    'price.outside',
    'placements',
    'pricingSchedule.pricingPeriods',
    [
      { startDate: '2026-06-01', endDate: '2026-06-14' },
      { startDate: '2026-06-15', endDate: '2026-07-14' },
    ],
  ],
  [
    'price.gap',
    'placements',
    'pricingSchedule.pricingPeriods',
    [
      { startDate: '2026-06-01', endDate: '2026-06-14' },
      { startDate: '2026-06-16', endDate: '2026-06-30' },
    ],
  ],
  ['price.activity', 'placements', 'pricingSchedule.pricingType', 'PRICING_TYPE_CPA'],
  ['reference', 'placements', 'campaignId', '404'],
  ['reference', 'campaigns', 'defaultLandingPageId', '77'],
  ['name.twice', 'placements', 'name', 'Placement 10001'],
  ['campaign.page', 'campaigns', 'defaultLandingPageId', null],
  ['placement.ads', 'ads', 'active', false],
  ['placement.covered', 'ads', 'endTime', '2026-06-20T00:00:00Z'],
  ['ad.placements', 'ads', 'placementAssignments', [{ placementId: '10000', active: false }]],
  ['ad.creatives', 'ads', 'creativeRotation.creativeAssignments', [{ creativeId: '8', active: false }]],
  ['ad.sizes', 'placements', 'size', { id: '6', width: 728, height: 90 }],
  ['placement.archived', 'placements', 'archived', true],
  ['url.page', 'advertiserLandingPages', 'url', 'http://example.com/?a=1&a=2'],
]

describe('the check', () => {
  const records = sound(500)
  it('finds nothing in sound records', () => {
    expect(records.filter(({ collection }) => collection === 'placements')).toHaveLength(500)
    expect(findingsIn(records)).toEqual([])
  })

  it.each(faults)('finds %s in %s when %s changes', (rule, collection, path, next) => {
    const at = records.findIndex((one) => one.collection === collection)
    let planted = replaced(records, at, edited(records[at]!, path, next))
    // Coverage only concerns flights that someone changed.
    if (rule === 'placement.covered') {
      const place = planted.findIndex((one) => one.collection === 'placements')
      planted = replaced(planted, place, edited(planted[place]!, 'pricingSchedule.endDate', '2026-06-29'))
    }
    const found = findingsIn(planted)
    expect(found.map((one) => one.rule.id)).toContain(rule)
    // A fault in a record is an error of no other one.
    const errors = found.filter((one) => one.rule.severity === 'error')
    for (const one of errors) expect(one.record.key).toBe(records[at]!.key)
  })

  it('finds all twenty-one at once, each in a campaign of its own', () => {
    let planted = records
    const plant = (at: number, path: string, next: JsonObject[string]): void => {
      planted = replaced(planted, at, edited(planted[at]!, path, next))
    }
    for (const [place, [rule, collection, path, next]] of faults.entries()) {
      const campaignId = String(1_000 + place)
      const isIn = ({ value, id }: Checked): boolean => id === campaignId || value['campaignId'] === campaignId
      const at = records.findIndex((one) => one.collection === collection && (isIn(one) || one === page))
      plant(at, path, rule === 'name.twice' ? `Placement ${10_001 + place * 10}` : next)
      const slot = records.findIndex((one) => one.collection === 'placements' && isIn(one))
      if (rule === 'placement.covered') plant(slot, 'pricingSchedule.endDate', '2026-06-29')
    }
    expect(faults).toHaveLength(21)
    const found = new Set(findingsIn(planted).map((one) => one.rule.id))
    expect(faults.map(([rule]) => rule).filter((rule) => !found.has(rule))).toEqual([])
  })

  it('finds records of another advertiser, archived ones, and those that are gone', () => {
    const foreign = record('advertiserLandingPages', '66', { advertiserId: '2', url: 'https://example.com' })
    const old = record('advertiserLandingPages', '67', { advertiserId, archived: true, url: 'https://example.com' })
    const at = records.findIndex(({ collection }) => collection === 'campaigns')
    const words = (id: string): string[] =>
      findingsIn([...replaced(records, at, edited(records[at]!, 'defaultLandingPageId', id)), foreign, old]).map(
        (one) => one.words,
      )
    expect(words('66')).toEqual(['The landing page belongs to another advertiser'])
    expect(words('67')).toEqual(['The landing page is archived'])
    expect(words('68')).toEqual(['The linked record doesn’t exist'])
  })

  it('offers one fix for all alike, which leaves nothing to find', () => {
    const late = records.map((one) =>
      one.collection === 'placements' && Number(one.id) < 10_030
        ? edited(one, 'pricingSchedule.endDate', one.id === '10005' ? '2026-07-14' : '2026-07-07')
        : one,
    )
    const errors = (list: readonly Checked[]): Finding[] =>
      findingsIn(list).filter(({ rule }) => rule.severity === 'error')
    const [group, ...others] = groupFindings(errors(late))
    expect(others).toEqual([])
    expect(group).toMatchObject({ severity: 'error', words: 'Ends after the campaign' })
    expect(group!.findings).toHaveLength(30)
    const [extend, shorten] = fixesFor(group!.findings)
    expect([extend!.words, extend!.edits.length]).toEqual(['Extend the campaign', 3])
    expect([shorten!.words, shorten!.edits.length]).toEqual(['Shorten the flight', 30])
    for (const { edits } of [extend!, shorten!]) {
      const byKey = new Map(edits.map((edit) => [edit.key, edit]))
      const fixed = late.map((one) => {
        const edit = byKey.get(one.key)
        return edit ? edited(one, edit.path, edit.value) : one
      })
      expect(errors(fixed)).toEqual([])
    }
    const first = extend!.edits.find(({ key }) => key === recordKey('campaigns', '7', '1000'))
    expect(first?.value).toBe('2026-07-14')
  })

  it('says nothing about a live placement without ads that is archived', () => {
    const alone = edited(placement('10000', '1000'), 'archived', true)
    expect(findingsIn([page, campaign('1000'), alone])).toEqual([])
  })

  it('extends no campaign to a day that has passed, nor minds an end that was there before', () => {
    const ended = { ...campaign('1000').value, endDate: '2026-06-05' }
    const over = record('campaigns', '1000', ended)
    const late = edited(placement('10000', '1000'), 'pricingSchedule', flight('2026-06-01', '2026-06-09'))
    const found = findingsIn([page, over, late]).filter(({ rule }) => rule.severity === 'error')
    expect(found.map(({ rule, fixes }) => [rule.id, fixes?.map(({ words }) => words)])).toEqual([
      ['flight.outside', ['Shorten the flight']],
    ])
    const [own] = findingsIn([page, edited(over, 'endDate', '2026-06-09')])
    expect([own!.rule.id, own!.fixes?.[0]?.edits[0]?.value]).toEqual(['end.passed', today])
    expect(findingsIn([page, edited(over, 'endDate', today)])).toEqual([])
  })

  it('shortens no flight that lies apart from its campaign', () => {
    const apart = edited(placement('10000', '1000'), 'pricingSchedule', flight('2026-07-10', '2026-07-20'))
    const found = findingsIn([page, campaign('1000'), apart]).filter(({ rule }) => rule.id === 'flight.outside')
    expect(found.map(({ fixes }) => fixes?.map(({ words }) => words))).toEqual([['Extend the campaign']])
  })

  it('fits no price that lies apart from its flight, because nothing of it would be left', () => {
    const moved = edited(placement('10000', '1000'), 'pricingSchedule', {
      ...flight('2026-06-20', '2026-06-30'),
      pricingPeriods: [
        { startDate: '2026-06-01', endDate: '2026-06-14' },
        { startDate: '2026-06-15', endDate: '2026-06-30' },
      ],
    })
    const found = findingsIn([page, campaign('1000'), moved]).filter(({ rule }) => rule.id === 'price.outside')
    expect(found.map(({ fixes }) => fixes?.map(({ edits }) => edits[0]!.path))).toEqual([
      undefined,
      ['pricingSchedule.pricingPeriods.1.startDate'],
    ])
  })

  it('skips invalid dates, and accepts an ad without an end', () => {
    const period = (startDate: string, endDate: string): JsonObject => ({ startDate, endDate })
    const odd = edited(placement('10001', '1000'), 'pricingSchedule.pricingPeriods', [
      period('2026-06-01', '2026-06-41'),
      period('2026-06-15', '2026-06-30'),
    ])
    const shorter = edited(placement('10000', '1000'), 'pricingSchedule.endDate', '2026-06-29')
    const endless = edited(ad('500000', '1000', ['10000', '10001']), 'endTime', '9999-12-31T00:00:00Z')
    const found = findingsIn([page, creative, campaign('1000'), shorter, odd, endless])
    expect(found.map(({ rule, record }) => [rule.id, record.id])).not.toContainEqual(['placement.covered', '10000'])
    expect(found.map(({ record }) => record.id)).toContain('10001')
  })

  it('offers to extend the ads that end before an extended flight, to the last minute of its last day', () => {
    const longer = edited(placement('10000', '1000'), 'pricingSchedule.endDate', '2026-07-07')
    const served = ad('500000', '1000', ['10000'])
    const earlier = edited(ad('500001', '1000', ['10000']), 'endTime', '2026-06-10T00:00:00Z')
    const records = [page, creative, campaign('1000'), longer, served, { ...earlier, base: earlier.value }]
    const fixesIn = (zone: string, all: readonly Checked[]): FixEdit[] => {
      const around = aroundOf(all, {
        ...{ today, zone, facts: (name) => facts.of(name) },
        ...{ isWhole: () => true, knowsAds: true },
      })
      const found = [...check(all, around)].flat().filter(({ rule }) => rule.id === 'placement.covered')
      return fixesFor(found).flatMap(({ words, edits }) => (words === 'Extend its ads' ? edits : []))
    }
    const path = 'endTime'
    expect(fixesIn('UTC', records)).toEqual([{ key: served.key, path, value: '2026-07-07T23:59:00.000Z' }])
    expect(fixesIn('America/Los_Angeles', records)).toEqual([
      { key: served.key, path, value: '2026-07-08T06:59:00.000Z' },
    ])
    const mended = records.map((one) => (one === served ? edited(served, path, '2026-07-07T23:59:00.000Z') : one))
    expect(fixesIn('UTC', mended)).toEqual([])
    const midnight = records.map((one) => (one === served ? edited(served, path, '2026-07-07T00:00:00Z') : one))
    expect(fixesIn('UTC', midnight).map(({ value }) => value)).toEqual(['2026-07-07T23:59:00.000Z'])
    // There, it's still 6 July.
    const early = edited(served, path, '2026-07-07T06:59:00.000Z')
    const almost = records.map((one) => (one === served ? early : one))
    expect([fixesIn('UTC', almost), fixesIn('America/Los_Angeles', almost)].map((edits) => edits.length)).toEqual([
      0, 1,
    ])
    // Extending them wouldn't cover a gap before.
    const late = edited(served, 'startTime', '2026-06-20T00:00:00Z')
    expect(fixesIn('UTC', [page, creative, campaign('1000'), longer, late])).toEqual([])
  })

  it('numbers names that repeat, so that none repeats afterwards', () => {
    const named = (id: string, name: string, base?: null): Checked => {
      const { value, ...one } = placement(id, '1000')
      const next = { ...value, name }
      return { ...one, value: next, base: base === null ? null : next }
    }
    const list = [named('1', 'A'), named('2', 'A', null), named('3', 'A', null), named('4', 'A (2)')]
    const found = findingsIn(list).filter(({ rule }) => rule.id === 'name.twice')
    const [fix, ...others] = fixesFor(found)
    expect([fix!.edits.map(({ value }) => value), others]).toEqual([['A (3)', 'A (4)'], []])
  })

  it('reads each new record of a campaign as often however many there are', () => {
    const readsPerRecord = (count: number): number => {
      let reads = 0
      const counted = (value: JsonObject): JsonObject =>
        new Proxy(value, { get: (target, name) => (reads++, target[name as string]) })
      const made = Array.from({ length: count }, (_unused, at): Checked => {
        const { value, ...one } = placement(String(at), '1000')
        return { ...one, value: counted({ ...value, siteId: '5', name: 'Same' }), base: null }
      })
      expect(findingsIn(made).filter(({ rule }) => rule.id === 'name.twice')).toHaveLength(count)
      return reads / count
    }
    expect(readsPerRecord(400)).toBeLessThanOrEqual(readsPerRecord(20) * 1.1)
  })

  it('takes at most a hundred times as long as looking at each record once', () => {
    const many = sound(10_000)
    const timed = (run: () => unknown): number => {
      const times = [0, 1, 2].map(() => {
        const began = systemClock.elapsed()
        run()
        return systemClock.elapsed() - began
      })
      return Math.min(...times)
    }
    const plain = timed(() => many.map(({ value }) => JSON.stringify(value)).length)
    const checked = timed(() => findingsIn(many))
    expect(checked / Math.max(plain, 1)).toBeLessThan(100)
  })
})

describe('addresses', () => {
  const words = (url: string): string[] => urlProblems('url', url, 'k').map((one) => one.words)
  it('are checked with their macros', () => {
    expect(words('https://example.com/a?b=1&c=%%CACHEBUSTER%%#top')).toEqual([])
    expect(words('https://example.com/${GDPR}?n=[timestamp]')).toEqual([])
    expect(words('example.com')).toEqual(['The address doesn’t start with http(s)://'])
    expect(words('http://example.com')).toEqual(['The address isn’t secure'])
    expect(words('https://example.com/a b')).toEqual(['The address contains spaces'])
    expect(words('https://example.com/?a=1&b=2&a=3')).toEqual(['The parameter “a” appears twice'])
    expect(words('https://example.com/?f[size]=1&f[color]=2&a[]=1&a[]=2')).toEqual([])
    expect(words('https://example.com/?a=%%CACHE')).toEqual(['A macro isn’t closed'])
    expect(words('https://example.com/#a?utm=1')).toEqual(['Parameters after # aren’t sent'])
  })
  it('are fixed without losing anything else', () => {
    const fix = (url: string): unknown => urlProblems('url', url, 'k')[0]?.fixes?.[0]?.edits[0]?.value
    expect(fix('http://example.com/?a=1#b')).toBe('https://example.com/?a=1#b')
    expect(fix(' https://example.com/a b ')).toBe('https://example.com/a%20b')
  })
})
