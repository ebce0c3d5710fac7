import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { factsOf } from '#shared/facts/facts'
import { merge as mergeBy, withPatch, type Merge } from '#shared/merge/merge'
import { services } from '#shared/wire/services'
import type { Rule, Rules } from '#shared/merge/rules'
import { cases } from '../../helpers/ring'

const rulesFor = (schema: string): Rules => factsOf().all.find((one) => one.schema === schema)!.rules
const ruleOf = (schema: string, field: string): Rule => rulesFor(schema).of(field)
const merge = (schema: string, base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge =>
  mergeBy(rulesFor(schema), base, mine, theirs)

const noReceipt = { mine: [], theirs: [], combined: [] }
const mina = { email: 'mina@example.com', responseStatus: 'needsAction' }
const jonas = { email: 'jonas@example.com', responseStatus: 'needsAction' }
const at = (hour: number): JsonObject => ({
  dateTime: `2026-03-02T${String(hour).padStart(2, '0')}:00:00+01:00`,
  timeZone: 'Europe/Berlin',
})

interface Case {
  name: string
  schema?: string
  base: JsonObject
  mine: JsonObject
  theirs: JsonObject
  patch: JsonObject
  conflicts: string[]
  receipt: { mine: string[]; theirs: string[]; combined: string[] }
}

const table: Case[] = [
  {
    name: 'nothing changed',
    base: { summary: 'A' },
    mine: {},
    theirs: { summary: 'A' },
    patch: {},
    conflicts: [],
    receipt: noReceipt,
  },
  {
    name: 'theirs has the same times in another zone',
    base: { start: at(9), end: at(10) },
    mine: { start: at(11), end: at(12) },
    theirs: {
      start: { dateTime: '2026-03-02T03:00:00-05:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-02T04:00:00-05:00', timeZone: 'Europe/Berlin' },
    },
    patch: { start: at(11), end: at(12) },
    conflicts: [],
    receipt: { ...noReceipt, mine: ['start'] },
  },
  {
    name: 'the same instant in a renamed zone',
    base: { start: at(9), end: at(10) },
    mine: {},
    theirs: { start: { ...at(9), timeZone: 'Europe/Paris' }, end: at(10) },
    patch: {},
    conflicts: [],
    receipt: { ...noReceipt, theirs: ['start'] },
  },
  {
    name: 'only mine changed',
    base: { summary: 'A' },
    mine: { summary: 'B' },
    theirs: { summary: 'A' },
    patch: { summary: 'B' },
    conflicts: [],
    receipt: { ...noReceipt, mine: ['summary'] },
  },
  {
    name: 'only theirs changed',
    base: { summary: 'A' },
    mine: {},
    theirs: { summary: 'B' },
    patch: {},
    conflicts: [],
    receipt: { ...noReceipt, theirs: ['summary'] },
  },
  {
    name: 'both made the same change',
    base: { summary: 'A' },
    mine: { summary: 'B' },
    theirs: { summary: 'B' },
    patch: {},
    conflicts: [],
    receipt: { ...noReceipt, theirs: ['summary'] },
  },
  {
    name: 'both changed one value differently',
    base: { summary: 'A' },
    mine: { summary: 'B' },
    theirs: { summary: 'C' },
    patch: {},
    conflicts: ['summary'],
    receipt: noReceipt,
  },
  {
    name: 'different fields',
    base: { summary: 'A', location: 'X' },
    mine: { summary: 'B' },
    theirs: { summary: 'A', location: 'Y' },
    patch: { summary: 'B' },
    conflicts: [],
    receipt: { mine: ['summary'], theirs: ['location'], combined: [] },
  },
  {
    name: 'mine cleared, theirs untouched',
    base: { location: 'X' },
    mine: { location: null },
    theirs: { location: 'X' },
    patch: { location: null },
    conflicts: [],
    receipt: { ...noReceipt, mine: ['location'] },
  },
  {
    name: 'mine cleared, theirs changed',
    base: { location: 'X' },
    mine: { location: null },
    theirs: { location: 'Y' },
    patch: {},
    conflicts: ['location'],
    receipt: noReceipt,
  },
  {
    name: 'both cleared',
    base: { location: 'X' },
    mine: { location: null },
    theirs: {},
    patch: {},
    conflicts: [],
    receipt: { ...noReceipt, theirs: ['location'] },
  },
  {
    name: 'a service-owned field is never sent',
    base: { etag: '1' },
    mine: { etag: '9', htmlLink: 'x' },
    theirs: { etag: '2' },
    patch: {},
    conflicts: [],
    receipt: noReceipt,
  },
  {
    name: 'guests: one added here, one there',
    base: { attendees: [] },
    mine: { attendees: [mina] },
    theirs: { attendees: [jonas] },
    patch: { attendees: [jonas, mina] },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['attendees'] },
  },
  {
    name: 'guests: my answer, their new guest',
    base: { attendees: [mina] },
    mine: { attendees: [{ ...mina, responseStatus: 'accepted' }] },
    theirs: { attendees: [mina, jonas] },
    patch: { attendees: [{ ...mina, responseStatus: 'accepted' }, jonas] },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['attendees'] },
  },
  {
    name: 'guests: removed here, answered there',
    base: { attendees: [mina] },
    mine: { attendees: [] },
    theirs: { attendees: [{ ...mina, responseStatus: 'accepted' }] },
    patch: {},
    conflicts: ['attendees'],
    receipt: noReceipt,
  },
  {
    name: 'guests: removed here, another added there',
    base: { attendees: [mina] },
    mine: { attendees: [] },
    theirs: { attendees: [mina, jonas] },
    patch: { attendees: [jonas] },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['attendees'] },
  },
  {
    name: 'text: two additions that fit the limit one by one, but not together',
    schema: 'Task',
    base: { notes: 'plan' },
    mine: { notes: `${'early '.repeat(700)}plan` },
    theirs: { notes: `plan${' later'.repeat(700)}` },
    patch: {},
    conflicts: ['notes'],
    receipt: noReceipt,
  },
  {
    name: 'text: different words',
    base: { description: 'bring the red folder' },
    mine: { description: 'bring the blue folder' },
    theirs: { description: 'please bring the red folder' },
    patch: { description: 'please bring the blue folder' },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['description'] },
  },
  {
    name: 'text: the same word',
    base: { description: 'the red folder' },
    mine: { description: 'the blue folder' },
    theirs: { description: 'the green folder' },
    patch: {},
    conflicts: ['description'],
    receipt: noReceipt,
  },
  {
    name: 'time is one unit: start here, end there',
    base: { start: at(9), end: at(10) },
    mine: { start: at(8) },
    theirs: { start: at(9), end: at(11) },
    patch: {},
    conflicts: ['start', 'end'],
    receipt: noReceipt,
  },
  {
    name: 'time here, title there',
    base: { start: at(9), end: at(10), summary: 'A' },
    mine: { start: at(8), end: at(9) },
    theirs: { start: at(9), end: at(10), summary: 'B' },
    patch: { end: at(9), start: at(8) },
    conflicts: [],
    receipt: { mine: ['start'], theirs: ['summary'], combined: [] },
  },
  {
    name: 'extended properties by key',
    base: { extendedProperties: { private: { a: '1' } } },
    mine: { extendedProperties: { private: { a: '1', b: '2' } } },
    theirs: { extendedProperties: { private: { a: '1', c: '3' } } },
    patch: { extendedProperties: { private: { a: '1', c: '3', b: '2' } } },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['extendedProperties'] },
  },
  {
    name: 'reminders by method and minutes',
    base: { reminders: { useDefault: false, overrides: [] } },
    mine: { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] } },
    theirs: { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 60 }] } },
    patch: {
      reminders: {
        useDefault: false,
        overrides: [
          { method: 'email', minutes: 60 },
          { method: 'popup', minutes: 5 },
        ],
      },
    },
    conflicts: [],
    receipt: { ...noReceipt, combined: ['reminders'] },
  },
  {
    name: 'reminders the service would reject conflict',
    base: { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] } },
    mine: { reminders: { useDefault: true } },
    theirs: {
      reminders: {
        useDefault: false,
        overrides: [
          { method: 'popup', minutes: 5 },
          { method: 'email', minutes: 60 },
        ],
      },
    },
    patch: {},
    conflicts: ['reminders'],
    receipt: noReceipt,
  },
  {
    name: 'a task: done here, renamed there',
    schema: 'Task',
    base: { title: 'A', status: 'needsAction' },
    mine: { status: 'completed' },
    theirs: { title: 'B', status: 'needsAction' },
    patch: { status: 'completed' },
    conflicts: [],
    receipt: { mine: ['status'], theirs: ['title'], combined: [] },
  },
  {
    name: 'an unknown field is kept as one value',
    base: { brandNew: 1 },
    mine: { brandNew: 2 },
    theirs: { brandNew: 1 },
    patch: { brandNew: 2 },
    conflicts: [],
    receipt: { ...noReceipt, mine: ['brandNew'] },
  },
]

