import { describe, expect, it } from 'vitest'
import { services } from '#shared/wire/services'
import type { ServiceTable } from '#shared/wire/table'
import { isDate, isDateTime, validate, type ValidationMode, type ViolationRule } from '#shared/wire/validate'

const { calendar, tasks } = services

/** A table with one schema, to test flags one at a time. */
const table = (
  fields: ServiceTable['schemas'][string]['fields'],
  extra: Partial<ServiceTable['schemas'][string]> = {},
): ServiceTable => ({
  service: 'calendar',
  version: 'v0',
  basePath: '/x',
  commonParams: {},
  methods: [],
  schemas: {
    Thing: { fields, ...extra },
    Part: { fields: { name: { type: 'string', requiredOnAdd: true }, kind: { type: 'string', atMost: { only: 1 } } } },
  },
})

const rules = (
  of: ServiceTable,
  value: unknown,
  mode: ValidationMode = { kind: 'insert' },
): Array<[string, ViolationRule]> => validate(of, 'Thing', value, mode).map(({ path, rule }) => [path, rule])

describe('validate', () => {
  const cases: Array<[string, ServiceTable['schemas'][string]['fields'][string], unknown, unknown, ViolationRule]> = [
    ['text', { type: 'string' }, 'a', 1, 'type'],
    ['flags', { type: 'boolean' }, false, 'false', 'type'],
    ['whole numbers', { type: 'integer' }, 3, 3.5, 'type'],
    ['numbers', { type: 'number' }, 3.5, '3.5', 'type'],
    ['lists', { type: 'array', of: { type: 'string' } }, ['a'], 'a', 'type'],
    ['maps', { type: 'map', of: { type: 'string' } }, { a: 'b' }, ['a'], 'type'],
    ['objects', { type: 'object', fields: {} }, {}, 'a', 'type'],
    ['references', { ref: 'Part' }, { name: 'a' }, 7, 'type'],
    ['int32', { type: 'integer', format: 'int32' }, 2147483647, 2147483648, 'format'],
    ['int64', { type: 'string', format: 'int64' }, '-9223372036854775808', '9223372036854775808', 'format'],
    ['dates', { type: 'string', format: 'date' }, '2024-02-29', '2026-02-29', 'format'],
    [
      'timestamps',
      { type: 'string', format: 'date-time' },
      '2026-01-05T09:00:00.5+01:00',
      '2026-01-05 09:00',
      'format',
    ],
    ['zones', { type: 'string', format: 'iana-time-zone' }, 'Asia/Tokyo', 'Tokyo', 'format'],
    ['addresses', { type: 'string', format: 'email' }, 'a@b.example', 'a b@c', 'format'],
    ['colors', { type: 'string', format: 'hex-color' }, '#a1B2c3', '#abc', 'format'],
    ['uuids', { type: 'string', format: 'uuid' }, '01234567-89ab-cdef-0123-456789abcdef', '0123', 'format'],
    ['const', { type: 'string', const: 'x#y' }, 'x#y', 'x#z', 'const'],
    ['enum', { type: 'string', enum: ['a', 'b'] }, 'b', 'c', 'enum'],
    ['min', { type: 'integer', min: 1 }, 1, 0, 'min'],
    ['max', { type: 'integer', max: 5 }, 5, 6, 'max'],
    ['minLength', { type: 'string', minLength: 2 }, 'ab', 'a', 'minLength'],
    ['maxLength', { type: 'string', maxLength: 2 }, '🙂🙂', 'abc', 'maxLength'],
    ['minItems', { type: 'array', minItems: 1 }, [1], [], 'minItems'],
    ['maxItems', { type: 'array', maxItems: 1 }, [1], [1, 2], 'maxItems'],
    ['pattern', { type: 'string', pattern: '^[a-c]+$' }, 'abc', 'abd', 'pattern'],
    ['urlSchemes', { type: 'string', urlSchemes: ['https'] }, 'https://a.example', 'http://a.example', 'urlScheme'],
    ['required', { type: 'string', required: true }, 'a', undefined, 'required'],
    ['notCreatable', { type: 'string', notCreatable: ['old'] }, 'new', 'old', 'creatable'],
    ['creatable', { type: 'string', creatable: ['new'] }, 'new', 'old', 'creatable'],
  ]

  it.each(cases)('enforces %s', (_name, field, good, bad, rule) => {
    const of = table({ value: field })
    expect(rules(of, { value: good })).toEqual([])
    expect(rules(of, { value: bad })).toEqual([['value', rule]])
  })

  it('accepts open enums, null as absent, and any value', () => {
    expect(rules(table({ value: { type: 'string', enum: ['a'], enumOpen: true } }), { value: 'later' })).toEqual([])
    expect(rules(table({ value: { type: 'string' } }), { value: null })).toEqual([])
    expect(rules(table({ value: { type: 'any' } }), { value: { whatever: [1] } })).toEqual([])
    expect(validate(table({}), 'Thing', [], { kind: 'insert' })).toMatchObject([{ path: '', rule: 'type' }])
    expect(() => validate(table({}), 'Nothing', {}, { kind: 'insert' })).toThrow(/No schema/)
  })

  it('requires fields by operation and type', () => {
    const of = table({
      a: { type: 'string', requiredFor: ['x.insert'] },
      b: { type: 'string', requiredOn: ['update'] },
      c: { type: 'string', requiredOnAdd: true },
    })
    expect(rules(of, {}, { kind: 'insert', operation: 'x.insert' })).toEqual([
      ['a', 'required'],
      ['c', 'required'],
    ])
    expect(rules(of, {}, { kind: 'update', operation: 'x.update' })).toEqual([
      ['b', 'required'],
      ['c', 'required'],
    ])
    expect(rules(of, {}, { kind: 'patch', operation: 'x.insert' })).toEqual([])
  })

  it('requires fields of list entries in a patch, too', () => {
    const of = table({ list: { type: 'array', of: { ref: 'Part' } }, part: { ref: 'Part' } })
    expect(rules(of, { list: [{ name: 'a' }, {}], part: {} }, { kind: 'patch' })).toEqual([
      ['list[1].name', 'required'],
    ])
  })

  it('checks only writable fields', () => {
    const of = table({
      a: { type: 'string', readOnly: true },
      b: { type: 'string', readOnly: true, writableFor: ['x.import'] },
      c: { type: 'string', needsParam: { version: 1 } },
    })
    const value = { a: 1, b: 2, c: 3 }
    expect(rules(of, value)).toEqual([])
    expect(rules(of, value, { kind: 'insert', operation: 'x.import', params: { version: 1 } })).toEqual([
      ['b', 'type'],
      ['c', 'type'],
    ])
    expect(rules(of, value, { kind: 'insert', params: { version: 0 } })).toEqual([])
  })

  it('counts entries by kind in a list', () => {
    const of = table({ list: { type: 'array', of: { ref: 'Part' } } })
    const part = { name: 'a', kind: 'only' }
    expect(rules(of, { list: [part, { name: 'b', kind: 'other' }] })).toEqual([])
    expect(rules(of, { list: [part, part] })).toEqual([['list', 'atMost']])
  })

  it('requires exactly one of some fields and one full group of others, except in a patch', () => {
    const one = table({ date: { type: 'string' }, time: { type: 'string' } }, { oneOfRequired: ['date', 'time'] })
    expect(rules(one, { date: 'd' })).toEqual([])
    expect(rules(one, { date: 'd', time: null })).toEqual([])
    for (const value of [{}, { date: 'd', time: 't' }]) expect(rules(one, value)).toEqual([['', 'oneOfRequired']])
    expect(rules(one, {}, { kind: 'patch' })).toEqual([])
    const groups = table(
      { a: { type: 'string' }, b: { type: 'array' }, c: { type: 'string' } },
      { needsOneOf: [['a', 'b'], ['c']] },
    )
    expect(rules(groups, { a: 'x', b: [1] })).toEqual([])
    expect(rules(groups, { c: 'x' })).toEqual([])
    for (const value of [{}, { a: 'x' }, { a: 'x', b: [] }]) expect(rules(groups, value)).toEqual([['', 'needsOneOf']])
  })

  it('rejects unknown names in tasks and ignores them in the calendar', () => {
    expect(validate(tasks, 'Task', { title: 'T', surprise: 1 }, { kind: 'insert' })).toMatchObject([
      { path: 'surprise', rule: 'unknown' },
    ])
    expect(validate(calendar, 'Event', { surprise: 1 }, { kind: 'patch' })).toEqual([])
  })

  it('says where in an event the error is', () => {
    const event = {
      start: { dateTime: '2026-01-05T09:00:00Z' },
      end: {},
      reminders: {
        overrides: [{ method: 'popup', minutes: 1 }, { method: 'popup' }, { method: 'fax', minutes: 40321 }],
      },
      attendees: [{ email: 'a@b.example' }, { email: 'nobody' }],
    }
    const found = validate(calendar, 'Event', event, {
      kind: 'insert',
      operation: 'calendar.events.insert',
      params: {},
    })
    expect(found.map(({ path, rule }) => [path, rule])).toEqual([
      ['attendees[1].email', 'format'],
      ['end', 'oneOfRequired'],
      ['reminders.overrides[1].minutes', 'required'],
      ['reminders.overrides[2].method', 'enum'],
      ['reminders.overrides[2].minutes', 'max'],
    ])
  })

  it('accepts responses except for wrong types', () => {
    const answer = { id: 'abc_20260105T090000Z', status: 'postponed', summary: 'S', surprise: 1 }
    expect(validate(calendar, 'Event', answer, { kind: 'response' })).toEqual([])
    expect(validate(calendar, 'Events', { items: [{ summary: 1 }] }, { kind: 'response' })).toMatchObject([
      { path: 'items[0].summary', rule: 'type' },
    ])
  })
})

describe('dates and timestamps', () => {
  it('follow RFC 3339 on real dates', () => {
    expect(['2026-01-31', '2024-02-29'].every(isDate)).toBe(true)
    expect(['2026-02-30', '2026-1-5', '20260105', '2026-13-01', ''].some(isDate)).toBe(false)
    expect(
      ['2026-01-05T09:00:00Z', '2026-01-05t09:00:00.123+05:30', '2026-01-05T09:00:00'].every((text) =>
        isDateTime(text),
      ),
    ).toBe(true)
    expect(
      ['2026-01-05T24:00:00Z', '2026-01-05T09:60:00Z', '2026-01-05T09:00Z', '2026-01-05T09:00:00+0100'].some((text) =>
        isDateTime(text),
      ),
    ).toBe(false)
    expect(isDateTime('2026-01-05T09:00:00', true)).toBe(false)
  })
})

it('a leap second is rejected instead of becoming an invalid time', () => {
  expect(isDateTime('2016-12-31T23:59:59Z')).toBe(true)
  expect(isDateTime('2016-12-31T23:59:60Z')).toBe(false)
})
