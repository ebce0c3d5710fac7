import { expect, it } from 'vitest'
import type { Checked } from '#shared/checks/rule'
import { groupsOf, servingAt, sharedStart, shortened } from '../../../../../src-renderer/views/campaigns/matrix/grid'

const creative = (name: string, width?: number, height = 10): Checked => ({
  ...{ key: name, id: name, collection: 'creatives', base: null },
  value: { name, ...(width !== undefined && { size: { width, height } }) },
})

it('lists creatives by size, those of the placements first, and by name', () => {
  const creatives = [creative('d', 99), creative('b', 20), creative('e'), creative('a', 20), creative('c', 30)]
  const placements = [{ size: { width: 20, height: 10 } }, { additionalSizes: [{ width: 30, height: 10 }] }]
  expect(
    groupsOf(creatives, placements).map(({ size, creatives: own }) => [size, own.map(({ id }) => id).join('')]),
  ).toEqual([
    ['30x10', 'c'],
    ['20x10', 'ab'],
    ['', 'e'],
    ['99x10', 'd'],
  ])
})

it('keeps the creatives of an advertiser together within a size', () => {
  const of = (name: string, advertiserId: string): Checked => ({
    ...creative(name, 20),
    value: { ...creative(name, 20).value, advertiserId },
  })
  const [{ creatives } = { creatives: [] }] = groupsOf([of('a', '2'), of('b', '1'), of('c', '2'), of('d', '1')], [])
  expect(creatives.map(({ id }) => id).join('')).toBe('bdac')
})

it('leaves out what all names of a size begin with, up to a whole word', () => {
  expect(sharedStart(['Spring 300x250: Out now', 'Spring 300x250: Outdoors'])).toBe('Spring 300x250: '.length)
  expect(sharedStart(['Spring', 'Spring'])).toBe(0)
  expect(sharedStart(['Spring sale'])).toBe(0)
  expect(sharedStart(['a b', 'c d'])).toBe(0)
})

it('keeps both ends of a long name', () => {
  expect(shortened('Spring sale', 24)).toBe('Spring sale')
  const short = shortened('Spring sale in all cities: Out by breakfast', 24)
  expect(short).toMatch(/^Spring.*….*breakfast$/)
  expect(short.length).toBeLessThanOrEqual(24)
})

it('lets an ad serve a flight only if it covers all of its days that are left', () => {
  const zone = 'America/New_York'
  const serves = servingAt({ now: Date.parse('2026-06-10T12:30:00Z'), zone })
  const flight = { startDate: '2026-06-01', endDate: '2026-06-30' }
  const ad = (startTime: string, endTime: string): Checked => ({
    ...{ key: 'a', id: 'a', collection: 'ads', base: null },
    value: { startTime, endTime },
  })
  expect(serves(ad('2026-06-01T04:00:00Z', '2026-07-01T03:59:00Z'), { flight })).toBe(true)
  expect(serves(ad('2026-06-10T13:00:00Z', '2026-07-01T03:59:00Z'), { flight })).toBe(true)
  expect(serves(ad('2026-06-01T04:00:00Z', '2026-06-13T03:59:00Z'), { flight })).toBe(false)
  expect(serves(ad('2026-06-11T04:00:00Z', '2026-07-01T03:59:00Z'), { flight })).toBe(false)
  expect(serves(ad('2026-06-01T04:00:00Z', '2026-06-09T03:59:00Z'), { flight })).toBe(false)
})