describe('the merge truth table', () => {
  it.each(table)('$name', ({ schema = 'Event', base, mine, theirs, patch, conflicts, receipt }) => {
    const merged = merge(schema, base, mine, theirs)
    expect(merged.patch).toEqual(patch)
    expect(merged.conflicts.sort()).toEqual([...conflicts].sort())
    expect(merged.receipt).toEqual(receipt)
  })

  it('changes none of its arguments', () => {
    for (const { base, mine, theirs } of table) {
      const before = JSON.stringify([base, mine, theirs])
      merge('Event', base, mine, theirs)
      expect(JSON.stringify([base, mine, theirs])).toBe(before)
    }
  })
})

describe("a field's merge rule", () => {
  const schemas = [
    ['calendar', ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']],
    ['tasks', ['Task', 'TaskList']],
  ] as const
  const fields = schemas.flatMap(([service, names]) =>
    names.flatMap((schema) =>
      Object.entries(services[service].schemas[schema]!.fields).map(([name, field]) => ({ schema, name, field })),
    ),
  )

  it("is the service's for read-only fields and some by decision", () => {
    const ofTheService = ({ name, field }: (typeof fields)[number]): boolean =>
      field.readOnly === true || field.const !== undefined || name === 'id' || name === 'etag'
    const owned = fields.filter(({ schema, name }) => ruleOf(schema, name).kind === 'server')
    expect(fields.filter(ofTheService).filter((one) => !owned.includes(one))).toEqual([])
    expect(owned.filter((one) => !ofTheService(one)).map(({ schema, name }) => `${schema}.${name}`)).toEqual([
      // The service's note about what it omitted.
      'Event.attendeesOmitted',
      // Fixed at creation, or counted by the service.
      'Event.eventType',
      'Event.iCalUID',
      'Event.originalStartTime',
      'Event.privateCopy',
      'Event.recurringEventId',
      'Event.sequence',
      'CalendarListEntry.conferenceProperties',
      // An access rule is identified by its scope.
      'AclRule.scope',
      // Deletion is a separate edit, not a field's.
      'Task.deleted',
    ])
  })

  it('is a single value for writable fields, with exceptions', () => {
    const inside = fields.flatMap(({ schema, name }) => {
      const { kind } = ruleOf(schema, name)
      return kind === 'server' || kind === 'scalar' ? [] : [[`${schema}.${name}`, kind]]
    })
    expect(Object.fromEntries(inside)).toEqual({
      'Calendar.description': 'words',
      'CalendarListEntry.defaultReminders': 'keyed',
      'CalendarListEntry.notificationSettings': 'map',
      'Event.attachments': 'keyed',
      'Event.attendees': 'keyed',
      'Event.description': 'words',
      'Event.end': 'unit',
      'Event.endTimeUnspecified': 'unit',
      'Event.extendedProperties': 'map',
      'Event.focusTimeProperties': 'map',
      'Event.gadget': 'map',
      'Event.outOfOfficeProperties': 'map',
      'Event.recurrence': 'unit',
      'Event.reminders': 'map',
      'Event.start': 'unit',
      'Task.completed': 'unit',
      'Task.notes': 'words',
      'Task.status': 'unit',
    })
  })
})

const record = fc.record(
  {
    summary: fc.constantFrom('A', 'B', 'C'),
    location: fc.constantFrom('X', 'Y'),
    description: fc.constantFrom('one two three', 'one 2 three', 'zero one two three', 'one two'),
    colorId: fc.constantFrom('1', '2'),
    attendees: fc.uniqueArray(
      fc.record({
        email: fc.constantFrom('a@x', 'b@x', 'c@x'),
        responseStatus: fc.constantFrom('accepted', 'declined'),
      }),
      { selector: (guest) => guest.email, maxLength: 3 },
    ),
    unknownField: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>

/** The edit that turns one record into another. */
const edit = (from: JsonObject, to: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.keys(from)
      .filter((key) => !(key in to))
      .map((key) => [key, null]),
  ),
  ...to,
})

describe('merging any three versions', () => {
  const runs = { numRuns: Number(process.env['FLIGHTPLAN_MERGES'] ?? cases(2_000, 20_000)) }

  it('with itself asks nothing', () => {
    fc.assert(
      fc.property(record, (x) => Object.keys(merge('Event', x, edit(x, x), x).patch).length === 0),
      runs,
    )
  })

  it('keeps the only side that changed', () => {
    fc.assert(
      fc.property(record, record, (base, mine) => {
        const merged = merge('Event', base, edit(base, mine), base)
        expect(merged.conflicts).toEqual([])
        expect(withPatch(base, merged.patch)).toEqual(withPatch({}, mine))
      }),
      runs,
    )
  })

  it('asks the same and gives the same, whichever side merges', () => {
    const plain = ({ attendees, ...rest }: JsonObject): JsonObject => ({
      ...rest,
      attendees: JSON.stringify(
        (attendees as JsonObject[] | undefined)?.map((guest) => JSON.stringify(guest)).sort() ?? [],
      ),
    })
    fc.assert(
      fc.property(record, record, record, (base, one, other) => {
        const here = merge('Event', base, edit(base, one), other)
        const there = merge('Event', base, edit(base, other), one)
        expect([...here.conflicts].sort()).toEqual([...there.conflicts].sort())
        if (here.conflicts.length > 0) return
        expect(plain(withPatch(other, here.patch))).toEqual(plain(withPatch(one, there.patch)))
      }),
      runs,
    )
  })

  it("is idempotent and keeps every user's value", () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const first = merge('Event', base, edit(base, mine), theirs)
        const result = withPatch(theirs, first.patch)
        if (first.conflicts.length === 0) expect(merge('Event', base, edit(base, mine), result).conflicts).toEqual([])
        for (const field of ['summary', 'location', 'colorId']) {
          const kept = [result[field], ...(first.conflicts.includes(field) ? [mine[field]] : [])]
          if (mine[field] !== undefined && mine[field] !== base[field]) expect(kept).toContain(mine[field])
        }
      }),
      runs,
    )
  })
})

