import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import { cellText, toldKey } from '../../../../src-renderer/views/records/cells'
import { columnsOf } from '../../../../src-renderer/views/records/columns'
import { plainFields, readFields, readTyped } from '../../../../src-renderer/views/records/fields'
import { kindGroups } from '../../../../src-renderer/views/records/kinds'

const facts = factsOf()
const context = {
  zone: 'Europe/Berlin',
  hour12: false,
  today: Date.UTC(2026, 5, 10),
  nameOf: (collection: string, id: string) => (collection === 'placements' && id === '11' ? 'Skyscraper' : undefined),
}

describe('kinds of records', () => {
  it('are all that have no view of their own, each once', () => {
    const names = kindGroups(facts).flatMap(({ kinds }) => kinds.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['advertisers', 'placements', 'changeLogs', 'sizes', 'userProfiles']))
    expect(names).not.toContain('tasks')
  })
})

describe('a column', () => {
  it('has a head that people read, of every kind', () => {
    for (const kind of facts.all)
      for (const { head, width } of columnsOf(kind, kind.columns)) {
        expect(head, kind.name).toMatch(/^[A-Z]/)
        expect(head, kind.name).not.toMatch(/[a-z][A-Z][a-z]|[._]/)
        expect(width).toBeGreaterThan(60)
      }
  })
})

describe('a line of the change log', () => {
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
  const text = (path: string): string => cellText(facts, log, path, cell, context)
  it('says who changed what and when, in the words of what was changed', () => {
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
  it('leads to the record that it tells of', () => {
    expect(toldKey(facts, log, '7', cell, context)).toBe(recordKey('placements', '7', '11'))
    expect(toldKey(facts, log, '7', cell, {})).toBe(recordKey('placements', '7', '11'))
    const nameOf = (collection: string): string | undefined =>
      collection === 'placementGroups' ? 'Package' : undefined
    expect(toldKey(facts, log, '7', cell, { nameOf })).toBe(recordKey('placementGroups', '7', '11'))
  })
})

describe('a cell', () => {
  it('counts objects that nothing names, and cuts long lists', () => {
    const contacts = [{ contactType: 'SALES_PERSON', firstName: 'A' }, { contactType: 'TRAFFICKER' }]
    expect(cellText(facts, facts.of('sites'), 'siteContacts', () => contacts, context)).toBe('2')
    const formats = ['STANDARD', 'TRACKING', 'JAVASCRIPT', 'CLICK_COMMANDS'].map((name) => `PLACEMENT_TAG_${name}`)
    expect(cellText(facts, facts.of('placements'), 'tagFormats', () => formats, context)).toBe('Standard, Tracking + 2')
  })
})

describe('fields that can be edited', () => {
  const placement = facts.of('placements')
  const names = (made: boolean): string[] => plainFields(placement, made).map(({ name }) => name)
  it('are plain ones that the service takes, the name first', () => {
    expect(names(true)[0]).toBe('name')
    expect(names(true)).toEqual(expect.arrayContaining(['comment', 'sslRequired', 'compatibility']))
    for (const closed of ['id', 'archived', 'siteId', 'size', 'keyName', 'kind', 'paymentSource', 'campaignId'])
      expect(names(true)).not.toContain(closed)
  })
  it('are more while the service does not know the record', () => {
    expect(names(false)).toContain('paymentSource')
  })
  it('are none of what nobody may write', () => {
    expect(plainFields(facts.of('changeLogs'), true)).toEqual([])
    expect(plainFields(facts.of('operatingSystems'), true)).toEqual([])
  })
  it('take what can be, and say why the rest cannot', () => {
    const field = (name: string, collection = placement): ReturnType<typeof plainFields>[number] =>
      plainFields(collection, true).find((one) => one.name === name)!
    expect(readTyped(field('name'), '  Skyscraper ')).toEqual({ value: 'Skyscraper' })
    expect(readTyped(field('name'), ' ')).toEqual({ problem: 'This may not be empty' })
    expect(readTyped(field('name'), 'x'.repeat(257))).toEqual({ problem: 'At most 256 characters, these are 257' })
    expect(readTyped(field('comment'), '')).toEqual({ value: null })
    const number = { name: 'n', field: { type: 'integer', min: 1, max: 9 }, kind: 'number', needed: false } as const
    expect(readTyped(number, '7')).toEqual({ value: 7 })
    expect(readTyped(number, '7.5')).toEqual({ problem: 'A whole number' })
    expect(readTyped(number, '12')).toEqual({ problem: 'At most 9' })
    expect(readTyped({ ...number, field: { type: 'string', format: 'int64' } }, '12345678901234567')).toEqual({
      value: '12345678901234567',
    })
  })
})

describe('fields that are read', () => {
  it('are those that hold something, without what programs need', () => {
    const value = {
      id: '1',
      kind: 'x',
      name: 'S',
      siteId: '4',
      siteIdDimensionValue: {},
      accountId: '9',
      comment: null,
    }
    expect(readFields(facts.of('placements'), value, new Set(['name']))).toEqual(['siteId', 'accountId', 'id'])
  })
})
