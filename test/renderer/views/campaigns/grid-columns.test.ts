import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import { versionsOf } from '#shared/wire/services'
import {
  allColumns,
  fitColumns,
  gridColumns,
  headFor,
  minColumnWidth,
  usualColumns,
} from '../../../../src-renderer/views/campaigns/grid-columns'

const facts = factsOf()
const placements = facts.of('placements')

describe.each(versionsOf('trafficking'))('columns in API version %s', (trafficking) => {
  it('have readable headers, unique within a sheet, that fit', () => {
    for (const kind of factsOf({ trafficking }).all) {
      for (const { head, width, path } of allColumns(kind)) {
        expect(head, `${kind.name}.${path}`).toMatch(/^[A-Z]|^(cat|type)=$/)
        expect(head, `${kind.name}.${path}`).not.toMatch(/[a-z][A-Z][a-z]|[._]/)
        expect(width).toBeGreaterThanOrEqual(minColumnWidth)
      }
      const heads = gridColumns(kind).map(({ head }) => head)
      expect(new Set(heads).size, `${kind.name}: ${heads.join(', ')}`).toBe(heads.length)
    }
  })
})

describe('grid columns', () => {
  it('follow the sheet until you choose others', () => {
    expect(gridColumns(placements).map(({ path }) => path)).toEqual(placements.sheet.columns.map(({ path }) => path))
    const chosen = gridColumns(placements, { shown: ['comment', 'name', 'nothing'], widths: { name: 99 } })
    expect(chosen.map(({ path, width }) => [path, width])).toEqual([
      ['comment', chosen[0]!.width],
      ['name', 99],
    ])
  })
  it('of a log say when and who first', () => {
    const paths = gridColumns(facts.of('changeLogs')).map(({ path }) => path)
    expect(paths).toEqual([
      ...['changeTime', 'userProfileName', 'objectType', 'objectId', 'action', 'fieldName', 'oldValue', 'newValue'],
      'id',
    ])
  })
  it('name the campaign where the scope doesn’t', () => {
    const campaign = recordKey('campaigns', '7', '1')
    expect(usualColumns(placements, undefined)?.slice(0, 3)).toEqual(['name', 'campaignId', 'siteId'])
    expect(usualColumns(placements, recordKey('advertisers', '7', '2'))?.[1]).toBe('campaignId')
    expect(usualColumns(placements, campaign)).toBeUndefined()
    expect(usualColumns(facts.of('campaigns'), undefined)).toBeUndefined()
  })
  it('align numbers and amounts right, and edit what fits in a cell', () => {
    const column = (path: string): (typeof all)[number] => all.find((one) => one.path === path)!
    const all = allColumns(placements)
    expect(column('pricingSchedule.pricingPeriods.0.rateOrCostNanos')).toMatchObject({
      right: true,
      typed: true,
      kind: 'money',
    })
    expect(column('fx.cost')).toMatchObject({ right: true, typed: false, kind: 'computed', held: true })
    expect(column('fx.phase').right).toBe(false)
    expect(column('tagFormats')).toMatchObject({ typed: false, kind: 'choices' })
    expect(column('name').typed).toBe(true)
  })
  it('are sortable if in memory', () => {
    const held = (collection: string, path: string): boolean =>
      gridColumns(facts.of(collection), { shown: [path] })[0]!.held
    expect([held('placements', 'name'), held('placements', 'comment'), held('advertisers', 'defaultEmail')]).toEqual([
      true,
      false,
      true,
    ])
  })
  it('leave room beside the first one in a narrow grid, unless its width was chosen', () => {
    const widths = (width: number, choice = {}): number[] =>
      fitColumns(gridColumns(placements, choice), width, choice).map((column) => column.width)
    const wide = widths(Infinity)
    expect(widths(1_000)).toEqual(wide)
    expect(widths(500)).toEqual([225, ...wide.slice(1)])
    expect(widths(100)[0]).toBe(124)
    expect(widths(500, { widths: { name: 400 } })[0]).toBe(400)
  })
  it('are labeled by the sheet, or else by their path', () => {
    expect(headFor(placements, 'compatibility')).toBe('Runs in')
    expect(headFor(placements, 'fx.phase')).toBe('Phase')
    expect(headFor(placements, 'sslRequired')).toBe('SSL required')
  })
  it('are all selectable, except nested and technical ones', () => {
    const paths = allColumns(placements).map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toEqual(expect.arrayContaining(['comment', 'sslRequired', 'archived']))
    for (const none of ['kind', 'pricingSchedule', 'siteIdDimensionValue']) expect(paths).not.toContain(none)
  })
})