describe('text lists', () => {
  const tags = { tagFormats: ['PLACEMENT_TAG_STANDARD', 'PLACEMENT_TAG_CLICK_COMMANDS'] }

  it('of enum values combine additions and removals', () => {
    const mine = { tagFormats: [...tags.tagFormats, 'PLACEMENT_TAG_JAVASCRIPT'] }
    const merged = merge('Placement', tags, mine, { tagFormats: ['PLACEMENT_TAG_CLICK_COMMANDS'] })
    expect(merged).toMatchObject({
      conflicts: [],
      patch: { tagFormats: ['PLACEMENT_TAG_CLICK_COMMANDS', 'PLACEMENT_TAG_JAVASCRIPT'] },
    })
  })

  it('keep the chosen order', () => {
    const turned = { tagFormats: [...tags.tagFormats].reverse() }
    expect(merge('Placement', tags, turned, tags).patch).toEqual(turned)
    const metrics = { criteria: { metricNames: ['clicks', 'impressions'] } }
    const other = { criteria: { metricNames: ['impressions', 'clicks'] } }
    expect(merge('Report', metrics, other, metrics).patch).toEqual(other)
    const third = { criteria: { metricNames: ['impressions', 'clicks', 'cost'] } }
    expect(merge('Report', metrics, other, third).conflicts).toEqual(['criteria'])
  })
})

describe('names that every object inherits', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
  const named = (name: string, value: unknown): JsonObject =>
    JSON.parse(`{"${name}":${JSON.stringify(value)}}`) as JsonObject

  it.each(names)('%s is a field like any other, at the top and inside', (name) => {
    const mine = named(name, 'mine')
    expect(merge('Event', { id: 'a' }, mine, { id: 'a' })).toEqual({
      patch: mine,
      conflicts: [],
      receipt: { ...noReceipt, mine: [name] },
    })
    expect(merge('Event', { id: 'a' }, { summary: 'A' }, { id: 'a', ...mine }).receipt.theirs).toEqual([name])
    const inside = (own: JsonObject): JsonObject => ({ extendedProperties: { private: own } })
    const result = merge('Event', inside({}), inside({ ...mine }), inside({ colour: 'red' }))
    expect(JSON.stringify(result.patch)).toBe(JSON.stringify(inside({ colour: 'red', ...mine })))
    expect(JSON.stringify(withPatch({ id: 'a' }, mine))).toBe(JSON.stringify({ id: 'a', ...mine }))
  })

  it('__proto__ is no field, and reaches no prototype', () => {
    const given = named('__proto__', { polluted: true })
    const inside = { extendedProperties: { private: given } }
    for (const [base, mine, theirs] of [
      [{}, given, {}],
      [{}, { summary: 'A' }, given],
      [given, { extendedProperties: { private: { colour: 'red' } } }, inside],
      [{}, inside, { extendedProperties: { private: { colour: 'red' } } }],
    ] as const) {
      const { patch } = merge('Event', base, mine, theirs)
      for (const one of [patch, withPatch(theirs, patch), withPatch(theirs, mine)]) {
        expect(one['polluted']).toBeUndefined()
        expect(((one['extendedProperties'] as JsonObject)?.['private'] as JsonObject)?.['polluted']).toBeUndefined()
      }
    }
    expect(({} as JsonObject)['polluted']).toBeUndefined()
  })

  it.each(names)('both sides that set %s differently conflict', (name) => {
    expect(merge('Event', {}, named(name, 'mine'), named(name, 'theirs'))).toMatchObject({
      conflicts: [name],
      patch: {},
    })
  })
})
